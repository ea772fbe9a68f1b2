import { randomUUID } from 'node:crypto';
import { joinedBeyond, unionOf, without, type NumberRange, type Stamp, type StampReport } from '@tocsin/contracts';

/** The numbers of one produce request. Either `written` or `failed` is called, once. */
export interface StampedAttempt {
  /** By the index of the message that carries it in a header: the last message of each partition. */
  readonly stamps: ReadonlyMap<number, Stamp>;
  /** The brokers acknowledged the request. `isOwed` tells whether the caller of the message at an index still waited for that. */
  written(isOwed: (index: number) => boolean): void;
  /** The request was rejected. Some of its messages may be written all the same; a retry gets new numbers. */
  failed(): void;
}

/** The numbers of one partition. */
interface Lane {
  /** The last number in use. */
  last: number;
  /** The attempts of all numbers up to this one have ended. */
  through: number;
  /** Those of them whose callers did not get a success, as far as no `kept` report has them. */
  givenUp: readonly NumberRange[];
}

/**
 * Most ranges of `givenUp`. Beyond that the oldest are joined, with the owed numbers between them: fewer losses can be proven
 * then.
 */
const MOST_RANGES = 1_000;

/**
 * Numbers the messages that this process writes to each partition of one topic, and remembers which numbers are owed: those whose
 * callers got a success. A retry gets new numbers. A consumer of the partition meets the owed numbers in ascending order. If it
 * meets a higher number first, the message is lost, although the brokers acknowledged it. For one request in flight at a time.
 */
export class StampBook {
  readonly instance: string = randomUUID();
  readonly #lanes = new Map<number, Lane>();

  /** Numbers the messages of one request, given by their partitions in the order in which they are written. */
  begin(partitions: readonly number[]): StampedAttempt {
    const members = new Map<number, number[]>();
    for (const [index, partition] of partitions.entries()) {
      const known = members.get(partition);
      if (known === undefined) members.set(partition, [index]);
      else known.push(index);
    }
    const stamps = new Map<number, Stamp>();
    const firsts = new Map<number, number>();
    for (const [partition, indexes] of members) {
      const lane = this.#lane(partition);
      const first = lane.last + 1;
      lane.last += indexes.length;
      firsts.set(partition, first);
      stamps.set(indexes.at(-1) ?? 0, { instance: this.instance, numbers: [first, lane.last] });
    }
    const end = (isOwed: (index: number) => boolean): void => {
      for (const [partition, indexes] of members) this.#end(partition, firsts.get(partition) ?? 1, indexes.map(isOwed));
    };
    return {
      stamps,
      written: end,
      failed: () => {
        end(() => false);
      },
    };
  }

  /** The owed numbers of all attempts that have ended. */
  report(): StampReport {
    return {
      instance: this.instance,
      partitions: [...this.#lanes].map(([partition, { givenUp, through }]) => ({
        partition,
        through,
        givenUp: givenUp.map(([first, last]) => [first, last]),
      })),
    };
  }

  /** The report is stored. Later reports leave out the `givenUp` numbers that it has. */
  kept(report: StampReport): void {
    for (const { partition, givenUp } of report.partitions) {
      const lane = this.#lane(partition);
      lane.givenUp = without(lane.givenUp, givenUp);
    }
  }

  #end(partition: number, first: number, owed: readonly boolean[]): void {
    const lane = this.#lane(partition);
    lane.through = first + owed.length - 1;
    if (owed.every(Boolean)) return;
    const numbers = owed.flatMap((isOwed, index) => (isOwed ? [] : [[first + index, first + index] as const]));
    lane.givenUp = joinedBeyond(unionOf([...lane.givenUp, ...numbers]), MOST_RANGES);
  }

  #lane(partition: number): Lane {
    const known = this.#lanes.get(partition);
    if (known !== undefined) return known;
    const made: Lane = { last: 0, through: 0, givenUp: [] };
    this.#lanes.set(partition, made);
    return made;
  }
}
