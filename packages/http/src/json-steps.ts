import { MalformedError, type Steps } from '@tocsin/core';
import { checkJsonBounds, endOfString, type JsonBounds } from './json-bounds.ts';
import { wellFormedJson } from './well-formed-json.ts';
import { parsedAsWritten } from './written-numbers.ts';

/** A value of more characters is read part by part, a shorter one at once. */
const LONG_VALUE = 65_536;

/**
 * The value of a JSON text, as `JSON.parse` reads it, in steps of a few milliseconds for any text within `bounds`; undefined for a blank
 * text and for `null`. The strings of the value are well formed. With `writtenNumbers` a number that JavaScript would write otherwise, such
 * as 12345678901234567890 or 1.10, is a text, as it is written.
 *
 * @throws MalformedError where it is not JSON; InvalidError where it is over the bounds.
 */
export function* jsonInSteps(
  json: string,
  bounds: JsonBounds,
  { writtenNumbers = false }: { readonly writtenNumbers?: boolean } = {},
): Steps<unknown> {
  const whole = wellFormedJson(json);
  yield;
  checkJsonBounds(whole, bounds);
  yield;
  const reader = new Reader(whole, writtenNumbers ? parsedAsWritten : JSON.parse);
  if (reader.isOver()) return undefined;
  const value = yield* reader.value();
  if (!reader.isOver()) throw invalid();
  return value ?? undefined;
}

/**
 * The text at `name` of the object that the JSON text is, in steps; undefined where there is none, or no text. It reads nothing else of the
 * object, and never throws.
 */
export function* textOfMember(json: string, name: string): Steps<string | undefined> {
  const reader = new Reader(json);
  try {
    return yield* reader.textOfMember(name);
  } catch {
    return undefined;
  }
}

const SPACE = /[ \t\r\n]*/y;
/** A value without parts, in about the form that JSON has for it. */
const PLAIN = /[-+\w.]+/y;

const QUOTE = 0x22;
const LIST = 0x5b;
const END_OF_LIST = 0x5d;
const OBJECT = 0x7b;
const END_OF_OBJECT = 0x7d;

/** Finds the end of the value that begins at a place. */
class Walk {
  readonly #json: string;
  #at: number;
  #depth = 0;

  constructor(json: string, start: number) {
    this.#json = json;
    this.#at = start;
  }

  /** Where the value ends, once {@link goOn} has said that it does. */
  get end(): number {
    return this.#at;
  }

  /**
   * Reads so many characters more, and the whole of a string. Returns whether the value has ended.
   *
   * @throws MalformedError where it never ends.
   */
  goOn(characters: number): boolean {
    for (const limit = this.#at + characters; this.#at < limit;) {
      if (this.#at >= this.#json.length) throw invalid();
      this.#step();
      if (this.#depth === 0) return true;
    }
    return false;
  }

  #step(): void {
    const mark = this.#json.charCodeAt(this.#at);
    if (mark === QUOTE) this.#at = endOfString(this.#json, this.#at);
    else if (mark === LIST || mark === OBJECT) this.#depth += 1;
    else if (mark === END_OF_LIST || mark === END_OF_OBJECT) this.#depth -= 1;
    else if (this.#depth === 0) this.#at = this.#endOfPlain() - 1;
    this.#at += 1;
  }

  #endOfPlain(): number {
    PLAIN.lastIndex = this.#at;
    if (!PLAIN.test(this.#json)) throw invalid();
    return PLAIN.lastIndex;
  }
}

class Reader {
  readonly #json: string;
  readonly #parse: (json: string) => unknown;
  #at = 0;
  /** Where the read up to now had to be let go. */
  #pauseAt = LONG_VALUE;

  constructor(json: string, parse: (json: string) => unknown = JSON.parse) {
    this.#json = json;
    this.#parse = parse;
  }

  /** Whether nothing but white space follows. */
  isOver(): boolean {
    this.#skipSpace();
    return this.#at >= this.#json.length;
  }

  #skipSpace(): void {
    SPACE.lastIndex = this.#at;
    SPACE.test(this.#json);
    this.#at = SPACE.lastIndex;
  }

  /** The value that begins here. */
  *value(): Steps<unknown> {
    const [start, end] = [this.#at, this.#endOfValue()];
    if (end !== undefined) {
      this.#at = end;
      if (end >= this.#pauseAt) {
        this.#pauseAt = end + LONG_VALUE;
        yield;
      }
      return parsed(this.#json.slice(start, end), this.#parse);
    }
    yield;
    return this.#json[start] === '[' ? yield* this.#list() : yield* this.#object();
  }

  *textOfMember(name: string): Steps<string | undefined> {
    let found: unknown;
    this.#skipSpace();
    if (!this.#takes('{')) return undefined;
    for (let more = !this.#ends('}'); more; more = this.#goesOn('}')) {
      const key = this.#key();
      const start = this.#at;
      yield* this.#skipValue();
      if (key === name) found = this.#json[start] === '"' ? parsed(this.#json.slice(start, this.#at)) : undefined;
    }
    return typeof found === 'string' ? found : undefined;
  }

  *#list(): Steps<unknown[]> {
    const items: unknown[] = [];
    this.#take('[');
    for (let more = !this.#ends(']'); more; more = this.#goesOn(']')) items.push(yield* this.value());
    return items;
  }

  *#object(): Steps<unknown> {
    const entries: [string, unknown][] = [];
    this.#take('{');
    for (let more = !this.#ends('}'); more; more = this.#goesOn('}')) entries.push([this.#key(), yield* this.value()]);
    return Object.fromEntries(entries);
  }

  /** Whether the list or object ends before its first member, which is next otherwise. */
  #ends(bracket: string): boolean {
    this.#skipSpace();
    return this.#takes(bracket);
  }

  /** Whether a further member follows, which is next then. */
  #goesOn(bracket: string): boolean {
    this.#skipSpace();
    const goesOn = this.#takes(',');
    if (!goesOn) this.#take(bracket);
    this.#skipSpace();
    return goesOn;
  }

  #key(): string {
    const [start, end] = [this.#at, endOfString(this.#json, this.#at) + 1];
    const key = this.#json[start] === '"' ? parsed(this.#json.slice(start, end)) : undefined;
    if (typeof key !== 'string') throw invalid();
    this.#at = end;
    this.#skipSpace();
    this.#take(':');
    this.#skipSpace();
    return key;
  }

  *#skipValue(): Steps<void> {
    const walk = new Walk(this.#json, this.#at);
    while (!walk.goOn(LONG_VALUE)) yield;
    this.#at = walk.end;
  }

  /** The end of the value that begins here; undefined where it has parts and is longer than a value that is read at once. */
  #endOfValue(): number | undefined {
    const walk = new Walk(this.#json, this.#at);
    return walk.goOn(LONG_VALUE) ? walk.end : undefined;
  }

  #takes(mark: string): boolean {
    const isHere = this.#json[this.#at] === mark;
    if (isHere) this.#at += 1;
    return isHere;
  }

  #take(mark: string): void {
    if (!this.#takes(mark)) throw invalid();
  }
}

function parsed(json: string, parse: (json: string) => unknown = JSON.parse): unknown {
  try {
    return parse(json);
  } catch (error) {
    throw invalid(error);
  }
}

const invalid = (cause?: unknown): MalformedError =>
  new MalformedError('Request body is not valid JSON.', cause === undefined ? {} : { cause });
