import { Batcher, withTimeout } from '@tocsin/core';
import { Circuit } from '@tocsin/http';
import type { LogBounds } from '@tocsin/kafka';

const READ_TIMEOUT_MS = 1_000;
/** While Kafka is unavailable, one query in this time asks it. */
const KAFKA_RETRY_MS = 1_000;

export interface CommandProgressPorts {
  /** Asks Kafka for the bounds of each partition of the topic of commands. */
  readonly logBounds: () => Promise<ReadonlyMap<number, LogBounds>>;
  /** The offset below which all commands of a partition are processed. Partitions without a processed command are missing. */
  readonly positions: (partitions: readonly number[]) => Promise<ReadonlyMap<number, number>>;
  /** A monotonic clock in milliseconds. */
  readonly nowMs: () => number;
  /** How long Kafka may take for an answer, milliseconds of real time; 1 s by default. */
  readonly kafkaTimeoutMs?: number;
  /** Called when Kafka stops answering, with the last error, and when it answers again. */
  readonly onKafka: (state: 'open' | 'closed', error?: unknown) => void;
}

/** The bounds of the topic of commands, and the processed positions, which were read after the bounds. */
export interface Progress {
  readonly bounds: ReadonlyMap<number, LogBounds>;
  readonly positions: ReadonlyMap<number, number>;
}

/** Whether all commands of a log are processed that it had when its bounds were read. */
export const isProcessed = ({ end, start }: LogBounds, position = 0): boolean => Math.max(start, position) >= end;

/** Asks Kafka how many commands there are, and MongoDB how many of them are processed. Callers share its queries. */
export class CommandProgress {
  readonly #ports: CommandProgressPorts;
  readonly #kafka: Circuit;
  readonly #queries = new Batcher<undefined, Progress | undefined>({
    process: async (calls) => {
      const progress = await this.#query();
      return calls.map(() => progress);
    },
  });

  constructor(ports: CommandProgressPorts) {
    this.#ports = ports;
    const { nowMs: now, onKafka: onChange } = ports;
    this.#kafka = new Circuit({ failures: 1, retryMs: KAFKA_RETRY_MS, now, onChange });
  }

  /**
   * The result of a query that begins after the call; undefined if Kafka does not answer in time. One query is under way at a time.
   *
   * @throws UnavailableError when the database is unavailable.
   */
  query(): Promise<Progress | undefined> {
    return this.#queries.add(undefined);
  }

  /** @throws UnavailableError when the database is unavailable. */
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
      const bounds = await withTimeout(this.#ports.logBounds(), this.#ports.kafkaTimeoutMs ?? READ_TIMEOUT_MS, () => {
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
