import {
  AlertCommands,
  type AlertCommand,
  type BulkAlertCommand,
  type ConsumedBatch,
  type ConsumedRecord,
  type FailedRecord,
  type BatchResult,
} from '@tocsin/events';
import type { BatchProcessor, LogBounds } from '@tocsin/kafka';
import { mayBeDelayed, type FairRates } from './fair-rates.ts';
import type { CommandBatch } from '../../alerts/apply-commands.ts';
import { BulkKeys } from './bulk-keys.ts';

/** Records wait if the oldest of them has waited for longer, with what the later stages report. */
const WAIT_LIMIT_MS = 400;
/** The same while one integration alone sends commands. It is how long the first command of another one waits behind them. */
const ALONE_WAIT_LIMIT_MS = 1_000;

type Positions = ReadonlyMap<number, number>;
type Batch = ConsumedBatch<AlertCommand>;
type CommandRecord = ConsumedRecord<AlertCommand>;

/** The bulk topic, and up to where it is processed. */
export interface BulkLog {
  readonly bounds: () => Promise<ReadonlyMap<number, LogBounds>>;
  readonly positions: (partitions: readonly number[]) => Promise<Positions>;
  /** Calls `take` with the key of each record of these partitions from the given offsets on, up to their present ends. */
  readonly scan: (from: Positions, take: (key: string, partition: number) => void) => Promise<void>;
  /** Resolves when Kafka has the commands. */
  readonly publish: (commands: readonly BulkAlertCommand[]) => Promise<void>;
}

/** Why a command is moved: a command of its record key waits in the bulk topic, or its integration sends more than its fair rate. */
export type MoveReason = 'order' | 'rate';

export interface CommandLanesPorts {
  /** Answers a batch that begins below its checkpoint with `seek`, because the lanes were decided for the checkpoint. */
  readonly commands: BatchProcessor<AlertCommand | undefined>;
  readonly bulk: BulkLog;
  /** The offsets up to which partitions of `alert-commands.v1` are processed. */
  readonly positions: (partitions: readonly number[]) => Promise<Positions>;
  /** For how many milliseconds records wait at the later stages. */
  readonly laterWaitMs: () => number;
  /** By the clock of the brokers, which date the records. */
  readonly now: () => Date;
  /** Called for each command that is moved. */
  readonly onMoved: (command: AlertCommand, reason: MoveReason) => void;
  readonly rates: Pick<FairRates, 'count' | 'isAlone'>;
  /** How many slots the keys of a partition of the bulk topic have. */
  readonly slots?: number;
}

/** The decision about an unprocessed record. */
interface Decision {
  readonly isWithinRate: boolean;
  /** Kafka has it in the bulk topic. */
  isMoved: boolean;
}

/** A record to write to the bulk topic. */
interface Move {
  readonly record: CommandRecord;
  readonly decision: Decision;
  readonly reason: MoveReason;
}

/**
 * Processes `alert-commands.v1`, and moves the commands of integrations that flood to the bulk topic while records wait (F3). The commands
 * of one record key take effect in the order of their offsets: a command whose key has a command in the bulk topic that is not processed
 * is moved behind it, whichever integration sent it.
 *
 * Commands are written to the bulk topic before the transaction that moves the checkpoint past them. After a crash, or by a process
 * that was frozen, they are written again: they are processed once, by their request ids. It knows the keys of the bulk topic up to a
 * position of each partition, and a transaction may only begin there: if another process has moved the checkpoint, it reads the keys
 * again.
 */
export class CommandLanes implements BatchProcessor<AlertCommand> {
  readonly #ports: CommandLanesPorts;
  /** By partition. Each record that was moved to the bulk topic from below this offset is processed, or its key is known. */
  readonly #knownTo = new Map<number, number>();
  /** By partition and offset. */
  readonly #decisions = new Map<number, Map<number, Decision>>();
  /** By partition of the bulk topic: the keys of records below this offset are known. */
  readonly #readTo = new Map<number, number>();
  #last: Promise<unknown> = Promise.resolve();
  #keys: BulkKeys | undefined;

  constructor(ports: CommandLanesPorts) {
    this.#ports = ports;
  }

  /**
   * Processes or moves batches, each of another partition.
   *
   * @throws UnavailableError when Kafka or the database is unavailable before the transaction has begun.
   */
  async process(batches: readonly Batch[]): Promise<BatchResult> {
    const keys = await this.#know(batches);
    for (const batch of batches) {
      const position = this.#knownTo.get(batch.partition) ?? firstOf(batch);
      if (beginsAt(batch, position)) continue;
      if (batches.length === 1) return { outcome: 'seek', offset: position };
      return { outcome: 'refused', reason: 'A batch among several does not begin at its checkpoint.' };
    }
    for (const batch of batches) for (const record of batch.records) this.#decisionOf(batch, record);
    const isWaiting = this.#isWaiting(batches, keys);
    const moves: Move[] = [];
    const staying = batches.map((batch) => this.#divide(batch, { keys, isWaiting, moves }));
    await this.#move(moves, keys);
    const result = await this.#ports.commands.process(staying);
    for (const batch of batches) this.#end(batch, result);
    return result;
  }

  /** Moves past a command that fails on every try. */
  async deadLetter(record: FailedRecord<AlertCommand | undefined>, reason: string): Promise<BatchResult> {
    const result = await this.#ports.commands.deadLetter(record, reason);
    // Another process may have moved the checkpoint past it, and further.
    this.#forget(record.partition);
    return result;
  }

  /** Removes the keys whose commands are processed. @throws UnavailableError when Kafka or the database is unavailable. */
  async refresh(): Promise<void> {
    const { bulk } = this.#ports;
    const keys = this.#keys;
    if (keys === undefined || keys.isEmpty) return;
    await this.#oneAtATime(() =>
      keys.removeProcessed(async () => {
        const bounds = await bulk.bounds();
        return { bounds, positions: await bulk.positions([...bounds.keys()]) };
      }),
    );
  }

  /** Reads the keys of the bulk topic where a batch does not begin where the last one of its partition ended. */
  async #know(batches: readonly Batch[]): Promise<BulkKeys> {
    const unknown = batches.filter((batch) => this.#knownTo.get(batch.partition) !== firstOf(batch));
    if (unknown.length === 0 && this.#keys !== undefined) return this.#keys;
    for (const { partition } of unknown) this.#forget(partition);
    // Records that were moved from below these positions were written before them, so they are below the ends, which are read later.
    const positions = await this.#ports.positions(unknown.map(({ partition }) => partition));
    const keys = await this.#oneAtATime(() => this.#read());
    for (const batch of unknown) this.#knownTo.set(batch.partition, positions.get(batch.partition) ?? firstOf(batch));
    return keys;
  }

  /** Runs `work` after the earlier ones have ended: each changes the keys by what it has read of the bulk topic. */
  #oneAtATime<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#last.then(work);
    this.#last = done.catch(() => undefined);
    return done;
  }

  /** Adds the keys of all records of the bulk topic that are not processed, and that it has not read before. */
  async #read(): Promise<BulkKeys> {
    const { bulk, slots } = this.#ports;
    const partitions = [...(await bulk.bounds()).keys()];
    const keys = this.#keys ?? new BulkKeys(partitions.length, slots);
    this.#keys = keys;
    const positions = await bulk.positions(partitions);
    const bounds = await bulk.bounds();
    const from = new Map(
      [...bounds]
        .map(
          ([partition, log]) =>
            [partition, firstUnread(log, positions.get(partition), this.#readTo.get(partition))] as const,
        )
        .filter(([partition, first]) => first < (bounds.get(partition)?.end ?? 0)),
    );
    if (from.size > 0) await this.#scan(from, keys);
    for (const [partition, { end }] of bounds) this.#readTo.set(partition, end);
    return keys;
  }

  async #scan(from: Positions, keys: BulkKeys): Promise<void> {
    const { bulk } = this.#ports;
    const found = new Map([...from.keys()].map((partition) => [partition, new Set<string>()]));
    await bulk.scan(from, (key, partition) => found.get(partition)?.add(key));
    const ends = await bulk.bounds();
    for (const [partition, own] of found)
      for (const key of own) keys.found(partition, key, ends.get(partition)?.end ?? 0);
  }

  /**
   * Whether records wait, so that an integration that sends more than its fair rate delays others. It does so while any command waits
   * in the bulk topic: otherwise later commands of the flood would be processed before those, and delay them until the end of the
   * flood.
   */
  #isWaiting(batches: readonly Batch[], keys: BulkKeys): boolean {
    const { laterWaitMs, now, rates } = this.#ports;
    const isAlone = rates.isAlone(Math.max(...batches.map(({ records }) => records.at(-1)?.timestampMs ?? 0)));
    if (!keys.isEmpty) return true;
    const oldestMs = Math.min(...batches.map(({ records }) => records[0]?.timestampMs ?? Infinity));
    return now().getTime() - oldestMs + laterWaitMs() > (isAlone ? ALONE_WAIT_LIMIT_MS : WAIT_LIMIT_MS);
  }

  /** The batch with the commands that are processed in it. Adds to `moves` those that are to be written to the bulk topic. */
  #divide(
    batch: Batch,
    { isWaiting, keys, moves }: { readonly keys: BulkKeys; readonly isWaiting: boolean; readonly moves: Move[] },
  ): CommandBatch {
    // All commands of a key go the same way: a later one that is moved could be processed before this transaction.
    const isMovedByKey = new Map<string, boolean>();
    const records = batch.records.map((record) => {
      const decision = this.#decisionOf(batch, record);
      const key = AlertCommands.key(record.value);
      const isInOrder = isMovedByKey.get(key) ?? (decision.isMoved || keys.has(key));
      const isOverRate = isWaiting && !isMovedByKey.has(key) && isDelayed(record.value, decision);
      const isMoved = isInOrder || isOverRate;
      isMovedByKey.set(key, isMoved);
      if (isMoved && !decision.isMoved) moves.push({ record, decision, reason: isInOrder ? 'order' : 'rate' });
      return isMoved ? { ...record, value: undefined } : record;
    });
    return { ...batch, records };
  }

  /** A record that is tried again is not counted again. */
  #decisionOf({ partition }: Batch, { offset, timestampMs, value }: CommandRecord): Decision {
    const decisions = this.#decisions.get(partition) ?? new Map<number, Decision>();
    this.#decisions.set(partition, decisions);
    const made = decisions.get(offset) ?? { isWithinRate: this.#ports.rates.count(value, timestampMs), isMoved: false };
    decisions.set(offset, made);
    return made;
  }

  async #move(moves: readonly Move[], keys: BulkKeys): Promise<void> {
    if (moves.length === 0) return;
    const { bulk, onMoved } = this.#ports;
    const end = keys.add(moves.map(({ record }) => AlertCommands.key(record.value)));
    try {
      await bulk.publish(moves.map(({ record: { late, value } }) => ({ ...value, ...(late && { late }) })));
    } finally {
      end();
    }
    for (const { decision, reason, record } of moves) {
      decision.isMoved = true;
      onMoved(record.value, reason);
    }
  }

  #end({ partition, records }: Batch, { outcome }: BatchResult): void {
    if (outcome === 'seek') this.#forget(partition);
    if (outcome !== 'done') return;
    const position = (records.at(-1)?.offset ?? 0) + 1;
    this.#knownTo.set(partition, position);
    // Those of later records stay: the batch was a part of one that is tried again.
    const decisions = this.#decisions.get(partition);
    for (const offset of decisions?.keys() ?? []) if (offset < position) decisions?.delete(offset);
  }

  #forget(partition: number): void {
    this.#knownTo.delete(partition);
    this.#decisions.delete(partition);
  }
}

const isDelayed = (command: AlertCommand, { isWithinRate }: Decision): boolean =>
  !isWithinRate && mayBeDelayed(command);

/** Whether a batch begins at the checkpoint, or at the start of a log that has lost what lies between. */
const beginsAt = (batch: Batch, position: number): boolean =>
  firstOf(batch) === position || (firstOf(batch) > position && (batch.lostBefore ?? 0) > position);

/** Where to begin to read. A position or an end beyond the end, which was read later, belongs to an earlier topic of this name. */
function firstUnread({ end, start }: LogBounds, position = 0, readTo = 0): number {
  return Math.max(start, position > end ? 0 : position, readTo > end ? 0 : readTo);
}

const firstOf = ({ records }: Batch): number => records[0]?.offset ?? 0;
