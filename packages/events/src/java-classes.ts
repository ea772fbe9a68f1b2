import {
  classOf,
  complementOf,
  intersectionOf,
  withoutCase,
  type CharacterRange,
  type CharacterSet,
} from './character-sets.ts';
import { escapeAt } from './java-escapes.ts';
import { unionOf } from './number-ranges.ts';

/** A class of RE2 with the meaning of a class of a Java pattern, and the end of that class; or the reason of a refusal. */
export type ClassTranslation = { readonly written: string; readonly end: number } | { readonly refused: string };

/** Translates the class of a Java pattern that opens at `start`. With `ignoresCase` it matches both cases of its letters. */
export function classAt(pattern: string, start: number, ignoresCase: boolean): ClassTranslation {
  try {
    const reader = new ClassReader(pattern, start, ignoresCase);
    const { set, properties, negated } = reader.read(0);
    return { written: classOf(set, properties, negated), end: reader.end };
  } catch (error) {
    if (error instanceof Refusal) return { refused: error.message };
    throw error;
  }
}

class Refusal extends Error {}

/** The content of a class: characters, and properties such as `\p{L}`, which the reader can neither intersect nor negate. */
interface Members {
  readonly set: CharacterSet;
  readonly properties: readonly string[];
  /** Whether the class matches all other characters instead. */
  readonly negated: boolean;
}

const MAX_DEPTH = 8;
/** Of a class with others, at each of which all of the class is read again. */
const MAX_INTERSECTIONS = 8;

const COMBINED_PROPERTY =
  'combines a property such as "\\p{L}" with other classes: use two conditions, one with not where it excludes';

const TOO_MANY = `combines more than ${MAX_INTERSECTIONS} classes with "&&" in one: use more than one condition`;

class ClassReader {
  readonly #pattern: string;
  readonly #ignoresCase: boolean;
  end: number;

  constructor(pattern: string, start: number, ignoresCase: boolean) {
    this.#pattern = pattern;
    this.#ignoresCase = ignoresCase;
    this.end = start;
  }

  /** Reads the class that opens here as Java 9 and later do: `^` negates the whole class. */
  read(depth: number): Members {
    if (depth > MAX_DEPTH) throw new Refusal('nests classes too deep');
    this.end += 1;
    const negated = this.#takes('^');
    let whole = this.#union(depth, true);
    for (let intersections = 1; !this.#takes(']'); intersections += 1) {
      if (intersections > MAX_INTERSECTIONS) throw new Refusal(TOO_MANY);
      this.end += '&&'.length;
      whole = intersection(whole, this.#union(depth, false));
    }
    return { ...whole, negated };
  }

  #takes(text: string): boolean {
    if (!this.#pattern.startsWith(text, this.end)) return false;
    this.end += text.length;
    return true;
  }

  /** Reads members up to `&&` or the closing bracket. A closing bracket that comes first is a member. */
  #union(depth: number, isFirst: boolean): Members {
    const members: Members[] = [];
    while (!this.#isOver(isFirst && members.length === 0))
      members.push(this.#pattern[this.end] === '[' ? this.#nested(depth + 1) : this.#member());
    if (members.length === 0) throw new Refusal('has "&&" without a class on both sides');
    return {
      set: unionOf(members.flatMap(({ set }) => set)),
      properties: members.flatMap(({ properties }) => properties),
      negated: false,
    };
  }

  #isOver(mayClose: boolean): boolean {
    if (this.end >= this.#pattern.length) throw new Refusal('has a class without its closing bracket');
    if (this.#pattern.startsWith('&&&', this.end))
      throw new Refusal('has "&&&": write "&&", and "\\&" for the character');
    return (!mayClose && this.#pattern[this.end] === ']') || this.#pattern.startsWith('&&', this.end);
  }

  #nested(depth: number): Members {
    POSIX_BRACKETS.lastIndex = this.end;
    const [posix] = POSIX_BRACKETS.exec(this.#pattern) ?? [];
    if (posix !== undefined)
      throw new Refusal(`has "${posix}", which means its letters in Java's patterns: write "\\p{Alpha}" and the like`);
    const { set, properties, negated } = this.read(depth);
    if (!negated) return { set, properties, negated };
    if (properties.length > 0) throw new Refusal(COMBINED_PROPERTY);
    return { set: complementOf(set), properties, negated: false };
  }

  /** Reads one character, a range, an escape, or text between `\Q` and `\E`. */
  #member(): Members {
    if (this.#takes('\\Q')) return this.#quoted();
    const first = this.#characterOrSet();
    if (typeof first !== 'number') return first;
    const isRange = this.#pattern[this.end] === '-' && !['[', ']', undefined].includes(this.#pattern[this.end + 1]);
    if (!isRange) return this.#characters([[first, first]]);
    this.end += 1;
    const last = this.#characterOrSet();
    if (typeof last !== 'number' || last < first) throw new Refusal('has a class with a range that has no end');
    return this.#characters([[first, last]]);
  }

  #quoted(): Members {
    const close = this.#pattern.indexOf('\\E', this.end);
    if (close < 0) throw new Refusal('has a class without its closing bracket');
    const points = Array.from(this.#pattern.slice(this.end, close), (character) => character.codePointAt(0) ?? 0);
    this.end = close + '\\E'.length;
    return this.#characters(points.map((point) => [point, point]));
  }

  #characterOrSet(): number | Members {
    if (this.#pattern[this.end] !== '\\') {
      const character = this.#pattern.codePointAt(this.end) ?? 0;
      this.end += character > 0xffff ? 2 : 1;
      return character;
    }
    const escape = escapeAt(this.#pattern, this.end);
    if (escape.kind === 'refused') throw new Refusal(escape.reason);
    this.end = escape.end;
    if (escape.kind === 'character') return escape.character;
    if (escape.kind === 'set') return this.#characters(escape.set);
    return { set: [], properties: [escape.written], negated: false };
  }

  #characters(ranges: readonly CharacterRange[]): Members {
    return {
      set: this.#ignoresCase ? withoutCase(unionOf(ranges)) : ranges,
      properties: [],
      negated: false,
    };
  }
}

const POSIX_BRACKETS = /\[:\^?\w{1,20}:\]/y;

/** Neither class is negated. */
function intersection(one: Members, other: Members): Members {
  if (one.properties.length + other.properties.length > 0) throw new Refusal(COMBINED_PROPERTY);
  return { ...one, set: intersectionOf(one.set, other.set) };
}
