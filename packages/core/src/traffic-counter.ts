/** The requests of one integration to one process in one hour. Counts only rise, so a count that is stored twice changes nothing. */
export interface TrafficCount {
  readonly integrationId: string;
  /** Its beginning. */
  readonly hour: Date;
  /** Requests that write; and mails. */
  readonly writes: number;
  /** Those of them that sent an alert. */
  readonly alerts: number;
  /** Those of them that were refused. */
  readonly refused: number;
  /** Of any request, reads too. */
  readonly lastRequestAt: Date;
  readonly lastAlertAt: Date | undefined;
  readonly lastRefusal: Refusal | undefined;
}

/** A request that was answered with a status of 400 or more. */
interface Refusal {
  readonly at: Date;
  readonly status: number;
  /** The id of its operation. */
  readonly operation: string;
}

/** A request that has its answer, or a mail that was taken. */
export interface CountedRequest {
  readonly integrationId: string;
  readonly at: Date;
  /** `read` moves `lastRequestAt` alone. */
  readonly effect: 'read' | 'write' | 'alert';
  readonly refusal?: Omit<Refusal, 'at'> | undefined;
}

const HOUR_MS = 3_600_000;
/** Beyond it, integrations that are not counted yet are not counted: each takes about 300 bytes. */
const MAX_COUNTS = 50_000;
/** The most counts that are stored at a time. */
const BATCH = 1_000;

const NOTHING = { writes: 0, alerts: 0, refused: 0, lastAlertAt: undefined, lastRefusal: undefined };

function withRequest(count: TrafficCount, { at, effect, refusal }: CountedRequest): TrafficCount {
  if (effect === 'read') return { ...count, lastRequestAt: at };
  const written = { ...count, writes: count.writes + 1, lastRequestAt: at };
  if (refusal !== undefined) return { ...written, refused: count.refused + 1, lastRefusal: { at, ...refusal } };
  return effect === 'alert' ? { ...written, alerts: count.alerts + 1, lastAlertAt: at } : written;
}

/** Counts the requests of integrations by the hour, in memory. */
export class TrafficCounter {
  readonly #counts = new Map<string, TrafficCount>();
  readonly #changed = new Set<string>();

  count(request: CountedRequest): void {
    const { at, integrationId } = request;
    const hour = new Date(at.getTime() - (at.getTime() % HOUR_MS));
    const key = keyOf({ integrationId, hour });
    const before = this.#counts.get(key);
    if (before === undefined && this.#counts.size >= MAX_COUNTS) return;
    this.#counts.set(key, withRequest(before ?? { ...NOTHING, integrationId, hour, lastRequestAt: at }, request));
    this.#changed.add(key);
  }

  /**
   * Stores all counts that have changed, a batch after the other, and removes those of hours that are over by `now`.
   *
   * @throws what `store` throws; the counts are stored the next time.
   */
  async storeChanged(now: Date, store: (counts: readonly TrafficCount[]) => Promise<void>): Promise<void> {
    // What changes meanwhile is left for the next time.
    for (let left = this.#changed.size; left > 0; left -= BATCH) {
      const counts = this.takeChanged(BATCH);
      try {
        await store(counts);
      } catch (error) {
        this.giveBack(counts);
        throw error;
      }
    }
    this.forgetPastHours(now);
  }

  /** At most `max` counts that have changed since they were taken. `giveBack` returns those that could not be stored. */
  takeChanged(max: number): readonly TrafficCount[] {
    const keys = [...this.#changed].slice(0, max);
    for (const key of keys) this.#changed.delete(key);
    return keys.map((key) => this.#counts.get(key)).filter((count) => count !== undefined);
  }

  giveBack(counts: readonly TrafficCount[]): void {
    for (const count of counts) this.#changed.add(keyOf(count));
  }

  /** Removes the counts of hours that are over by `now` and whose last change was taken. */
  forgetPastHours(now: Date): void {
    for (const [key, { hour }] of this.#counts)
      if (!this.#changed.has(key) && hour.getTime() + HOUR_MS <= now.getTime()) this.#counts.delete(key);
  }
}

const keyOf = ({ hour, integrationId }: Pick<TrafficCount, 'hour' | 'integrationId'>): string =>
  `${hour.getTime()} ${integrationId}`;
