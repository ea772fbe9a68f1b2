import { randomUUID } from 'node:crypto';
import { joinedBeyond, unionOf, without, type NumberRange, type Stamp, type StampReport } from '@tocsin/contracts';

/** One request on its way to the brokers. It ends once. */
export interface StampedAttempt {
  /** By the index of the message that carries it: the last one of each partition. */
  readonly stamps: ReadonlyMap<number, Stamp>;
  /** The brokers said that they have all of it; `isOwed` tells by its index whether the caller of a message still waited. */
  written(isOwed: (index: number) => boolean): void;
  /** It was rejected: nobody knows what of it is there, and what is sent again gets other numbers. */
  failed(): void;
}

interface Lane {
  /** The last number given away. */
  last: number;
  /** Everything up to it has an outcome. */
  through: number;
  givenUp: readonly NumberRange[];
}

/** Ranges of one partition that nobody has taken over yet. Beyond, the oldest are joined: fewer gaps are proven then. */
const MOST_RANGES = 1_000;

/**
 * Numbers the messages that this process writes to each partition, anew with each attempt, and keeps which of them are owed:
 * those whose caller was told yes. Who reads a partition meets the owed numbers in their order, so one that is passed over is
 * lost, whatever the brokers said. For one topic with one request under way at a time.
 */
export class StampBook {
  readonly instance: string = randomUUID();
  readonly #lanes = new Map<number, Lane>();

  /** Numbers messages by their partitions, in the order in which they are written. */
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

  /** What is owed by now. */
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

  /** Somebody keeps that report: what it says was given up is not said again. */
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
