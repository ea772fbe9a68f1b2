import {
  joinedBeyond,
  sizeOf,
  unionOf,
  upTo,
  without,
  type NumberRange,
  type NumberRanges,
  type ReceivedNumbers,
  type PartitionReport,
} from '@tocsin/events';

/** A command that has not been processed for this long counts as stuck. */
export const SLACK_MS = 30_000;

interface Moment {
  readonly through: number;
  readonly at: Date;
}

/** The owed numbers of one process of alert-ingest on one partition. */
export interface PartitionSequence extends Omit<PartitionReport, 'unacknowledged'> {
  readonly unacknowledged: NumberRanges;
  /** Every number up to this one has been owed for at least {@link SLACK_MS}. */
  readonly due: number;
  /** The numbers that were owed at that moment; they become `due` after {@link SLACK_MS}. */
  readonly watched: Moment;
  /** When `through` was first reported. */
  readonly advancedAt: Date;
}

/** The most ranges of one sequence. Beyond it the oldest are joined, so fewer gaps are proven. */
const MAX_RANGES = 1_000;

/** The sequence after a report of its process. A repeated or late report adds nothing. */
export function applyReport(
  before: PartitionSequence | undefined,
  report: PartitionReport,
  now: Date,
): PartitionSequence {
  const sequence = before ?? newSequence(report, now);
  const through = Math.max(sequence.through, report.through);
  const unacknowledged = joinedBeyond(unionOf([...sequence.unacknowledged, ...report.unacknowledged]), MAX_RANGES);
  const advancedAt = sequence.through === through ? sequence.advancedAt : now;
  const after = { ...sequence, through, unacknowledged, advancedAt };
  const { watched } = sequence;
  return isOld(watched, now) ? { ...after, due: watched.through, watched: { through, at: now } } : after;
}

const newSequence = ({ partition, through }: PartitionReport, now: Date): PartitionSequence => ({
  partition,
  through,
  unacknowledged: [],
  due: 0,
  watched: { through, at: now },
  advancedAt: now,
});

/** The numbers of a sequence that are not processed. */
export interface Unsettled {
  /** Never written, whatever the brokers report: later numbers are processed. */
  readonly lost: NumberRanges;
  /** No later number is processed either: the partition stands still, or these were the last numbers and are lost. */
  readonly waiting: NumberRanges;
}

/** Compares the owed numbers with what was read from the partition. */
export function unsettledOf(sequence: PartitionSequence, { gaps, through }: ReceivedNumbers, now: Date): Unsettled {
  const due = dueOf(sequence, now);
  const ahead: readonly NumberRange[] = through < due ? [[through + 1, due]] : [];
  return {
    lost: without(upTo(gaps, sequence.through), sequence.unacknowledged).map(([first, last]) => [first, last]),
    waiting: without(ahead, sequence.unacknowledged),
  };
}

/** How many numbers of a sequence were answered 202. */
export const acceptedOf = ({
  unacknowledged,
  through,
}: Pick<PartitionSequence, 'unacknowledged' | 'through'>): number =>
  through - sizeOf(unionOf(upTo(unacknowledged, through)));

/** Merges two accounts of the same numbers: a number that either has met counts as met. */
export function joined(one: ReceivedNumbers, other: ReceivedNumbers): ReceivedNumbers {
  const through = Math.max(one.through, other.through);
  if (through === 0) return { through, gaps: [] };
  const everything: readonly NumberRange[] = [[1, through]];
  const metBy = (account: ReceivedNumbers) =>
    without(account.through === 0 ? [] : [[1, account.through]], account.gaps);
  return { through, gaps: without(everything, [...metBy(one), ...metBy(other)]) };
}

function dueOf({ due, advancedAt, through, watched }: PartitionSequence, now: Date): number {
  if (isOld({ at: advancedAt }, now)) return through;
  return isOld(watched, now) ? watched.through : due;
}

const isOld = ({ at }: Pick<Moment, 'at'>, now: Date): boolean => now.getTime() - at.getTime() >= SLACK_MS;
