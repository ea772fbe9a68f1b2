import type { Clock } from '@tocsin/core';
import {
  changeConfiguration,
  collectionOf,
  type Connection,
  dueIndex,
  type DueWork,
  type DueWorkOptions,
  type IndexPlan,
  inTransaction,
  type Session,
  whenCommitted,
} from '@tocsin/mongo';
import type { UserBatch } from '../users/user.ts';
import { type CopyRules, type PendingCopy, USERS_PER_WRITE } from './copy.ts';

export const PENDING_COPIES = 'pendingCopies';

export const copyIndexes: readonly IndexPlan[] = [dueIndex(PENDING_COPIES)];

/** A pending copy, which is due until it is done. Then it is removed. */
export type PendingCopyDocument = Pick<PendingCopy, 'sourceId' | 'rules' | 'actionTypes'> & {
  readonly _id: string;
  /** Null: all users. */
  readonly among: readonly string[] | null;
  readonly after: string | null;
  readonly nextDueAt: Date;
};

export interface PendingCopyStoreOptions {
  readonly connection: Connection;
  /** Changes the users of a batch in the transaction of the session. Resolves with their ids. */
  readonly changeUsers: (session: Session, batch: UserBatch, work: CopyRules) => Promise<readonly string[]>;
  readonly dueWork: Pick<DueWork<PendingCopyDocument>, 'wakeAfterCommit'>;
  readonly clock: Clock;
  readonly log: { info(fields: Readonly<Record<string, unknown>>, message: string): void };
}

/** Keeps pending copies in MongoDB. Each goes on until it is done, also after a crash. */
export class PendingCopyStore {
  readonly #options: PendingCopyStoreOptions;

  constructor(options: PendingCopyStoreOptions) {
    this.#options = options;
  }

  /** If the process dies after the commit, another one copies, although the caller got no answer. */
  async keep({ id, among, after, ...rest }: PendingCopy): Promise<void> {
    const { clock, connection, dueWork } = this.#options;
    const nextDueAt = clock.now();
    await inTransaction(connection, async (session) => {
      const document = { _id: id, ...rest, among: among ?? null, after: after ?? null, nextDueAt };
      await this.#copies().insertOne(document, { session });
      dueWork.wakeAfterCommit(session, [nextDueAt]);
    });
  }

  /**
   * Gives the copies to the next users, at most `limit`, in the transaction of `session`, and moves the pending copy on past them.
   * If the process dies before the commit, none of these users is changed and another process begins with the same ones. If it dies
   * after the commit, another one begins with those that follow. So a user whose rules were changed after they got the copies does
   * not get them again.
   */
  async copy(session: Session, found: PendingCopyDocument, rules: CopyRules, limit: number): Promise<void> {
    const { changeUsers, clock, dueWork, log } = this.#options;
    const { _id, among, after, sourceId } = found;
    const ids = await changeUsers(session, { among: among ?? undefined, after: after ?? undefined, limit }, rules);
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
    dueWork.wakeAfterCommit(session, [nextDueAt]);
  }

  #copies() {
    return collectionOf<PendingCopyDocument>(this.#options.connection, PENDING_COPIES);
  }
}

type CopyWorkOptions = Pick<
  DueWorkOptions<PendingCopyDocument, readonly CopyRules[]>,
  'batch' | 'collection' | 'connection' | 'skipFirstItem' | 'prepare' | 'process' | 'transaction'
>;

interface CopyWorkParts {
  readonly prepare: (copy: PendingCopy) => Promise<CopyRules>;
  readonly copies: PendingCopyStore;
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
  prepare: (found) => Promise.all(found.map((copy) => parts().prepare(toPendingCopy(copy)))),
  process: async (session, [due], [rules], { onlyFirstItem }) => {
    if (due !== undefined && rules !== undefined)
      await parts().copies.copy(session, due, rules, onlyFirstItem ? 1 : USERS_PER_WRITE);
  },
  // The next user cannot be changed.
  skipFirstItem: (session, due) => parts().copies.copy(session, due, (user) => user, 1),
});

const toPendingCopy = ({ _id, among, after, sourceId, rules, actionTypes }: PendingCopyDocument): PendingCopy => ({
  id: _id,
  sourceId,
  rules,
  actionTypes,
  among: among ?? undefined,
  after: after ?? undefined,
});
