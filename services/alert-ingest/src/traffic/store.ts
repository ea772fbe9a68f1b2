import { mapInSteps, type TrafficCount } from '@tocsin/core';
import { collectionOf, type Connection, type IndexPlan } from '@tocsin/mongo';
import type { LastTraffic, TrafficHour } from './traffic.ts';

const TRAFFIC = 'integration_traffic';
const TRAFFIC_HOURS = 'integration_traffic_hours';

/** Documents that the driver decodes in one step. */
const READ_BATCH = 200;
const DAY_SECONDS = 24 * 3_600;

/** With the id of the integration as `_id`. */
interface TrafficDocument extends Pick<TrafficCount, 'lastAlertAt' | 'lastRefusal' | 'lastRequestAt'> {
  readonly _id: string;
  /** Real time, because the index that removes it uses that. */
  readonly storedAt: Date;
}

/** What one process has counted in an hour. */
interface HourDocument extends Pick<TrafficCount, 'alerts' | 'hour' | 'integrationId' | 'refused' | 'writes'> {
  /** Integration, hour and process. */
  readonly _id: string;
  readonly storedAt: Date;
}

export const trafficIndexes: readonly IndexPlan[] = [
  {
    collection: TRAFFIC,
    keys: { storedAt: 1 },
    options: { expireAfterSeconds: 400 * DAY_SECONDS },
    serves: 'the end of what was known of integrations that are gone',
  },
  { collection: TRAFFIC_HOURS, keys: { integrationId: 1, hour: 1 }, serves: 'the hours of one integration' },
  {
    collection: TRAFFIC_HOURS,
    keys: { storedAt: 1 },
    options: { expireAfterSeconds: 9 * DAY_SECONDS },
    serves: 'the end of hours that are no longer shown',
  },
];

/** Keeps what processes have counted of the requests of integrations (P21). */
export class TrafficStore {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** Stores counts of the process `source`. They only rise, so a report that comes twice, or late, changes nothing. */
  async store(source: string, counts: readonly TrafficCount[]): Promise<void> {
    if (counts.length === 0) return;
    const $currentDate = { storedAt: true } as const;
    await this.#hours().bulkWrite(
      counts.map(({ alerts, hour, integrationId, refused, writes }) => ({
        updateOne: {
          filter: { _id: `${integrationId}/${hour.toISOString()}/${source}` },
          update: { $setOnInsert: { integrationId, hour }, $max: { alerts, refused, writes }, $currentDate },
          upsert: true,
        },
      })),
      { ordered: false },
    );
    await this.#traffic().bulkWrite(
      counts.map(({ integrationId, lastAlertAt, lastRefusal, lastRequestAt }) => ({
        updateOne: {
          filter: { _id: integrationId },
          update: {
            // Documents are compared by their first field first: the time of the refusal.
            $max: { lastRequestAt, ...(lastAlertAt && { lastAlertAt }), ...(lastRefusal && { lastRefusal }) },
            $currentDate,
          },
          upsert: true,
        },
      })),
      { ordered: false },
    );
  }

  /** Of those of `integrationIds` that have been used. */
  async last(integrationIds: readonly string[]): Promise<readonly LastTraffic[]> {
    const ids = { _id: { $in: [...integrationIds] } };
    const found = this.#traffic().find(ids, { projection: { storedAt: 0 }, batchSize: READ_BATCH });
    return mapInSteps(found, ({ _id, lastAlertAt, lastRefusal, lastRequestAt }) => ({
      integrationId: _id,
      lastAlertAt,
      lastRefusal,
      lastRequestAt,
    }));
  }

  /** The hours of an integration from `since` on in which requests were counted, in their order. */
  async hours(integrationId: string, since: Date): Promise<readonly TrafficHour[]> {
    const found = await this.#hours()
      .aggregate<TrafficHour & { readonly _id: Date }>([
        { $match: { integrationId, hour: { $gte: since } } },
        {
          $group: {
            _id: '$hour',
            writes: { $sum: '$writes' },
            alerts: { $sum: '$alerts' },
            refused: { $sum: '$refused' },
          },
        },
        { $match: { writes: { $gt: 0 } } },
        { $sort: { _id: 1 } },
      ])
      .toArray();
    return found.map(({ _id, alerts, refused, writes }) => ({ hour: _id, alerts, refused, writes }));
  }

  #traffic() {
    return collectionOf<TrafficDocument>(this.#connection, TRAFFIC);
  }

  #hours() {
    return collectionOf<HourDocument>(this.#connection, TRAFFIC_HOURS);
  }
}
