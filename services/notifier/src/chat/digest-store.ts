import { collectionOf, type Connection } from '@tocsin/mongo';
import { CHAT_DIGESTS } from '../messages/delivery-document.ts';
import type { PostReference } from './chat-client.ts';

/** A digest has at most so many alerts; further ones go to the next digest. */
const MAX_LINES = 80;
/** A digest takes new alerts for so long. */
const OPEN_MS = 10 * 60_000;

/** One post that lists alerts of a storm (C6). Its lines are in the rows of the alerts. */
export interface StoredDigest {
  readonly id: string;
  /** Grows with each line that is added or changed. */
  readonly changes: number;
  /** The last change that the post shows. */
  readonly shown: number;
  /** Absent before the first post. */
  readonly reference?: PostReference;
  readonly editedAt?: Date;
  readonly openedAt: Date;
}

interface DigestDocument extends Omit<StoredDigest, 'id' | 'openedAt'> {
  readonly _id: string;
  readonly integrationId: string;
  /** How many alerts were added. */
  readonly lines: number;
  /** When it was made. */
  readonly at: Date;
  /** When a line was last added or changed. Its lines are kept no longer (C4). */
  readonly changedAt: Date;
}

/** Digests in channels of chat. Those of one channel are changed by one process at a time, which has the lease of its queue. */
export class ChatDigests {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  async find(id: string): Promise<StoredDigest | undefined> {
    const found = await this.#digests().findOne({ _id: id });
    if (found === null) return undefined;
    const { at: openedAt, changes, editedAt, reference, shown } = found;
    return { id, changes, openedAt, shown, ...(reference && { reference }), ...(editedAt && { editedAt }) };
  }

  /** The id of the digest that takes another alert: the present one of the channel, or a new one with the id `newId`. */
  async open(integrationId: string, newId: string, now: Date): Promise<string> {
    const isOpen = { integrationId, at: { $gt: new Date(now.getTime() - OPEN_MS) }, lines: { $lt: MAX_LINES } };
    const found = await this.#digests().findOne(isOpen, { sort: { at: -1 }, projection: { _id: 1 } });
    if (found !== null) return found._id;
    const digest = { integrationId, lines: 0, changes: 0, shown: 0, at: now, changedAt: now };
    await this.#digests().updateOne({ _id: newId }, { $setOnInsert: digest }, { upsert: true });
    return newId;
  }

  /** Counts a line that is added, or changed, before it is stored. Resolves with the number of the change; 0 of an unknown digest. */
  async addChange(id: string, isNew: boolean, now: Date): Promise<number> {
    const changed = await this.#digests().findOneAndUpdate(
      { _id: id },
      { $inc: { changes: 1, lines: Number(isNew) }, $max: { changedAt: now } },
      { returnDocument: 'after', projection: { changes: 1 } },
    );
    return changed?.changes ?? 0;
  }

  /**
   * Stores that the post shows all lines up to a change of the digest as it was read. Resolves with whether it was stored: not where another
   * process has edited it since, because this one was held up.
   */
  async recordEdit(
    { changes, id, reference: before, shown }: StoredDigest,
    { at, reference }: { readonly at: Date; readonly reference: PostReference },
  ): Promise<boolean> {
    const { matchedCount } = await this.#digests().updateOne(
      { _id: id, shown, 'reference.post': before?.post ?? null },
      { $set: { reference, shown: changes, editedAt: at } },
    );
    return matchedCount === 1;
  }

  #digests() {
    return collectionOf<DigestDocument>(this.#connection, CHAT_DIGESTS);
  }
}
