import { withTimeout } from '@tocsin/clock';
import { Circuit, Shares } from '@tocsin/http';
import { lagOf, partitionOf, type LogBounds } from '@tocsin/messaging';
import { MAX_WAIT_MS, MAX_WAITING, SharedPoll } from './shared-poll.ts';

/** Leaves the rest of the 2 s for the commands to settle. */
const KAFKA_TIMEOUT_MS = 1_000;
/** While Kafka is away, one read in this time asks it. */
const KAFKA_RETRY_MS = 1_000;

export interface SettledCommandsPorts {
  /** Asks Kafka for the bounds of each partition of the topic of commands. */
  readonly logBounds: () => Promise<ReadonlyMap<number, LogBounds>>;
  /** The offset below which all commands of a partition are settled. Partitions without a settled command are missing. */
  readonly positions: (partitions: readonly number[]) => Promise<ReadonlyMap<number, number>>;
  /** Real time. */
  readonly pause: (milliseconds: number) => Promise<void>;
  /** A monotonic clock in milliseconds. */
  readonly nowMs: () => number;
  /** Called when Kafka stops answering, with the last error, and when it answers again. */
  readonly onKafka: (state: 'open' | 'closed', error?: unknown) => void;
}

/** The bounds of the topic of commands, and the settled positions, which were read after the bounds. */
interface Progress {
  readonly bounds: ReadonlyMap<number, LogBounds>;
  readonly positions: ReadonlyMap<number, number>;
}

/**
 * Waits until commands that were accepted before a read are settled (A16). The commands with one key are in one partition, so a
 * read waits for that partition alone. Callers that come before Kafka is asked share the request and the look at the positions.
 */
export class SettledCommands {
  readonly #ports: SettledCommandsPorts;
  readonly #poll: SharedPoll<number, number>;
  readonly #waiting = new Shares(MAX_WAITING);
  readonly #kafka: Circuit;
  /** The last query that began; it never rejects. */
  #begun: Promise<unknown> = Promise.resolve();
  /** The query that begins after it. */
  #next: Promise<Progress | undefined> | undefined;

  constructor(ports: SettledCommandsPorts) {
    this.#ports = ports;
    this.#poll = new SharedPoll({ find: ports.positions, pause: ports.pause, nowMs: ports.nowMs });
    this.#kafka = new Circuit({ failures: 1, retryMs: KAFKA_RETRY_MS, now: ports.nowMs, onChange: ports.onKafka });
  }

  /**
   * Waits until the commands with `key` that Kafka has now are settled, 2 s at most. Returns false if it did not wait for them:
   * Kafka is away or does not answer within 1 s, or too many readers, or readers of `holder`, wait already.
   *
   * @throws UnavailableError when the database is away.
   */
  async waitUntilSettled(key: string, holder: string): Promise<boolean> {
    return (await this.#waiting.tryRun(holder, () => this.#settled(key))) ?? false;
  }

  async #settled(key: string): Promise<boolean> {
    const { nowMs } = this.#ports;
    const startedAtMs = nowMs();
    const { bounds, positions } = (await this.#progress()) ?? NOTHING;
    const partition = partitionOf(key, bounds.size);
    const log = bounds.get(partition);
    if (log === undefined) return false;
    const isSettled = (position: number | undefined): boolean => lagOf(log, position) === 0;
    if (isSettled(positions.get(partition))) return true;
    const withinMs = MAX_WAIT_MS - (nowMs() - startedAtMs);
    await this.#poll.waitFor({ key: partition, isWanted: isSettled, withinMs });
    return true;
  }

  /** The result of a query that begins after the call; undefined if Kafka does not answer. */
  #progress(): Promise<Progress | undefined> {
    this.#next ??= this.#begun.then(() => {
      this.#next = undefined;
      const query = this.#query();
      this.#begun = query.catch(() => undefined);
      return query;
    });
    return this.#next;
  }

  async #query(): Promise<Progress | undefined> {
    const bounds = await this.#bounds();
    if (bounds === undefined) return undefined;
    return { bounds, positions: await this.#ports.positions([...bounds.keys()]) };
  }

  async #bounds(): Promise<ReadonlyMap<number, LogBounds> | undefined> {
    let askedAtMs: number | undefined;
    try {
      askedAtMs = this.#kafka.enter();
      const bounds = await withTimeout(this.#ports.logBounds(), KAFKA_TIMEOUT_MS, () => {
        throw new Error('Kafka does not answer in time.');
      });
      this.#kafka.answered();
      return bounds;
    } catch (error) {
      if (askedAtMs !== undefined) this.#kafka.failed(askedAtMs, error);
      return undefined;
    }
  }
}

const NOTHING: Progress = { bounds: new Map(), positions: new Map() };
