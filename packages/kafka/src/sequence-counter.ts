import { randomUUID } from 'node:crypto';
import {
  joinedBeyond,
  unionOf,
  without,
  type NumberRange,
  type ProducerSequence,
  type SequenceReport,
} from '@tocsin/events';

/** The numbers of one produce request. Either `written` or `failed` is called, once. */
export interface NumberedAttempt {
  /** By the index of the message that carries it in a header: the last message of each partition. */
  readonly sequences: ReadonlyMap<number, ProducerSequence>;
  /** The brokers acknowledged the request. `isOwed` says whether the caller of the message at an index still waited for that. */
  written(isOwed: (index: number) => boolean): void;
  /** The request was rejected. Some of its messages may be written all the same; a retry gets new numbers. */
  failed(): void;
}

/** The numbers of one partition. */
interface PartitionNumbers {
  /** The last number in use. */
  last: number;
  /** The attempts of all numbers up to this one have ended. */
  through: number;
  /** Those of them whose callers did not get a success, as far as no `stored` report has them. */
  unacknowledged: readonly NumberRange[];
}

/**
 * Most ranges of `unacknowledged`. Beyond that the oldest are joined, with the owed numbers between them: fewer losses can be proven
 * then.
 */
const MAX_RANGES = 1_000;

/**
 * Numbers the messages that this process writes to each partition of one topic, and remembers which numbers are owed: those whose
 * callers got a success. A retry gets new numbers. A consumer of the partition meets the owed numbers in ascending order. If it
 * meets a higher number first, the message is lost, although the brokers acknowledged it. For one request in flight at a time.
 */
export class SequenceCounter {
  readonly instance: string = randomUUID();
  readonly #partitions = new Map<number, PartitionNumbers>();

  /** Numbers the messages of one request, given by their partitions in the order in which they are written. */
  begin(partitions: readonly number[]): NumberedAttempt {
    const indexesByPartition = new Map<number, number[]>();
    for (const [index, partition] of partitions.entries()) {
      const known = indexesByPartition.get(partition);
      if (known === undefined) indexesByPartition.set(partition, [index]);
      else known.push(index);
    }
    const sequences = new Map<number, ProducerSequence>();
    const firsts = new Map<number, number>();
    for (const [partition, indexes] of indexesByPartition) {
      const numbers = this.#numbersOf(partition);
      const first = numbers.last + 1;
      numbers.last += indexes.length;
      firsts.set(partition, first);
      sequences.set(indexes.at(-1) ?? 0, { instance: this.instance, numbers: [first, numbers.last] });
    }
    const end = (isOwed: (index: number) => boolean): void => {
      for (const [partition, indexes] of indexesByPartition)
        this.#end(partition, firsts.get(partition) ?? 1, indexes.map(isOwed));
    };
    return {
      sequences,
      written: end,
      failed: () => {
        end(() => false);
      },
    };
  }

  /** The owed numbers of all attempts that have ended. */
  report(): SequenceReport {
    return {
      instance: this.instance,
      partitions: [...this.#partitions].map(([partition, { unacknowledged, through }]) => ({
        partition,
        through,
        unacknowledged: unacknowledged.map(([first, last]) => [first, last]),
      })),
    };
  }

  /** The report is stored. Later reports leave out the `unacknowledged` numbers that it has. */
  stored(report: SequenceReport): void {
    for (const { partition, unacknowledged } of report.partitions) {
      const numbers = this.#numbersOf(partition);
      numbers.unacknowledged = without(numbers.unacknowledged, unacknowledged);
    }
  }

  #end(partition: number, first: number, owed: readonly boolean[]): void {
    const numbers = this.#numbersOf(partition);
    numbers.through = first + owed.length - 1;
    if (owed.every(Boolean)) return;
    const notOwed = owed.flatMap((isOwed, index) => (isOwed ? [] : [[first + index, first + index] as const]));
    numbers.unacknowledged = joinedBeyond(unionOf([...numbers.unacknowledged, ...notOwed]), MAX_RANGES);
  }

  #numbersOf(partition: number): PartitionNumbers {
    const known = this.#partitions.get(partition);
    if (known !== undefined) return known;
    const numbers: PartitionNumbers = { last: 0, through: 0, unacknowledged: [] };
    this.#partitions.set(partition, numbers);
    return numbers;
  }
}
