import { InvalidError } from '@tocsin/core';

/** How deep objects and lists of a body may be nested; the outermost is 1. */
const MAX_DEPTH = 64;

/** Bounds of a JSON text, checked before it is parsed, because the readers take time for each value. */
export interface JsonBounds {
  /** Keys of one object, or items of one list. */
  readonly items: number;
  /** Keys and list items of the whole text. */
  readonly values: number;
  /** Characters of one string as it is written, about; by default as many as the text has. */
  readonly text?: number;
}

/** For the request of a caller (E2). Lists and maps of the API take at most 1000 items (E14). */
export const REQUEST_BOUNDS: JsonBounds = { items: 2_000, values: 10_000 };
/** For the request of a tool, which may have a thousand alerts in it (Q1). */
export const HOOK_BOUNDS: JsonBounds = { items: 10_000, values: 100_000, text: 1_000_000 };
/** For the request of another service. */
export const INTERNAL_BOUNDS: JsonBounds = { items: 50_000, values: 50_000 };

const QUOTE = 0x22;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;
const LIST = 0x5b;
const END_OF_LIST = 0x5d;
const OBJECT = 0x7b;
const END_OF_OBJECT = 0x7d;

/**
 * Refuses JSON that would take much memory or time to parse. Reads the text once, up to the first broken limit. Leaves it to the
 * parser to check that it is valid.
 *
 * @throws InvalidError deeper than 64 levels, or over the bounds (E2)
 */
export function checkJsonBounds(json: string, bounds: JsonBounds): void {
  const count = new Count(bounds);
  for (let at = 0; at < json.length; at += 1) {
    switch (json.charCodeAt(at)) {
      case QUOTE:
        at = count.text(at, endOfString(json, at, bounds.text));
        break;
      case LIST:
      case OBJECT:
        count.open();
        break;
      case END_OF_LIST:
      case END_OF_OBJECT:
        count.close();
        break;
      case COMMA:
        count.next();
        break;
    }
  }
}

/** Counts values. Each follows a comma, or is the first of its object or list. */
class Count {
  readonly #bounds: JsonBounds;
  /** The number of values of each open object and list, by depth. */
  readonly #items = new Uint32Array(MAX_DEPTH + 1);
  #depth = 0;
  #values = 0;

  constructor(bounds: JsonBounds) {
    this.#bounds = bounds;
  }

  /** Returns the end. */
  text(start: number, end: number): number {
    const { text = Infinity } = this.#bounds;
    if (end - start > text) throw refusal(`should have no text of more than ${text} characters`);
    return end;
  }

  open(): void {
    this.#depth += 1;
    if (this.#depth > MAX_DEPTH) throw refusal(`should be at most ${MAX_DEPTH} levels deep`);
    this.#items[this.#depth] = 0;
    this.next();
  }

  close(): void {
    this.#depth -= 1;
  }

  next(): void {
    const { items, values } = this.#bounds;
    this.#values += 1;
    if (this.#values > values) throw refusal(`should have at most ${values} keys and list items`);
    const here = (this.#items[this.#depth] ?? 0) + 1;
    // The parser refuses a text with more closing than opening brackets.
    if (this.#depth >= 0) this.#items[this.#depth] = here;
    if (here > items) throw refusal(`should have no object or list of more than ${items} items`);
  }
}

const refusal = (problem: string): InvalidError => InvalidError.ofFields({ body: problem });

/**
 * The index of the quote that ends the string at `start`; the length of `json` where there is none. It may be an earlier quote where that is
 * already further than `limit` from the start.
 */
export function endOfString(json: string, start: number, limit = Infinity): number {
  for (let end = json.indexOf('"', start + 1); end >= 0; end = json.indexOf('"', end + 1)) {
    if (end - start > limit) return end;
    let slash = end - 1;
    while (json.charCodeAt(slash) === BACKSLASH) slash -= 1;
    if ((end - slash) % 2 === 1) return end;
  }
  return json.length;
}
