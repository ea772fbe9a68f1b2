import { unionOf, without, type NumberRanges } from './number-ranges.ts';

/** Code points from the first to the last, both inclusive. */
export type CharacterRange = NumberRanges[number];

/** A set of code points: sorted ranges that neither touch nor overlap. */
export type CharacterSet = NumberRanges;

const LAST = 0x10_ffff;

export const complementOf = (set: CharacterSet): CharacterSet => without([[0, LAST]], set);

export const intersectionOf = (one: CharacterSet, other: CharacterSet): CharacterSet =>
  without(one, complementOf(other));

/** The set, with both cases of each of its ASCII letters. */
export function withoutCase(set: CharacterSet): CharacterSet {
  const both = (letters: CharacterRange, shift: number): CharacterRange[] =>
    intersectionOf(set, [letters]).map(([first, last]) => [first + shift, last + shift]);
  return unionOf([...set, ...both([0x41, 0x5a], 0x20), ...both([0x61, 0x7a], -0x20)]);
}

/** The set as a class of RE2. `also`: escapes of RE2 to add to the class. */
export function classOf(set: CharacterSet, also: readonly string[] = [], negated = false): string {
  // The negated class is shorter, and cheaper in case-insensitive patterns, when the set reaches the last code point.
  const byComplement = also.length === 0 && reachesEnd(set);
  const inside = [...(byComplement ? complementOf(set) : set).map(rangeOf), ...also].join('');
  if (inside === '') return negated ? `[${EVERYTHING}]` : `[^${EVERYTHING}]`;
  return byComplement === negated ? `[${inside}]` : `[^${inside}]`;
}

const reachesEnd = (set: CharacterSet): boolean => set.length > 1 && set.at(-1)?.[1] === LAST;

const EVERYTHING = '\\x{0}-\\x{10ffff}';

const rangeOf = ([first, last]: CharacterRange): string => (first === last ? hex(first) : `${hex(first)}-${hex(last)}`);

export const hex = (character: number): string => `\\x{${character.toString(16)}}`;
