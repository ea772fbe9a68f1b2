import { collectionOf, type Connection, isDuplicateKey, type Session } from '@tocsin/mongo';
import { CHAT_POSTS } from '../messages/delivery-document.ts';
import type { PostReference } from './chat-client.ts';

/** The alert that a channel follows, and the integration of the channel. */
export interface FollowedAlert {
  readonly alertId: string;
  readonly integrationId: string;
}

/** The line of an alert in a digest of a storm (C6). */
export interface StoredLine {
  /** The id of the digest. */
  readonly digest: string;
  /** Empty where the alert is deleted. */
  readonly text: string;
  /** The change of the digest by which it was added, or changed last. */
  readonly change: number;
}

/** The post about an alert in one channel, or its line in a digest, or both. But for the line it has no content of the alert (A6). */
export interface StoredPost {
  /** Absent where the alert is in a digest alone. */
  readonly reference?: PostReference;
  readonly line?: StoredLine;
  /** The delivery of the last event that the channel shows. */
  readonly deliveryId: string;
  /** The version of the alert that is shown. */
  readonly version: number;
  /** The replies below the post, by the ids of the product, oldest first. */
  readonly replies: readonly string[];
  /** The alert was deleted: no event makes a post any more. */
  readonly isDeleted?: true;
}

/** The part of {@link StoredPost} about a post of its own. */
export type OwnPost = Required<Omit<StoredPost, 'line' | 'isDeleted'>>;

/** What a channel shows of an alert after an event. */
export interface ShownEvent extends Omit<OwnPost, 'replies'> {
  /** The reply that was added, by the id of the product. */
  readonly reply?: string | undefined;
}

/**
 * The result of a write: it was not made where a later version is stored (`newer`) or the alert was deleted (`deleted`), because this process
 * was held up and another one went on.
 */
export type WriteResult = 'stored' | 'newer' | 'deleted';

interface PostDocument extends Omit<StoredPost, 'replies'> {
  readonly _id: string;
  readonly integrationId: string;
  readonly replies?: readonly string[];
  /** When the post was made. */
  readonly postedAt?: Date;
  /** When the channel last got an event. */
  readonly at: Date;
}

/** A message of Telegram. */
interface MessageInChat {
  readonly chat: string;
  readonly topic: string | undefined;
  readonly message: string;
}

/** An alert that a message shows. */
interface ShownAlert extends FollowedAlert {
  readonly at: Date;
}

/** In a group that is no supergroup, messages of several bots may have the same id. */
const MAX_SAME_MESSAGES = 10;

/** Posts about alerts in channels of chat. */
export class ChatPosts {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  async find(alert: FollowedAlert): Promise<StoredPost | undefined> {
    const projection = { _id: 0, at: 0, integrationId: 0, postedAt: 0 };
    const found = await this.#posts().findOne({ _id: idOf(alert) }, { projection });
    return found === null ? undefined : { ...found, replies: found.replies ?? [] };
  }

  /** The integrations whose channels show one of these alerts, by alert. */
  async integrationsOf(alertIds: readonly string[], session: Session): Promise<readonly FollowedAlert[]> {
    if (alertIds.length === 0) return [];
    // No character comes between a colon and a semicolon.
    const ofAlerts = alertIds.map((id) => ({ _id: { $gte: `${id}:`, $lt: `${id};` } }));
    const isShown = [{ reference: { $exists: true } }, { line: { $exists: true } }];
    const found = await this.#posts()
      .find({ $and: [{ $or: ofAlerts }, { $or: isShown }] }, { session, projection: { _id: 1 } })
      .toArray();
    return found.map(({ _id }) => alertOf(_id));
  }

  /** The alerts of the posts that are a message of a chat of Telegram, and when these were edited. */
  async withMessage({ chat, message, topic }: MessageInChat): Promise<readonly ShownAlert[]> {
    const channels = [chat, ...(topic === undefined ? [] : [`${chat}:${topic}`])];
    const found = await this.#posts()
      .find({ 'reference.channel': { $in: channels }, 'reference.post': message }, { projection: { at: 1 } })
      .limit(MAX_SAME_MESSAGES)
      .toArray();
    return found.map(({ _id, at }) => ({ ...alertOf(_id), at }));
  }

  /** How many posts the channel of an integration got after an instant. */
  async countAfter(integrationId: string, instant: Date, limit: number): Promise<number> {
    return this.#posts().countDocuments({ integrationId, postedAt: { $gt: instant } }, { limit });
  }

  /**
   * Stores what a channel shows, in place of an earlier post about the alert. A reply is also stored where a later version is, so that a
   * deletion removes it. `isNew`: the post was made now.
   */
  async put(
    alert: FollowedAlert,
    { deliveryId, reference, reply, version }: ShownEvent,
    { at, isNew }: { readonly at: Date; readonly isNew: boolean },
  ): Promise<WriteResult> {
    const row = { reference, deliveryId, version, at, ...(isNew && { postedAt: at }) };
    const result = await this.#write(alert, row, reply);
    if (reply === undefined || result !== 'newer') return result;
    const isThere = { _id: idOf(alert), isDeleted: { $ne: true as const } };
    const { matchedCount } = await this.#posts().updateOne(isThere, { $addToSet: { replies: reply } });
    return matchedCount === 1 ? result : 'deleted';
  }

  /** Stores the line of an alert in a digest; of a deleted alert only an empty one. */
  async putLine(
    alert: FollowedAlert,
    { deliveryId, line, version }: Required<Pick<StoredPost, 'deliveryId' | 'line' | 'version'>>,
    at: Date,
  ): Promise<WriteResult> {
    return this.#write(alert, { deliveryId, version, line, at });
  }

  /** Writes a row unless a later version is stored, or the alert was deleted and the row has words of it. */
  async #write(
    alert: FollowedAlert,
    row: Pick<PostDocument, 'deliveryId' | 'version' | 'at'> & Partial<PostDocument>,
    reply?: string,
  ): Promise<WriteResult> {
    const { integrationId } = alert;
    const _id = idOf(alert);
    const mayBe = row.line?.text === '' ? {} : { isDeleted: { $ne: true as const } };
    const update = {
      $set: row,
      $setOnInsert: { integrationId },
      ...(reply !== undefined && { $addToSet: { replies: reply } }),
    };
    try {
      await this.#posts().updateOne({ _id, version: { $lte: row.version }, ...mayBe }, update, { upsert: true });
      return 'stored';
    } catch (error) {
      // There is a row that may not be overwritten.
      if (!isDuplicateKey(error)) throw error;
      const found = await this.#posts().findOne({ _id }, { projection: { isDeleted: 1 } });
      return found?.isDeleted === true ? 'deleted' : 'newer';
    }
  }

  /**
   * Stores that the alert was deleted, before anything of it is erased. From then on no event of it is written, also not by a process that
   * was frozen before. The row is kept as long as others, so longer than Kafka keeps an event that may come late.
   */
  async markDeleted(
    alert: FollowedAlert,
    deliveryId: string,
    { at, version }: { readonly at: Date; readonly version: number },
  ): Promise<void> {
    const { integrationId } = alert;
    await this.#posts().updateOne(
      { _id: idOf(alert) },
      { $set: { isDeleted: true, at }, $max: { version }, $setOnInsert: { integrationId, deliveryId } },
      { upsert: true },
    );
  }

  /** The lines of a digest that were added or changed after a change, those first that were first. At most as many as a digest has. */
  async linesOf(digest: string, after = 0): Promise<readonly string[]> {
    const found = await this.#posts()
      .find({ 'line.digest': digest, 'line.change': { $gt: after } }, { projection: { line: 1 } })
      .sort({ 'line.digest': 1, _id: 1 })
      .toArray();
    const lines = found.flatMap(({ line }) => line ?? []).toSorted((one, other) => one.change - other.change);
    return lines.map(({ text }) => text).filter((text) => text !== '');
  }

  /** Forgets the post of an alert, whose line stays. */
  async removeReference(alert: FollowedAlert): Promise<void> {
    await this.#posts().updateOne({ _id: idOf(alert) }, { $unset: { reference: 1 } });
  }

  /** Stores that a reply is gone. */
  async removeReply(alert: FollowedAlert, reply: string): Promise<void> {
    await this.#posts().updateOne({ _id: idOf(alert) }, { $pull: { replies: reply } });
  }

  /** Forgets what a channel had of an alert, but not that the alert was deleted. */
  async forget(alert: FollowedAlert): Promise<void> {
    await this.#posts().updateOne({ _id: idOf(alert) }, { $unset: { reference: 1, replies: 1, line: 1 } });
  }

  #posts() {
    return collectionOf<PostDocument>(this.#connection, CHAT_POSTS);
  }
}

const idOf = ({ alertId, integrationId }: FollowedAlert): string => `${alertId}:${integrationId}`;

function alertOf(id: string): FollowedAlert {
  const at = id.indexOf(':');
  return { alertId: id.slice(0, at), integrationId: id.slice(at + 1) };
}
