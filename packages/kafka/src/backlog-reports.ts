import { Backlogs, type BacklogState, firstVersion, type StateMessage } from '@tocsin/events';
import type { Backlog, Publisher } from './ports.ts';

export interface BacklogReportsOptions {
  /** The name of the consumer in the reports. */
  readonly consumer: string;
  /** By partition of this process. */
  readonly backlogs: () => ReadonlyMap<string, Backlog>;
  readonly publisher: Pick<Publisher, 'publish'>;
  /** Real time, because brokers date records by theirs. */
  readonly now: () => Date;
}

/** A shorter delay is not reported: a batch takes about as long. */
const MIN_AGE_MS = 200;
/** A later report is out of date. */
const DEADLINE_MS = 1_000;

/** A partition at the previous call of `report`. */
interface LastReport {
  readonly oldestMs: number | undefined;
  /** The age in the last report of it. */
  readonly reportedMs: number;
}

/**
 * Reports the age of the oldest unprocessed record of each partition, while the consumer is behind and makes progress (F3). A consumer that
 * processes nothing, because its database is unavailable, is not overloaded.
 */
export class BacklogReports {
  readonly #options: BacklogReportsOptions;
  #last: ReadonlyMap<string, LastReport> = new Map();

  constructor(options: BacklogReportsOptions) {
    this.#options = options;
  }

  /**
   * Publishes the reports of all partitions in one request.
   *
   * @throws UnavailableError when Kafka does not take them within a second. The next call reports again.
   */
  async report(): Promise<void> {
    const { backlogs, consumer, now, publisher } = this.#options;
    const at = now();
    const messages: StateMessage<BacklogState>[] = [];
    const seen = new Map<string, LastReport>();
    for (const [partition, { oldestMs, records }] of backlogs()) {
      const before = this.#last.get(partition);
      const ageMs = ageToReport(oldestMs, before, at);
      seen.set(partition, { oldestMs, reportedMs: ageMs ?? before?.reportedMs ?? 0 });
      if (ageMs === undefined) continue;
      const id = `${consumer}/${partition}`;
      messages.push({ id, version: firstVersion(at), deleted: false, state: { consumer, records, ageMs } });
    }
    this.#last = seen;
    if (messages.length > 0) await publisher.publish(Backlogs, messages, { deadlineMs: DEADLINE_MS });
  }
}

/** 0 once, when the consumer has caught up after a report of an age. Undefined where there is nothing to report. */
function ageToReport(oldestMs: number | undefined, before: LastReport | undefined, at: Date): number | undefined {
  const ageMs = oldestMs === undefined ? 0 : at.getTime() - oldestMs;
  if (ageMs < MIN_AGE_MS) return (before?.reportedMs ?? 0) > 0 ? 0 : undefined;
  const makesProgress = before?.oldestMs !== undefined && before.oldestMs !== oldestMs;
  return makesProgress ? Math.round(ageMs) : undefined;
}
