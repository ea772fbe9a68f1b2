import { collectionOf, inTransaction, type Connection } from '@tocsin/mongo';
import type { Kept } from './retention.ts';
import type { AlertDocument } from './document.ts';
import { ALERTS, REMOVED_ALERTS, STATUSES } from '../database.ts';
import { markFilesForDeletion, deleteRelated, eraseHistory, markRemoved } from './related-store.ts';

/** How many alerts one transaction deletes. Each has dozens of rows that are deleted with it. */
const ALERTS_AT_ONCE = 100;
const ROWS_AT_ONCE = 1_000;

/** The collection of each kind, and the indexed field from which its age counts. */
const PLACES = {
  alerts: { collection: ALERTS, since: 'closedAt', only: { status: 'closed' } },
  statuses: { collection: STATUSES, since: 'processedAt', only: {} },
  removals: { collection: REMOVED_ALERTS, since: 'removedAt', only: {} },
} as const satisfies Record<Kept, object>;

/** Oldest first. The hint is needed, because MongoDB does not always choose the index of the field by itself. */
const byAge = (since: string) => ({ sort: { [since]: 1 } as const, hint: { [since]: 1 } });

type Row = { readonly _id: string } & Readonly<Record<string, unknown>>;

/** The kinds of documents that are kept for a limited time. */

export class RetentionStore {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /**
   * The earliest close of a closed alert, processing of a request, or removal of an alert; undefined if there is none.
   */

  async oldest(kind: Kept): Promise<Date | undefined> {
    const { since, only } = PLACES[kind];
    const found = await this.#rows(kind).findOne(only, { ...byAge(since), projection: { [since]: 1 } });
    return found?.[since] as Date | undefined;
  }

  /**
   * Removes a batch of documents from `until` or earlier, and returns how many; 0 if none is left. An alert is removed at `now` with
   * everything that belongs to it. If the process dies on the way, the next call removes the rest.
   */

  async remove(kind: Kept, until: Date, now: Date): Promise<number> {
    const { since, only } = PLACES[kind];
    const limit = kind === 'alerts' ? ALERTS_AT_ONCE : ROWS_AT_ONCE;
    const due = { ...only, [since]: { $lte: until } };
    const found = await this.#rows(kind)
      .find(due, { ...byAge(since), limit, projection: { _id: 1 } })
      .toArray();
    const ids = found.map(({ _id }) => _id);
    if (ids.length === 0) return 0;
    if (kind === 'alerts') return this.#removeAlerts(ids, now);
    if (kind === 'removals') await this.#eraseLeftovers(ids);
    return (await this.#rows(kind).deleteMany({ _id: { $in: ids } })).deletedCount;
  }

  /**
   * Deletes the history first, outside the transaction, because it may be too long for one. Entries that were written since are deleted
   * with the alert. A process that dies in between leaves an alert without history, which is still due.
   */
  async #removeAlerts(ids: readonly string[], now: Date): Promise<number> {
    await eraseHistory(this.#connection, ids);
    return inTransaction(this.#connection, async (session) => {
      const alerts = collectionOf<AlertDocument>(this.#connection, ALERTS);
      const { deletedCount } = await alerts.deleteMany({ _id: { $in: [...ids] } }, { session });
      await deleteRelated(this.#connection, ids, session);
      await markRemoved(this.#connection, ids, { removedAt: now, session });
      return deletedCount;
    });
  }

  /** Deletes entries that were written while the alerts were being deleted, and the rest of a long history after a crash. */
  async #eraseLeftovers(alertIds: readonly string[]): Promise<void> {
    await eraseHistory(this.#connection, alertIds);
    await markFilesForDeletion(this.#connection, alertIds);
  }

  #rows(kind: Kept) {
    return collectionOf<Row>(this.#connection, PLACES[kind].collection);
  }
}
