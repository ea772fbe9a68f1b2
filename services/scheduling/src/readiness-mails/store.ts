import { NoticeCommands } from '@tocsin/events';
import {
  collectionOf,
  type Connection,
  dueIndex,
  type DueWork,
  type DueWorkOptions,
  type IndexPlan,
  orUnavailable,
  type Outbox,
  type Session,
} from '@tocsin/mongo';
import type { ReadinessMailAccess, ReadinessMailResolver, ResolvedMail } from './operations.ts';
import type { ReadinessMail } from './readiness-mail.ts';

const READINESS_MAILS = 'readiness_mails';

/** When the next mail of a user is due. Its `_id` is that of the user. */
export interface ReadinessMailDocument {
  readonly _id: string;
  readonly nextDueAt: Date;
}

export const readinessMailIndexes: readonly IndexPlan[] = [dueIndex(READINESS_MAILS)];

export interface ReadinessMailStoreParts {
  readonly connection: Connection;
  /** Publishes the orders of mails. */
  readonly outbox: Pick<Outbox, 'add'>;
  readonly dueWork: Pick<DueWork<ReadinessMailDocument>, 'wakeAfterCommit'>;
}

/**
 * Keeps which users have ordered the weekly mail of readiness. Other methods than `send` throw UnavailableError while the database is
 * unavailable.
 */
export class ReadinessMailStore implements ReadinessMailAccess {
  readonly #parts: ReadinessMailStoreParts;

  constructor(parts: ReadinessMailStoreParts) {
    this.#parts = parts;
  }

  /** Adds the mail of a user. Where there is one it stays as it is, and is the result. */
  async add({ nextAt, userId }: ReadinessMail): Promise<ReadinessMail> {
    const document = await orUnavailable(
      this.#mails().findOneAndUpdate(
        { _id: userId },
        { $setOnInsert: { nextDueAt: nextAt } },
        { upsert: true, returnDocument: 'after' },
      ),
    );
    return { userId, nextAt: document?.nextDueAt ?? nextAt };
  }

  async ofUser(userId: string): Promise<ReadinessMail | undefined> {
    const document = await orUnavailable(this.#mails().findOne({ _id: userId }));
    return document === null ? undefined : mailOf(document);
  }

  async all(): Promise<readonly ReadinessMail[]> {
    const documents = await orUnavailable(this.#mails().find().toArray());
    return documents.map(mailOf);
  }

  /** Moves the next mail to `nextAt`, where it was not sent or moved meanwhile. */
  async move({ nextAt: from, userId }: ReadinessMail, nextAt: Date): Promise<void> {
    const moved = this.#mails().updateOne({ _id: userId, nextDueAt: from }, { $set: { nextDueAt: nextAt } });
    await orUnavailable(moved);
  }

  async remove(userId: string): Promise<void> {
    await orUnavailable(this.#mails().deleteOne({ _id: userId }));
  }

  /** Orders the mails of those of `due` that were not moved since they were resolved, in the transaction of `session`. */
  async send(
    session: Session,
    due: readonly ReadinessMailDocument[],
    resolved: readonly ResolvedMail[],
  ): Promise<void> {
    const { dueWork, outbox } = this.#parts;
    const dueAt = new Map(due.map(({ _id, nextDueAt }) => [_id, nextDueAt.getTime()]));
    const current = resolved.filter(({ mail }) => dueAt.get(mail.userId) === mail.nextAt.getTime());
    if (current.length === 0) return;
    await this.#mails().bulkWrite(
      current.map(({ mail: { userId: _id }, nextAt }) =>
        nextAt === undefined
          ? { deleteOne: { filter: { _id } } }
          : { updateOne: { filter: { _id }, update: { $set: { nextDueAt: nextAt } } } },
      ),
      { session, ordered: false },
    );
    dueWork.wakeAfterCommit(
      session,
      current.map(({ nextAt }) => nextAt),
    );
    await outbox.add(
      session,
      NoticeCommands,
      current.flatMap(({ notice }) => notice ?? []),
    );
  }

  #mails() {
    return collectionOf<ReadinessMailDocument>(this.#parts.connection, READINESS_MAILS);
  }
}

const mailOf = ({ _id: userId, nextDueAt: nextAt }: ReadinessMailDocument): ReadinessMail => ({ userId, nextAt });

/** How many mails are resolved together at most. */
const MAX_MAILS = 100;

/** The due work that orders the mails. The parts may be made later. */
export const readinessMailWorkOptions = (
  parts: () => { readonly resolver: ReadinessMailResolver; readonly store: ReadinessMailStore },
): Pick<
  DueWorkOptions<ReadinessMailDocument, readonly ResolvedMail[]>,
  'batch' | 'collection' | 'prepare' | 'process'
> => ({
  collection: READINESS_MAILS,
  batch: MAX_MAILS,
  prepare: (found, now) => parts().resolver.resolve(found.map(mailOf), now),
  process: (session, due, resolved) => parts().store.send(session, due, resolved),
});
