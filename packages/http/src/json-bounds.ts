import { InvalidError } from '@tocsin/errors';

/** How deep objects and lists of a body may be nested; the outermost is 1. */
const MAX_DEPTH = 64;
/** How many keys and list items a body may have together. A realistic configuration of 1 MiB has far fewer. */
const MAX_VALUES = 50_000;

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
 * @throws InvalidError deeper than 64 levels, or over 50 000 keys and list items together (E2)
 */
export function checkJsonBounds(json: string): void {
  let depth = 0;
  // Each value follows a comma, or is the first of its object or list.
  let values = 0;
  for (let at = 0; at < json.length; at += 1) {
    switch (json.charCodeAt(at)) {
      case QUOTE:
        at = endOfString(json, at);
        break;
      case LIST:
      case OBJECT:
        depth += 1;
        values += 1;
        if (depth > MAX_DEPTH) throw InvalidError.ofFields({ body: `should be at most ${MAX_DEPTH} levels deep` });
        break;
      case END_OF_LIST:
      case END_OF_OBJECT:
        depth -= 1;
        break;
      case COMMA:
        values += 1;
        break;
    }
    if (values > MAX_VALUES)
      throw InvalidError.ofFields({ body: `should have at most ${MAX_VALUES} keys and list items` });
  }
}

/** The index of the quote that ends the string at `start`; the length of `json` where there is none. */
function endOfString(json: string, start: number): number {
  for (let end = json.indexOf('"', start + 1); end >= 0; end = json.indexOf('"', end + 1)) {
    let slash = end - 1;
    while (json.charCodeAt(slash) === BACKSLASH) slash -= 1;
    if ((end - slash) % 2 === 1) return end;
  }
  return json.length;
}
