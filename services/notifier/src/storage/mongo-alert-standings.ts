import type { AlertEvent, ConsumedBatch, Settlement } from '@tocsin/contracts';
import { collectionOf, settleBatch, type Connection, type Session } from '@tocsin/persistence';
import { mayPage, type AlertStanding } from '../domain/wanted.ts';
import type { AlertStandings } from '../ports/alert-standings.ts';
import { STANDINGS, type StandingDocument } from './documents.ts';
import { standingOf } from './standing.ts';

/** The standing of alerts in MongoDB. */
export class MongoAlertStandings implements AlertStandings {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  async settleAlerts(batch: ConsumedBatch<AlertEvent>): Promise<Settlement> {
    return settleBatch({
      connection: this.#connection,
      batch,
      work: async (session, records) => {
        const newest = new Map<string, AlertStanding>();
        for (const { value: event } of records) {
          if (!mayPage(event)) continue;
          const known = newest.get(event.alertId);
          if (known === undefined || known.version < event.version) newest.set(event.alertId, standingOf(event));
        }
        if (newest.size > 0) await this.#keepNewest(newest, session);
      },
    });
  }

  /** What is known of the alerts, as the transaction sees it. */
  async of(alertIds: readonly string[], session: Session): Promise<ReadonlyMap<string, AlertStanding>> {
    if (alertIds.length === 0) return new Map();
    const documents = await this.#standings()
      .find({ _id: { $in: [...new Set(alertIds)] } }, { session })
      .toArray();
    return new Map(documents.map(({ _id, ...standing }) => [_id, { alertId: _id, ...standing }]));
  }

  async #keepNewest(newest: ReadonlyMap<string, AlertStanding>, session: Session): Promise<void> {
    const stored = await this.of([...newest.keys()], session);
    const ahead = [...newest.values()].filter(({ alertId, version }) => (stored.get(alertId)?.version ?? -1) < version);
    if (ahead.length === 0) return;
    await this.#standings().bulkWrite(
      ahead.map(({ alertId, ...standing }) => ({
        replaceOne: { filter: { _id: alertId }, replacement: standing, upsert: true },
      })),
      { session, ordered: false },
    );
  }

  #standings() {
    return collectionOf<StandingDocument>(this.#connection, STANDINGS);
  }
}
