import {
  joinedBeyond,
  sizeOf,
  unionOf,
  upTo,
  without,
  type NumberRange,
  type NumberRanges,
  type StampAccount,
  type StampedPartition,
} from '@tocsin/contracts';

/** A command that has not settled for this long counts as stuck. */
export const SLACK_MS = 30_000;

interface Moment {
  readonly through: number;
  readonly at: Date;
}

/** What one process of alert-ingest owes on one partition. */
export interface OwedLane extends Omit<StampedPartition, 'givenUp'> {
  readonly givenUp: NumberRanges;
  /** Every number up to this one has been owed for at least {@link SLACK_MS}. */
  readonly due: number;
  /** What was owed at that moment; it becomes `due` after {@link SLACK_MS}. */
  readonly watched: Moment;
  /** When `through` was first reported. */
  readonly saidAt: Date;
}

/** The most ranges of one lane. Beyond it the oldest are joined, so fewer gaps are proven. */
const MOST_RANGES = 1_000;

/** The lane after a report of its process. A repeated or late report adds nothing. */
export function spokenOf(before: OwedLane | undefined, said: StampedPartition, now: Date): OwedLane {
  const lane = before ?? laneOf(said, now);
  const through = Math.max(lane.through, said.through);
  const givenUp = joinedBeyond(unionOf([...lane.givenUp, ...said.givenUp]), MOST_RANGES);
  const saidAt = lane.through === through ? lane.saidAt : now;
  const after = { ...lane, through, givenUp, saidAt };
  const { watched } = lane;
  return isOld(watched, now) ? { ...after, due: watched.through, watched: { through, at: now } } : after;
}

const laneOf = ({ partition, through }: StampedPartition, now: Date): OwedLane => ({
  partition,
  through,
  givenUp: [],
  due: 0,
  watched: { through, at: now },
  saidAt: now,
});

/** The numbers of a lane that are not settled. */
export interface Unsettled {
  /** Never written, whatever the brokers said: later numbers are settled. */
  readonly lost: NumberRanges;
  /** No later number is settled either: the partition stands still, or these were the last numbers and are lost. */
  readonly waiting: NumberRanges;
}

/** Compares what is owed with what was read from the partition. */
export function unsettledOf(lane: OwedLane, { gaps, through }: StampAccount, now: Date): Unsettled {
  const due = dueOf(lane, now);
  const ahead: readonly NumberRange[] = through < due ? [[through + 1, due]] : [];
  return {
    lost: without(upTo(gaps, lane.through), lane.givenUp).map(([first, last]) => [first, last]),
    waiting: without(ahead, lane.givenUp),
  };
}

/** How many numbers of a lane were answered 202. */
export const acceptedOf = ({ givenUp, through }: Pick<OwedLane, 'givenUp' | 'through'>): number =>
  through - sizeOf(unionOf(upTo(givenUp, through)));

/** Merges two accounts of the same numbers: a number that either has met counts as met. */
export function joined(one: StampAccount, other: StampAccount): StampAccount {
  const through = Math.max(one.through, other.through);
  if (through === 0) return { through, gaps: [] };
  const everything: readonly NumberRange[] = [[1, through]];
  const metBy = (account: StampAccount) => without(account.through === 0 ? [] : [[1, account.through]], account.gaps);
  return { through, gaps: without(everything, [...metBy(one), ...metBy(other)]) };
}

function dueOf({ due, saidAt, through, watched }: OwedLane, now: Date): number {
  if (isOld({ at: saidAt }, now)) return through;
  return isOld(watched, now) ? watched.through : due;
}

const isOld = ({ at }: Pick<Moment, 'at'>, now: Date): boolean => now.getTime() - at.getTime() >= SLACK_MS;
