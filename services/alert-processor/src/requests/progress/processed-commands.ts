import { Admission } from '@tocsin/http';
import { partitionOf } from '@tocsin/kafka';
import { isProcessed, type CommandProgress } from './command-progress.ts';
import { MAX_WAIT_MS, MAX_WAITING, SharedPoll } from './shared-poll.ts';

export interface ProcessedCommandsPorts {
  readonly progress: CommandProgress;
  /** Real time. */
  readonly pause: (milliseconds: number) => Promise<void>;
  /** A monotonic clock in milliseconds. */
  readonly nowMs: () => number;
}

/**
 * Waits until commands that were accepted before a read are processed (A16). The commands with one key are in one partition, so a
 * read waits for that partition alone. Callers that come before Kafka is asked share the request and the look at the positions.
 */
export class ProcessedCommands {
  readonly #ports: ProcessedCommandsPorts;
  readonly #poll: SharedPoll<number, number>;
  readonly #waiting = new Admission(MAX_WAITING);

  constructor(ports: ProcessedCommandsPorts) {
    this.#ports = ports;
    const { nowMs, pause, progress } = ports;
    this.#poll = new SharedPoll({ find: (partitions) => progress.positions(partitions), pause, nowMs });
  }

  /**
   * Waits until the commands with `key` that Kafka has now are processed, 2 s at most. Returns false if it did not wait for them:
   * Kafka is unavailable or does not answer within 1 s, or too many readers, or readers of `holder`, wait already.
   *
   * @throws UnavailableError when the database is unavailable.
   */
  async waitUntilProcessed(key: string, holder: string): Promise<boolean> {
    return (await this.#waiting.tryRun(holder, () => this.#processed(key))) ?? false;
  }

  async #processed(key: string): Promise<boolean> {
    const { nowMs, progress } = this.#ports;
    const startedAtMs = nowMs();
    const found = await progress.query();
    if (found === undefined) return false;
    const partition = partitionOf(key, found.bounds.size);
    const log = found.bounds.get(partition);
    if (log === undefined) return false;
    if (isProcessed(log, found.positions.get(partition))) return true;
    const withinMs = MAX_WAIT_MS - (nowMs() - startedAtMs);
    await this.#poll.waitFor({ key: partition, isWanted: (position) => isProcessed(log, position), withinMs });
    return true;
  }
}
