import { Backlogs, type BacklogState, firstVersion, type StateMessage } from '@tocsin/contracts';
import type { Backlog, Publisher } from './ports.ts';

/** What a consumer tells of, and how. */
export interface BacklogReportsOptions {
  /** As the reports name it. */
  readonly consumer: string;
  /** Partition of this process -> what is not settled of it. */
  readonly backlogs: () => ReadonlyMap<string, Backlog>;
  readonly publisher: Pick<Publisher, 'publish'>;
  /** By the clock by which records are dated. */
  readonly now: () => Date;
}

/** What waits for less is not worth telling: a batch takes about as long. */
const LEAST_MS = 200;
/** A report that is not on the topic by then is of no use any more. */
const DEADLINE_MS = 1_000;

/** A partition at the last look. */
interface Seen {
  readonly oldestMs: number | undefined;
  readonly toldMs: number;
}

/**
 * Tells how far behind a consumer is while it is (F3), as long as it goes on from one look to the next. A consumer that settles
 * nothing, because its database is away, is not overloaded: what comes meanwhile is to be kept for it.
 */
export class BacklogReports {
  readonly #options: BacklogReportsOptions;
  #seen: ReadonlyMap<string, Seen> = new Map();

  constructor(options: BacklogReportsOptions) {
    this.#options = options;
  }

  /**
   * Publishes what is to be told now, of all partitions together.
   *
   * @throws UnavailableError when Kafka does not take it in a second; the next report tells what is so then.
   */
  async report(): Promise<void> {
    const { backlogs, consumer, now, publisher } = this.#options;
    const at = now();
    const messages: StateMessage<BacklogState>[] = [];
    const seen = new Map<string, Seen>();
    for (const [partition, { oldestMs, records }] of backlogs()) {
      const before = this.#seen.get(partition);
      const ageMs = ageToTell(oldestMs, before, at);
      seen.set(partition, { oldestMs, toldMs: ageMs ?? before?.toldMs ?? 0 });
      if (ageMs === undefined) continue;
      const id = `${consumer}/${partition}`;
      messages.push({ id, version: firstVersion(at), deleted: false, state: { consumer, records, ageMs } });
    }
    this.#seen = seen;
    if (messages.length > 0) await publisher.publish(Backlogs, messages, { deadlineMs: DEADLINE_MS });
  }
}

/** Undefined where there is nothing new. */
function ageToTell(oldestMs: number | undefined, before: Seen | undefined, at: Date): number | undefined {
  const ageMs = oldestMs === undefined ? 0 : at.getTime() - oldestMs;
  if (ageMs < LEAST_MS) return (before?.toldMs ?? 0) > 0 ? 0 : undefined;
  const goesOn = before?.oldestMs !== undefined && before.oldestMs !== oldestMs;
  return goesOn ? Math.round(ageMs) : undefined;
}
