import { collectionOf, inTransaction, type Connection } from '@tocsin/persistence';
import type { Kept } from '../domain/retention.ts';
import type { RetainedRows } from '../ports/retained-rows.ts';
import type { AlertDocument } from './alert-document.ts';
import { ALERTS, REMOVED_ALERTS, STATUSES } from './collections.ts';
import { doomFiles, eraseBelongings, eraseHistory } from './erase-belongings.ts';
import { markRemoved } from './removals.ts';

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

export class MongoRetainedRows implements RetainedRows {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  async oldest(kind: Kept): Promise<Date | undefined> {
    const { since, only } = PLACES[kind];
    const found = await this.#rows(kind).findOne(only, { ...byAge(since), projection: { [since]: 1 } });
    return found?.[since] as Date | undefined;
  }

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
   * Deletes the history first, outside the transaction, because it may be too long for one. What was written since is
   * deleted with the alert. A process that dies in between leaves an alert without history, which is still due.
   */
  async #removeAlerts(ids: readonly string[], now: Date): Promise<number> {
    await eraseHistory(this.#connection, ids);
    return inTransaction(this.#connection, async (session) => {
      const alerts = collectionOf<AlertDocument>(this.#connection, ALERTS);
      const { deletedCount } = await alerts.deleteMany({ _id: { $in: [...ids] } }, { session });
      await eraseBelongings(this.#connection, ids, session);
      await markRemoved(this.#connection, ids, { removedAt: now, session });
      return deletedCount;
    });
  }

  /** Deletes what was written while the alerts were being deleted, and what a crash left of a long history. */
  async #eraseLeftovers(alertIds: readonly string[]): Promise<void> {
    await eraseHistory(this.#connection, alertIds);
    await doomFiles(this.#connection, alertIds);
  }

  #rows(kind: Kept) {
    return collectionOf<Row>(this.#connection, PLACES[kind].collection);
  }
}
