import { collectionOf, inTransaction, type Connection } from '@tocsin/persistence';
import type { Kept } from '../domain/retention.ts';
import type { RetainedRows } from '../ports/retained-rows.ts';
import type { AlertDocument } from './alert-document.ts';
import { ALERTS, BELONGINGS, REMOVED_ALERTS, STATUSES } from './collections.ts';
import { eraseBelongings } from './erase-belongings.ts';
import { markRemoved } from './removals.ts';

/** An alert goes with dozens of rows, in one transaction with the others of its lot. */
const ALERTS_AT_ONCE = 100;
const ROWS_AT_ONCE = 1_000;

/** Where each kind is, and since when: the fields have indexes of their own. */
const PLACES = {
  alerts: { collection: ALERTS, since: 'closedAt', only: { status: 'closed' } },
  statuses: { collection: STATUSES, since: 'processedAt', only: {} },
  removals: { collection: REMOVED_ALERTS, since: 'removedAt', only: {} },
} as const satisfies Record<Kept, object>;

/** Through the index of the field: the database knows too little of ages to choose it for sure. */
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
    // What came in the very moment in which its alert went is not there any longer either.
    if (kind === 'removals') await eraseBelongings(this.#connection, ids, undefined);
    return (await this.#rows(kind).deleteMany({ _id: { $in: ids } })).deletedCount;
  }

  /**
   * A history may be longer than one transaction can take, so it goes first, and what has come since goes with the alert: a
   * process that dies in between leaves an alert without a past, which is still due.
   */
  async #removeAlerts(ids: readonly string[], now: Date): Promise<number> {
    for (const collection of BELONGINGS)
      await collectionOf<{ alertId: string }>(this.#connection, collection).deleteMany({ alertId: { $in: [...ids] } });
    return inTransaction(this.#connection, async (session) => {
      const alerts = collectionOf<AlertDocument>(this.#connection, ALERTS);
      const { deletedCount } = await alerts.deleteMany({ _id: { $in: [...ids] } }, { session });
      await eraseBelongings(this.#connection, ids, session);
      await markRemoved(this.#connection, ids, { removedAt: now, session });
      return deletedCount;
    });
  }

  #rows(kind: Kept) {
    return collectionOf<Row>(this.#connection, PLACES[kind].collection);
  }
}
