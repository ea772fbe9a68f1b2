import type { Clock } from '@tocsin/core';
import type { LogBounds } from '@tocsin/kafka';
import { isProcessed, type CommandProgress, type Progress } from './command-progress.ts';

/** How long Kafka may take for an answer: nothing due is done without it, so a slow Kafka delays due work and does not stop it. */
export const KAFKA_TIMEOUT_MS = 5_000;

/** While commands wait, Kafka is asked once in this time, or in this part of the time for which the first one has waited. */
const ASK_EVERY_MS = 1_000;
const ASK_EVERY_PART = 0.01;
const MAX_ASK_EVERY_MS = 5_000;

/**
 * A partition of which nothing is processed for so long, although Kafka answers, is stuck. MongoDB aborts the transaction of a frozen
 * process, which holds the checkpoints of its partitions, after 60 to 90 s.
 */
const STUCK_AFTER_MS = 120_000;
/** Observations of a partition before a pause of this length do not count. */
const MAX_PAUSE_MS = 10_000;

/** Where the partitions of the topic of commands ended at an instant, or later. */
interface Mark {
  readonly at: Date;
  readonly bounds: ReadonlyMap<number, LogBounds>;
}

type Positions = ReadonlyMap<number, number>;

export interface ProcessedUntilPorts {
  readonly progress: Pick<CommandProgress, 'query' | 'positions'>;
  readonly clock: Clock;
  /** A monotonic clock in milliseconds. */
  readonly nowMs: () => number;
  /** Called when a partition is found to be stuck. */
  readonly onStuck: (partition: number) => void;
}

/**
 * Knows an instant before which every accepted command is processed, by any process. The due work of alerts does not overtake commands
 * that were accepted before it was due: a command was answered 202 when Kafka had it, so the partitions end after it.
 *
 * While commands wait it keeps where the partitions ended at several instants, so that a queue delays due work by its own length (and one
 * percent), and a queue that never ends does not delay it for ever. A stuck partition delays it for two minutes; after that it does not wait
 * for the commands of this partition.
 */
export class ProcessedUntil {
  readonly #ports: ProcessedUntilPorts;
  #until: Date | undefined;
  /** The earliest first. Commands of the last one are not processed. */
  readonly #marks: Mark[] = [];
  #positions: Positions | undefined;
  #partitions: readonly number[] | undefined;
  readonly #stuck: StuckPartitions;

  constructor(ports: ProcessedUntilPorts) {
    this.#ports = ports;
    this.#stuck = new StuckPartitions(ports);
  }

  /**
   * The latest instant, not later than now, of which it knows; undefined if none. It asks Kafka and MongoDB if that is before `dueAt`,
   * which has passed.
   *
   * @throws UnavailableError when the database is unavailable.
   */
  async reach(dueAt: Date): Promise<Date | undefined> {
    if (this.#until !== undefined && this.#until >= dueAt) return this.#until;
    const { clock, progress } = this.#ports;
    const at = clock.now();
    const last = this.#marks.at(-1);
    const isMarked = this.#needsMark(dueAt, at) && (await this.#mark(at));
    if (!isMarked && last !== undefined) this.#positions = await progress.positions([...last.bounds.keys()]);
    // Commands that were accepted before an earlier mark were also accepted before this one. An earlier mark may belong to an earlier topic.
    const processed = this.#marks.splice(0, this.#marks.findLastIndex((mark) => this.#isProcessed(mark)) + 1).at(-1);
    this.#until = processed?.at ?? this.#until;
    return this.#until;
  }

  #needsMark(dueAt: Date, now: Date): boolean {
    const [first, last] = [this.#marks[0], this.#marks.at(-1)];
    if (first === undefined || last === undefined || last.at < dueAt) return true;
    const waitedMs = now.getTime() - first.at.getTime();
    const askEveryMs = Math.min(MAX_ASK_EVERY_MS, Math.max(ASK_EVERY_MS, ASK_EVERY_PART * waitedMs));
    return now.getTime() - last.at.getTime() >= askEveryMs;
  }

  /** Whether Kafka answered. */
  async #mark(at: Date): Promise<boolean> {
    const { progress } = this.#ports;
    this.#partitions ??= (await progress.query())?.bounds.keys().toArray();
    const before = this.#partitions && (await progress.positions(this.#partitions));
    const found = before && (await progress.query());
    if (before === undefined || found === undefined) {
      this.#stuck.pause();
      return false;
    }
    const { bounds, positions } = found;
    this.#partitions = [...bounds.keys()];
    this.#positions = positions;
    const beyond = new Set(
      this.#partitions.filter((partition) => isBeyond(bounds.get(partition), before.get(partition))),
    );
    this.#stuck.see(found, beyond);
    if ([...beyond].every((partition) => this.#stuck.has(partition))) this.#marks.push({ at, bounds });
    return true;
  }

  #isProcessed({ bounds }: Mark): boolean {
    return [...bounds].every(
      ([partition, log]) => this.#stuck.has(partition) || isProcessed(log, this.#positions?.get(partition)),
    );
  }
}

/**
 * Whether a log with records ends before the position that was read before its end: the position belongs to an earlier topic of this
 * name, or the log has lost its last records.
 */
const isBeyond = (log: LogBounds | undefined, position = 0): boolean =>
  log !== undefined && log.end > log.start && position > log.end;

interface Standstill {
  readonly position: number | undefined;
  readonly sinceMs: number;
  readonly isStuck: boolean;
}

/** The partitions of which nothing is processed, although commands wait. */
class StuckPartitions {
  readonly #ports: Pick<ProcessedUntilPorts, 'nowMs' | 'onStuck'>;
  readonly #standstills = new Map<number, Standstill>();
  #seenAtMs = -Infinity;

  constructor(ports: Pick<ProcessedUntilPorts, 'nowMs' | 'onStuck'>) {
    this.#ports = ports;
  }

  has(partition: number): boolean {
    return this.#standstills.get(partition)?.isStuck === true;
  }

  /** To be called while Kafka does not answer, which may be the cause of a standstill. */
  pause(): void {
    for (const [partition, { isStuck }] of this.#standstills) if (!isStuck) this.#standstills.delete(partition);
  }

  /**
   * `beyond`: the partitions whose positions lie beyond their logs. Until the consumer has corrected its position, none of their
   * records is processed.
   */
  see({ bounds, positions }: Progress, beyond: ReadonlySet<number>): void {
    const { nowMs, onStuck } = this.#ports;
    const now = nowMs();
    if (now - this.#seenAtMs > MAX_PAUSE_MS) this.pause();
    this.#seenAtMs = now;
    for (const [partition, log] of bounds) {
      const position = positions.get(partition);
      const before = this.#standstills.get(partition);
      const isStill = before !== undefined && before.position === position;
      if (isProcessed(log, position) && !beyond.has(partition)) this.#standstills.delete(partition);
      else if (!isStill) this.#standstills.set(partition, { position, sinceMs: now, isStuck: false });
      else if (!before.isStuck && now - before.sinceMs >= STUCK_AFTER_MS) {
        this.#standstills.set(partition, { ...before, isStuck: true });
        onStuck(partition);
      }
    }
  }
}
