import type { ConsumedRecord, NumberRange, NumberRanges, Stamp, StampAccount } from '@tocsin/contracts';

/** Most gaps of an account, the newest ones. Older ones were audited long before. */
const MOST_GAPS = 1_000;

/** `account` after a stamp with these numbers. Numbers up to `through` change nothing: they are repeats, or were given up. */
export function noted({ gaps, through }: StampAccount, [first, last]: NumberRange): StampAccount {
  if (last <= through) return { gaps, through };
  return { gaps: first > through + 1 ? [...gaps, [through + 1, first - 1]] : gaps, through: last };
}

/**
 * Update expressions that bring the accounts of a partition up to date with `records`, for the command that moves its checkpoint.
 * Empty where no record has a stamp.
 */
export function notingStamps(records: readonly ConsumedRecord<unknown>[]): Readonly<Record<string, unknown>> {
  const stamps = records.flatMap(({ stamp }) => stamp ?? []);
  if (stamps.length === 0) return {};
  const own = Map.groupBy(stamps, ({ instance }) => instance);
  return Object.fromEntries([...own].map(([instance, some]) => [`stamps.${instance}`, noting(instance, some)]));
}

function noting(instance: string, [first, ...others]: readonly Stamp[]): unknown {
  const [from, to] = first?.numbers ?? [1, 1];
  const brought = others.reduce((account, { numbers }) => noted(account, numbers), {
    through: to,
    gaps: [] as NumberRanges,
  });
  const before = { $ifNull: [`$stamps.${instance}.through`, 0] };
  const between = { $cond: [{ $gt: [from - 1, before] }, [[{ $add: [before, 1] }, from - 1]], []] };
  const beyond = { $filter: { input: asLiteral(brought.gaps), cond: { $gt: [{ $last: '$$this' }, before] } } };
  const within = {
    $map: { input: beyond, in: [{ $max: [{ $first: '$$this' }, { $add: [before, 1] }] }, { $last: '$$this' }] },
  };
  const gaps = { $concatArrays: [{ $ifNull: [`$stamps.${instance}.gaps`, []] }, between, within] };
  return { through: { $max: [before, brought.through] }, gaps: { $slice: [gaps, -MOST_GAPS] } };
}

const asLiteral = (gaps: NumberRanges) => ({ $literal: gaps.map(([first, last]) => [first, last]) });
