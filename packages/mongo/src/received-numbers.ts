import type { ConsumedRecord, NumberRange, NumberRanges, ProducerSequence, ReceivedNumbers } from '@tocsin/events';

/** Most gaps of one instance, the newest ones. Older ones were audited long before. */
const MAX_GAPS = 1_000;

/** `received` after a sequence with these numbers. Numbers up to `through` change nothing: they are repeats, or are unacknowledged. */
export function addNumbers({ gaps, through }: ReceivedNumbers, [first, last]: NumberRange): ReceivedNumbers {
  if (last <= through) return { gaps, through };
  return { gaps: first > through + 1 ? [...gaps, [through + 1, first - 1]] : gaps, through: last };
}

/**
 * Update expressions that bring the received numbers of a partition up to date with `records`, for the command that moves its checkpoint.
 * Empty where no record has a sequence.
 */
export function receivedNumbersUpdate(records: readonly ConsumedRecord<unknown>[]): Readonly<Record<string, unknown>> {
  const sequences = records.flatMap(({ sequence }) => sequence ?? []);
  if (sequences.length === 0) return {};
  const own = Map.groupBy(sequences, ({ instance }) => instance);
  return Object.fromEntries([...own].map(([instance, some]) => [`received.${instance}`, numbersAfter(instance, some)]));
}

/** The expression of the received numbers of one instance after its sequences, by what is stored before. */
function numbersAfter(instance: string, [first, ...others]: readonly ProducerSequence[]): unknown {
  const [from, to] = first?.numbers ?? [1, 1];
  const added = others.reduce((received, { numbers }) => addNumbers(received, numbers), {
    through: to,
    gaps: [] as NumberRanges,
  });
  const before = { $ifNull: [`$received.${instance}.through`, 0] };
  const between = { $cond: [{ $gt: [from - 1, before] }, [[{ $add: [before, 1] }, from - 1]], []] };
  const beyond = { $filter: { input: asLiteral(added.gaps), cond: { $gt: [{ $last: '$$this' }, before] } } };
  const within = {
    $map: { input: beyond, in: [{ $max: [{ $first: '$$this' }, { $add: [before, 1] }] }, { $last: '$$this' }] },
  };
  const gaps = { $concatArrays: [{ $ifNull: [`$received.${instance}.gaps`, []] }, between, within] };
  return { through: { $max: [before, added.through] }, gaps: { $slice: [gaps, -MAX_GAPS] } };
}

const asLiteral = (gaps: NumberRanges) => ({ $literal: gaps.map(([first, last]) => [first, last]) });
