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

/** What is not settled for so long counts as stuck. */
export const SLACK_MS = 30_000;

interface Moment {
  readonly through: number;
  readonly at: Date;
}

/** What one process owes of one partition. */
export interface OwedLane extends Omit<StampedPartition, 'givenUp'> {
  readonly givenUp: NumberRanges;
  /** Everything up to this number is owed for at least {@link SLACK_MS}. */
  readonly due: number;
  /** What was owed at that moment; it becomes `due`. */
  readonly watched: Moment;
  /** When `through` was said first. */
  readonly saidAt: Date;
}

/** Ranges of one lane; beyond, the oldest are joined, and fewer gaps are proven. */
const MOST_RANGES = 1_000;

/** The lane after its process has spoken; what it says again, or late, changes nothing. */
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

/** What of a lane is not settled. */
export interface Unsettled {
  /** Never written, whatever the brokers said: numbers after them are settled. */
  readonly lost: NumberRanges;
  /** Nothing after them is settled either: the partition stands still, or they were the last and are lost. */
  readonly waiting: NumberRanges;
}

/** Compares what is owed with what the partition has brought. */
export function unsettledOf(lane: OwedLane, { gaps, through }: StampAccount, now: Date): Unsettled {
  const due = dueOf(lane, now);
  const ahead: readonly NumberRange[] = through < due ? [[through + 1, due]] : [];
  return {
    lost: without(upTo(gaps, lane.through), lane.givenUp).map(([first, last]) => [first, last]),
    waiting: without(ahead, lane.givenUp),
  };
}

/** How many numbers of a lane somebody was told yes about. */
export const acceptedOf = ({ givenUp, through }: Pick<OwedLane, 'givenUp' | 'through'>): number =>
  through - sizeOf(unionOf(upTo(givenUp, through)));

/** Two accounts of the same numbers: what either has met was met. */
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
