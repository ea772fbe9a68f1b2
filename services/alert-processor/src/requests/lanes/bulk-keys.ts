import { keyHash } from '@tocsin/events';
import { partitionOf, type LogBounds } from '@tocsin/kafka';

/** Slots of one partition: 2 MiB. With 40 000 waiting keys in a partition, one of seven other keys shares a slot with one of them. */
const SLOTS = 2 ** 18;

/** Where the partitions of the bulk topic begin and end, and up to where they are processed. */
export interface BulkProgress {
  readonly bounds: ReadonlyMap<number, LogBounds>;
  /** Read after the bounds. Partitions without a processed record are missing. */
  readonly positions: ReadonlyMap<number, number>;
}

/** Records of one partition that were written together, and whose end is not known. */
interface Write {
  readonly partition: PartitionKeys;
  readonly slots: ReadonlySet<number>;
}

/** The keys of one partition. */
class PartitionKeys {
  /** The records of a slot lie below its value: 0 where there are none, infinite while the end of one is not known. */
  readonly ends: Float64Array;
  /** How many writes of each slot have an end that is not known. */
  readonly unknown = new Map<number, number>();
  /** The highest known end of a record. */
  end = 0;
  /** Up to where the partition is processed. */
  position = 0;

  constructor(slots: number) {
    this.ends = new Float64Array(slots);
  }

  get isProcessed(): boolean {
    return this.unknown.size === 0 && this.end <= this.position;
  }

  raise(slot: number, end: number): void {
    this.ends[slot] = Math.max(this.ends[slot] ?? 0, end);
  }

  begin(slot: number): void {
    this.unknown.set(slot, (this.unknown.get(slot) ?? 0) + 1);
    this.ends[slot] = Infinity;
  }

  finish(slot: number, end: number): void {
    const left = (this.unknown.get(slot) ?? 1) - 1;
    this.end = Math.max(this.end, end);
    if (left > 0) {
      this.unknown.set(slot, left);
      return;
    }
    this.unknown.delete(slot);
    this.ends[slot] = end;
  }

  /** The topic ends earlier than before: it is a new one. */
  shorten(end: number): void {
    if (end >= this.end) return;
    this.end = end;
    for (let slot = 0; slot < this.ends.length; slot += 1) {
      const known = this.ends[slot] ?? 0;
      if (known !== Infinity && known > end) this.ends[slot] = end;
    }
  }
}

/**
 * The record keys that have a record in the bulk topic which is not processed. `has` may be true for a key without such a record, but
 * is never false for a key with one: a record whose key has none may be processed at once.
 *
 * Its size is fixed, however many records wait: a key has a slot of its partition by its hash.
 */
export class BulkKeys {
  readonly #partitions: number;
  readonly #slots: number;
  readonly #keys = new Map<number, PartitionKeys>();
  readonly #written = new Set<Write>();

  /** `partitions` is how many the bulk topic has. */
  constructor(partitions: number, slots: number = SLOTS) {
    this.#partitions = partitions;
    this.#slots = slots;
  }

  /** Whether every record is processed, as far as this process knows. */
  get isEmpty(): boolean {
    return [...this.#keys.values()].every(({ isProcessed }) => isProcessed);
  }

  has(key: string): boolean {
    const partition = this.#keys.get(this.#partitionOf(key));
    return partition !== undefined && (partition.ends[this.#slotOf(key)] ?? 0) > partition.position;
  }

  /** Call it before records with `keys` are written, and the returned function once that has succeeded or failed. */
  add(keys: Iterable<string>): () => void {
    const writes = [...Map.groupBy(keys, (key) => this.#partitionOf(key))].map(([number, own]): Write => {
      const partition = this.#keysOf(number);
      const slots = new Set(own.map((key) => this.#slotOf(key)));
      for (const slot of slots) partition.begin(slot);
      return { partition, slots };
    });
    return () => {
      for (const write of writes) this.#written.add(write);
    };
  }

  /** Adds a key of a record that was found in a partition below its offset `end`. */
  found(number: number, key: string, end: number): void {
    const partition = this.#keysOf(number);
    partition.raise(this.#slotOf(key), end);
    partition.end = Math.max(partition.end, end);
  }

  /** Removes the keys of processed records. `ask` is called once. @throws what `ask` throws. */
  async removeProcessed(ask: () => Promise<BulkProgress>): Promise<void> {
    const written = [...this.#written];
    const { bounds, positions } = await ask();
    for (const [number, partition] of this.#keys) {
      const { end, start } = bounds.get(number) ?? { start: 0, end: 0 };
      const position = Math.max(start, positions.get(number) ?? 0);
      partition.shorten(end);
      // A position beyond the end may belong to an earlier topic of this name.
      if (position <= end) partition.position = position;
      else if (partition.position > end) partition.position = 0;
      for (const write of written) {
        if (write.partition !== partition) continue;
        for (const slot of write.slots) partition.finish(slot, end);
        this.#written.delete(write);
      }
    }
  }

  #keysOf(number: number): PartitionKeys {
    const known = this.#keys.get(number) ?? new PartitionKeys(this.#slots);
    this.#keys.set(number, known);
    return known;
  }

  #partitionOf(key: string): number {
    return partitionOf(key, this.#partitions);
  }

  #slotOf(key: string): number {
    return Number.parseInt(keyHash(key), 16) % this.#slots;
  }
}
