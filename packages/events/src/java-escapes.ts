// cspell:ignore Alnum Punct Cntrl lmotu cdefios ckmo cfnos
import { complementOf, type CharacterRange, type CharacterSet } from './character-sets.ts';
import { unionOf } from './number-ranges.ts';

/** The meaning of an escape of a Java pattern: characters, a property in RE2's syntax, or the reason of a refusal. */
export type Escape =
  | {
      readonly kind: 'character';
      readonly character: number;
      readonly end: number;
    }
  | { readonly kind: 'set'; readonly set: CharacterSet; readonly end: number }
  | {
      readonly kind: 'property';
      readonly written: string;
      readonly end: number;
    }
  | { readonly kind: 'refused'; readonly reason: string };

/** A set from the first and last characters of its ranges, in pairs. */
const pairs = (characters: string): CharacterSet => {
  const points = Array.from(characters, (character) => character.codePointAt(0) ?? 0);
  return unionOf(
    points.flatMap((first, at): CharacterRange[] => (at % 2 === 0 ? [[first, points[at + 1] ?? first]] : [])),
  );
};

/** ASCII alone for `\d`, `\w` and `\s`, as in Java without the flag `U`. */
const SETS: Readonly<Record<string, CharacterSet>> = {
  d: pairs('09'),
  w: pairs('09AZ__az'),
  s: pairs('\t\r  '),
  h: pairs('\t\t  \u00a0\u00a0\u1680\u1680\u180e\u180e\u2000\u200a\u202f\u202f\u205f\u205f\u3000\u3000'),
  v: pairs('\n\r\u0085\u0085\u2028\u2029'),
};

/** The POSIX classes of Java, which are ASCII alone. */
const POSIX: Readonly<Record<string, CharacterSet>> = {
  Lower: pairs('az'),
  Upper: pairs('AZ'),
  ASCII: pairs('\0\u007f'),
  Alpha: pairs('AZaz'),
  Digit: pairs('09'),
  Alnum: pairs('09AZaz'),
  Punct: pairs('!/:@[`{~'),
  Graph: pairs('!~'),
  Print: pairs(' ~'),
  Blank: pairs('\t\t  '),
  Cntrl: pairs('\0\u001f\u007f\u007f'),
  XDigit: pairs('09AFaf'),
  Space: pairs('\t\r  '),
};

const CONTROLS: Readonly<Record<string, number>> = {
  a: 7,
  e: 27,
  f: 12,
  n: 10,
  r: 13,
  t: 9,
};

const PAIR = /\\u(d[89ab][\da-f]{2})\\u(d[c-f][\da-f]{2})/iy;
const NUMBERED = [
  [/\\x([\da-f]{2})/iy, 16],
  [/\\x\{(0*(?:10|[\da-f])?[\da-f]{1,4})\}/iy, 16],
  [/\\u([\da-f]{4})/iy, 16],
  [/\\0([0-3]?[0-7]{1,2})/y, 8],
] as const;
const CONTROL = /\\c([?-_a-z])/y;
const PROPERTY = /\\([pP])(?:\{(?:(Is|(?:general_category|gc|script|sc)=)?(\w{1,40}))\}|([A-Z]))/y;
const CATEGORY = /^(?:L[lmotu]?|M[cen]?|N[dlo]?|P[cdefios]?|S[ckmo]?|Z[lps]?|C[cfnos]?)$/;

/** Reads the escape whose backslash is at `start`. */
export function escapeAt(pattern: string, start: number): Escape {
  const letter = pattern[start + 1] ?? '';
  const end = start + 2;
  if (letter.toLowerCase() === 'p') return propertyAt(pattern, start);
  const set = own(SETS, letter.toLowerCase());
  if (set !== undefined) return { kind: 'set', set: Object.hasOwn(SETS, letter) ? set : complementOf(set), end };
  const control = own(CONTROLS, letter);
  if (control !== undefined) return { kind: 'character', character: control, end };
  return pairAt(pattern, start) ?? numberedAt(pattern, start) ?? literalAt(pattern, start);
}

/** Reads a character that the pattern writes as a surrogate pair. */
function pairAt(pattern: string, start: number): Escape | undefined {
  PAIR.lastIndex = start;
  const [whole, high = '', low = ''] = PAIR.exec(pattern) ?? [];
  if (whole === undefined) return undefined;
  const character = 0x1_0000 + (Number.parseInt(high, 16) - 0xd800) * 0x400 + (Number.parseInt(low, 16) - 0xdc00);
  return { kind: 'character', character, end: start + whole.length };
}

/** Reads a character that the pattern writes as a number, or a control character as a letter. */
function numberedAt(pattern: string, start: number): Escape | undefined {
  for (const [escape, base] of NUMBERED) {
    escape.lastIndex = start;
    const [whole = '', digits] = escape.exec(pattern) ?? [];
    const character = digits === undefined ? undefined : Number.parseInt(digits, base);
    if (character !== undefined) return { kind: 'character', character, end: start + whole.length };
  }
  CONTROL.lastIndex = start;
  const [whole, key = ''] = CONTROL.exec(pattern) ?? [];
  return whole === undefined
    ? undefined
    : { kind: 'character', character: key.charCodeAt(0) ^ 0x40, end: start + whole.length };
}

function literalAt(pattern: string, start: number): Escape {
  const character = pattern.codePointAt(start + 1);
  if (character === undefined) return { kind: 'refused', reason: 'ends in a backslash' };
  const written = String.fromCodePoint(character);
  if (/[\da-z]/i.test(written)) return { kind: 'refused', reason: `has an escape that is not known, "\\${written}"` };
  return { kind: 'character', character, end: start + 1 + written.length };
}

function propertyAt(pattern: string, start: number): Escape {
  PROPERTY.lastIndex = start;
  const [whole = pattern.slice(start, start + 2), letter = 'p', prefix = '', braced, short = ''] =
    PROPERTY.exec(pattern) ?? [];
  const end = start + whole.length;
  const property = propertyNamed(prefix, braced ?? short);
  if (property === undefined) return { kind: 'refused', reason: `has a property that is not known, "${whole}"` };
  if (typeof property === 'string') return { kind: 'property', written: `\\${letter}{${property}}`, end };
  return { kind: 'set', set: letter === 'p' ? property : complementOf(property), end };
}

/** A POSIX class, a general category, or a script in any case, such as `IsLATIN`. */
function propertyNamed(prefix: string, name: string): CharacterSet | string | undefined {
  const posix = own(POSIX, name);
  if (prefix === '' && posix !== undefined) return posix;
  if (CATEGORY.test(name)) return name;
  if (name === '' || prefix.startsWith('g')) return undefined;
  const parts = name.split('_').map((part) => part.slice(0, 1).toUpperCase() + part.slice(1).toLowerCase());
  return parts.join('_');
}

const own = <T>(map: Readonly<Record<string, T>>, key: string): T | undefined =>
  Object.hasOwn(map, key) ? map[key] : undefined;
