import type { AlertEvent, ConsumedBatch, Settlement } from '@tocsin/contracts';
import { collectionOf, settleBatches, type Connection, type Session } from '@tocsin/persistence';
import { alertIdOf, type Delivery } from '../domain/delivery.ts';
import { mayEndPages, standingAfter, type AlertStanding } from '../domain/wanted.ts';
import type { AlertStandings, KnownStandings } from '../ports/alert-standings.ts';
import { eraseAlerts } from './erase-alerts.ts';
import { STANDINGS, type StandingDocument } from './documents.ts';

/** The standing of alerts in MongoDB. With the word that one was deleted goes whatever was kept of its content (A6). */
export class MongoAlertStandings implements AlertStandings, KnownStandings {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  async settleAlerts(batches: readonly ConsumedBatch<AlertEvent>[]): Promise<Settlement> {
    return settleBatches({
      connection: this.#connection,
      batches,
      work: async (session, records) => {
        const events = records.map(({ value }) => value).filter(mayEndPages);
        const stored = await this.of(
          events.map(({ alertId }) => alertId),
          session,
        );
        const newest = new Map(stored);
        for (const event of events) newest.set(event.alertId, standingAfter(newest.get(event.alertId), event));
        const changed = [...newest.values()].filter((standing) => stored.get(standing.alertId) !== standing);
        const at = new Map(events.map(({ acceptedAt, alertId }) => [alertId, new Date(acceptedAt)]));
        await this.#keep(changed, at, session);
        const deleted = changed.filter(({ status }) => status === 'deleted').map(({ alertId }) => alertId);
        await eraseAlerts(this.#connection, deleted, session);
      },
    });
  }

  /** What is known of the alerts, as the transaction sees it where there is one. */
  async of(alertIds: readonly string[], session?: Session): Promise<ReadonlyMap<string, AlertStanding>> {
    if (alertIds.length === 0) return new Map();
    const documents = await this.#standings()
      .find({ _id: { $in: [...new Set(alertIds)] } }, { projection: { changedAt: 0 }, ...(session && { session }) })
      .toArray();
    return new Map(documents.map(({ _id, ...standing }) => [_id, { alertId: _id, ...standing }]));
  }

  /** What is known of the alerts of these deliveries, as the transaction sees it. */
  async ofDeliveries(deliveries: readonly Delivery[], session: Session): Promise<ReadonlyMap<string, AlertStanding>> {
    return this.of(
      deliveries.flatMap((delivery) => alertIdOf(delivery) ?? []),
      session,
    );
  }

  async #keep(standings: readonly AlertStanding[], at: ReadonlyMap<string, Date>, session: Session): Promise<void> {
    if (standings.length === 0) return;
    await this.#standings().bulkWrite(
      standings.map(({ alertId, ...standing }) => ({
        replaceOne: {
          filter: { _id: alertId },
          replacement: { ...standing, changedAt: at.get(alertId) ?? new Date(0) },
          upsert: true,
        },
      })),
      { session, ordered: false },
    );
  }

  #standings() {
    return collectionOf<StandingDocument>(this.#connection, STANDINGS);
  }
}
