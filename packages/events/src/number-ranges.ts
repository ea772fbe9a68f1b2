import type { NumberRange } from './producer-sequences.ts';

/** Sorted and apart from each other: none touches the next. */
export type NumberRanges = readonly NumberRange[];

/** All numbers that are in one of `ranges`, in whatever order and however they overlap. */
export function unionOf(ranges: readonly NumberRange[]): NumberRanges {
  const union: [number, number][] = [];
  for (const [first, last] of ranges.toSorted(([one], [other]) => one - other)) {
    const before = union.at(-1);
    if (before !== undefined && first <= before[1] + 1) before[1] = Math.max(before[1], last);
    else union.push([first, last]);
  }
  return union;
}

/** The numbers of `ranges` that are in none of `others`. */
export function without(ranges: readonly NumberRange[], others: readonly NumberRange[]): NumberRanges {
  const taken = unionOf(others);
  return unionOf(ranges).flatMap(([first, last]) => {
    const left: NumberRange[] = [];
    let from = first;
    for (const [takenFirst, takenLast] of taken) {
      if (takenLast < from) continue;
      if (takenFirst > last) break;
      if (takenFirst > from) left.push([from, takenFirst - 1]);
      from = takenLast + 1;
    }
    return from <= last ? [...left, [from, last] as const] : left;
  });
}

/** The numbers of `ranges` up to `last`, which counts. */
export const upTo = (ranges: readonly NumberRange[], last: number): NumberRanges =>
  ranges.flatMap((range) => (range[0] > last ? [] : [[range[0], Math.min(range[1], last)] as const]));

/** How many numbers `ranges` have, which are apart from each other. */
export const sizeOf = (ranges: NumberRanges): number =>
  ranges.reduce((size, [first, last]) => size + last - first + 1, 0);

/** At most `most` of the ranges, which are in their order: beyond, the oldest are joined to one. */
export function joinedBeyond(ranges: NumberRanges, most: number): NumberRanges {
  const surplus = ranges.length - most;
  const [oldest, last] = [ranges[0], ranges[surplus]];
  return surplus <= 0 || oldest === undefined || last === undefined
    ? ranges
    : [[oldest[0], last[1]], ...ranges.slice(surplus + 1)];
}
