import type { Clock } from '@tocsin/clock';
import {
  changeConfiguration,
  collectionOf,
  inTransaction,
  whenCommitted,
  type Connection,
  type DueWork,
  type DueWorkOptions,
  type Session,
} from '@tocsin/persistence';
import { USERS_PER_WRITE, type CopyNotificationRules, type CopyRules } from '../application/copy-notification-rules.ts';
import type { Log } from '../ports/log.ts';
import type { PendingCopies, PendingCopy } from '../ports/pending-copies.ts';
import { PENDING_COPIES } from './index-plans.ts';
import type { MongoUserLots } from './mongo-user-lots.ts';

/** A pending copy, which is due until it is done. Done, it is removed. */
export type PendingCopyDocument = Pick<PendingCopy, 'sourceId' | 'rules' | 'actionTypes'> & {
  readonly _id: string;
  /** Null: everybody. */
  readonly among: readonly string[] | null;
  readonly after: string | null;
  readonly nextDueAt: Date;
};

export interface MongoPendingCopiesParts {
  readonly connection: Connection;
  readonly users: Pick<MongoUserLots, 'changeNext'>;
  readonly dueWork: Pick<DueWork<PendingCopyDocument>, 'written'>;
  readonly clock: Clock;
  readonly log: Log;
}

/** Pending copies in MongoDB. */
export class MongoPendingCopies implements PendingCopies {
  readonly #parts: MongoPendingCopiesParts;

  constructor(parts: MongoPendingCopiesParts) {
    this.#parts = parts;
  }

  /** If the process dies after the commit, another one copies, although the caller got no answer. */
  async keep({ id, among, after, ...rest }: PendingCopy): Promise<void> {
    const { clock, connection, dueWork } = this.#parts;
    const nextDueAt = clock.now();
    await inTransaction(connection, async (session) => {
      const document = { _id: id, ...rest, among: among ?? null, after: after ?? null, nextDueAt };
      await this.#copies().insertOne(document, { session });
      dueWork.written(session, [nextDueAt]);
    });
  }

  /**
   * Gives the copies to the next users, at most `limit`, in the transaction of `session`, and moves the pending copy on past them.
   * If the process dies before the commit, none of these users is changed and another process begins with the same ones. If it dies
   * after the commit, another one begins with those that follow. So a user whose rules were changed after they got the copies does
   * not get them again.
   */
  async copy(session: Session, found: PendingCopyDocument, rules: CopyRules, limit: number): Promise<void> {
    const { clock, dueWork, log, users } = this.#parts;
    const { _id, among, after, sourceId } = found;
    const wanted = { among: among ?? undefined, after: after ?? undefined, limit };
    const ids = await users.changeNext(session, wanted, rules);
    const last = ids.length < limit ? undefined : ids.at(-1);
    if (last === undefined) {
      await this.#copies().deleteOne({ _id }, { session });
      whenCommitted(session, () => {
        log.info({ userId: sourceId }, 'notification rules are copied');
      });
      return;
    }
    const nextDueAt = clock.now();
    await this.#copies().updateOne({ _id }, { $set: { after: last, nextDueAt } }, { session });
    dueWork.written(session, [nextDueAt]);
  }

  #copies() {
    return collectionOf<PendingCopyDocument>(this.#parts.connection, PENDING_COPIES);
  }
}

type CopyWorkOptions = Pick<
  DueWorkOptions<PendingCopyDocument, readonly CopyRules[]>,
  'batch' | 'collection' | 'connection' | 'leaveOut' | 'prepare' | 'process' | 'transaction'
>;

interface CopyWorkParts {
  readonly copyRules: Pick<CopyNotificationRules, 'prepare'>;
  readonly copies: MongoPendingCopies;
}

/**
 * The due work that copies: one pending copy at a time, some users in each transaction, which is a change of configuration like
 * others. The parts may be made later.
 */
export const copyWorkOptions = (connection: Connection, parts: () => CopyWorkParts): CopyWorkOptions => ({
  connection,
  collection: PENDING_COPIES,
  batch: 1,
  transaction: (work) => changeConfiguration(connection, work),
  prepare: (found) => Promise.all(found.map((copy) => parts().copyRules.prepare(toPendingCopy(copy)))),
  process: async (session, [due], [rules], { isCareful }) => {
    if (due !== undefined && rules !== undefined)
      await parts().copies.copy(session, due, rules, isCareful ? 1 : USERS_PER_WRITE);
  },
  // The next user cannot be changed.
  leaveOut: (session, due) => parts().copies.copy(session, due, (user) => user, 1),
});

const toPendingCopy = ({ _id, among, after, sourceId, rules, actionTypes }: PendingCopyDocument): PendingCopy => ({
  id: _id,
  sourceId,
  rules,
  actionTypes,
  among: among ?? undefined,
  after: after ?? undefined,
});
