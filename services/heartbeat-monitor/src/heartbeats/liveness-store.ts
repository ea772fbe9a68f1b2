import { UnavailableError } from '@tocsin/core';
import {
  asUnavailable,
  collectionOf,
  isDuplicateKey,
  orUnavailable,
  type Connection,
  type IndexPlan,
} from '@tocsin/mongo';
import type { mongo } from 'mongoose';
import { outagesAfter, type LivenessReport, type LastReport, type Outage } from './outage.ts';

export const MONITOR_LIVENESS = 'monitor_liveness';

/** The last report of all monitors, in one document (H2). */
export interface MonitorLivenessDocument {
  readonly _id: 'monitor';
  /** By the database's clock. */
  readonly reportedAt: Date;
  /** The same by the clock of the service. */
  readonly serviceTime: Date;
  /** The latest outages, the last one at the end. */
  readonly outages: readonly Outage[];
}

/** Every index of {@link MONITOR_LIVENESS}. */
export const livenessIndexes: readonly IndexPlan[] = [
  { collection: MONITOR_LIVENESS, keys: { _id: 1 }, serves: 'the last report of all monitors' },
];

/** How often a report is decided again because another monitor's was written first. */
const MAX_TRIES = 50;
const MONITOR = { _id: 'monitor' } as const;

interface ReadLiveness extends MonitorLivenessDocument {
  /** By the database's clock. */
  readonly readAt: Date;
}

/** Keeps when a monitor was last at work, and the outages of Tocsin, in one document that all monitors share. */
export class MonitorLivenessStore {
  readonly #collection: mongo.Collection<MonitorLivenessDocument>;

  constructor(connection: Connection) {
    this.#collection = collectionOf(connection, MONITOR_LIVENESS);
  }

  /**
   * Writes that a monitor is at work, and returns the outages after that. It replaces only the report that it read, so no monitor
   * removes an outage that another one has just written.
   *
   * @throws UnavailableError while the database is unavailable.
   */
  async report(report: LivenessReport): Promise<readonly Outage[]> {
    for (let tries = 0; tries < MAX_TRIES; tries += 1) {
      const last = await this.#read();
      const outages = outagesAfter(last && lastReport(last), report);
      if (await this.#replace(last, outages, report.now)) return outages;
    }
    throw new UnavailableError('Other monitors wrote their reports first, again and again.');
  }

  async #read(): Promise<ReadLiveness | undefined> {
    const stages = [{ $match: MONITOR }, { $set: { readAt: '$$NOW' } }];
    const [last] = await orUnavailable(this.#collection.aggregate<ReadLiveness>(stages).toArray());
    return last;
  }

  async #replace(last: ReadLiveness | undefined, outages: readonly Outage[], now: Date): Promise<boolean> {
    const { readAt, ...seen } = last ?? { ...MONITOR, readAt: '$$NOW', reportedAt: { $exists: false } };
    // Dated by the read: if this process freezes before it writes, that is silence, too.
    const report = { reportedAt: readAt, serviceTime: now, outages };
    try {
      await this.#collection.updateOne(seen, [{ $set: report }], { upsert: true });
      return true;
    } catch (error) {
      // Another report has replaced the one that was read.
      if (isDuplicateKey(error)) return false;
      throw asUnavailable(error);
    }
  }
}

const lastReport = ({ outages, readAt, reportedAt, serviceTime }: ReadLiveness): LastReport => ({
  at: serviceTime,
  silentMs: Number(readAt) - Number(reportedAt),
  outages,
});
