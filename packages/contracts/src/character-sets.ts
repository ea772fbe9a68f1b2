/** Code points from the first to the last, both of them in it. */
export type CharacterRange = readonly [first: number, last: number];

/** A set of code points: ranges in their order, which neither touch nor overlap. */
export type CharacterSet = readonly CharacterRange[];

const LAST = 0x10_ffff;

/** The set of these ranges, whatever their order. */
export function setOf(ranges: readonly CharacterRange[]): CharacterSet {
  const merged: [number, number][] = [];
  for (const [first, last] of [...ranges].sort(([one], [other]) => one - other)) {
    const before = merged.at(-1);
    if (before !== undefined && first <= before[1] + 1) before[1] = Math.max(before[1], last);
    else merged.push([first, last]);
  }
  return merged;
}

export function complementOf(set: CharacterSet): CharacterSet {
  const ranges: CharacterRange[] = [];
  let from = 0;
  for (const [first, last] of set) {
    if (first > from) ranges.push([from, first - 1]);
    from = last + 1;
  }
  return from > LAST ? ranges : [...ranges, [from, LAST]];
}

/** What is in both sets. */
export const intersectionOf = (one: CharacterSet, other: CharacterSet): CharacterSet =>
  complementOf(setOf([...complementOf(one), ...complementOf(other)]));

/** The set with both cases of each ASCII letter in it. */
export function withoutCase(set: CharacterSet): CharacterSet {
  const both = (letters: CharacterRange, shift: number): CharacterRange[] =>
    intersectionOf(set, [letters]).map(([first, last]) => [first + shift, last + shift]);
  return setOf([...set, ...both([0x41, 0x5a], 0x20), ...both([0x61, 0x7a], -0x20)]);
}

/** The set as a class of RE2; `also` are escapes of RE2 that it has besides. */
export function classOf(set: CharacterSet, also: readonly string[] = [], negated = false): string {
  // Where the set goes to the end of all characters it is shorter, and cheaper without regard to case, by what is not in it.
  const byOthers = also.length === 0 && reachesEnd(set);
  const inside = [...(byOthers ? complementOf(set) : set).map(rangeOf), ...also].join('');
  if (inside === '') return negated ? `[${EVERYTHING}]` : `[^${EVERYTHING}]`;
  return byOthers === negated ? `[${inside}]` : `[^${inside}]`;
}

const reachesEnd = (set: CharacterSet): boolean => set.length > 1 && set.at(-1)?.[1] === LAST;

const EVERYTHING = '\\x{0}-\\x{10ffff}';

const rangeOf = ([first, last]: CharacterRange): string => (first === last ? hex(first) : `${hex(first)}-${hex(last)}`);

export const hex = (character: number): string => `\\x{${character.toString(16)}}`;
