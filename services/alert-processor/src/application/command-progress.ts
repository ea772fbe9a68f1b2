import { withTimeout } from '@tocsin/clock';
import { Circuit } from '@tocsin/http';
import type { LogBounds } from '@tocsin/messaging';

const KAFKA_TIMEOUT_MS = 1_000;
/** While Kafka is away, one query in this time asks it. */
const KAFKA_RETRY_MS = 1_000;

export interface CommandProgressPorts {
  /** Asks Kafka for the bounds of each partition of the topic of commands. */
  readonly logBounds: () => Promise<ReadonlyMap<number, LogBounds>>;
  /** The offset below which all commands of a partition are settled. Partitions without a settled command are missing. */
  readonly positions: (partitions: readonly number[]) => Promise<ReadonlyMap<number, number>>;
  /** A monotonic clock in milliseconds. */
  readonly nowMs: () => number;
  /** Called when Kafka stops answering, with the last error, and when it answers again. */
  readonly onKafka: (state: 'open' | 'closed', error?: unknown) => void;
}

/** The bounds of the topic of commands, and the settled positions, which were read after the bounds. */
export interface Progress {
  readonly bounds: ReadonlyMap<number, LogBounds>;
  readonly positions: ReadonlyMap<number, number>;
}

/** Whether all commands of a log are settled that it had when its bounds were read. */
export const isSettled = ({ end, start }: LogBounds, position = 0): boolean => Math.max(start, position) >= end;

/** Asks Kafka how many commands there are, and MongoDB how many of them are settled. Callers share its queries. */
export class CommandProgress {
  readonly #ports: CommandProgressPorts;
  readonly #kafka: Circuit;
  /** The last query that began; it never rejects. */
  #begun: Promise<unknown> = Promise.resolve();
  /** The query that begins after it. */
  #next: Promise<Progress | undefined> | undefined;

  constructor(ports: CommandProgressPorts) {
    this.#ports = ports;
    const { nowMs: now, onKafka: onChange } = ports;
    this.#kafka = new Circuit({ failures: 1, retryMs: KAFKA_RETRY_MS, now, onChange });
  }

  /**
   * The result of a query that begins after the call; undefined if Kafka does not answer within 1 s. One query is under way at a time.
   *
   * @throws UnavailableError when the database is away.
   */
  query(): Promise<Progress | undefined> {
    this.#next ??= this.#begun.then(() => {
      this.#next = undefined;
      const query = this.#query();
      this.#begun = query.catch(() => undefined);
      return query;
    });
    return this.#next;
  }

  /** @throws UnavailableError when the database is away. */
  positions(partitions: readonly number[]): Promise<ReadonlyMap<number, number>> {
    return this.#ports.positions(partitions);
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
