import { fieldAndPath, MAX_TEXT_AT_PATH, type PathReader } from '@tocsin/events';

/** The most items of a list that become text. */
const MAX_ITEMS = 1_000;
/** Of a longer path nothing is read. */
const MAX_PATH = 2_000;

/**
 * The value at `path` in the JSON value `payload`, as text (P4). Dots separate names; it also finds a name that contains dots.
 * `[0]`, or `.0`, is the first item of a list, `["a.b"]` what has this name. A list is its items with commas. Empty for an absent value
 * and for a map. Never throws.
 */
export function textAt(payload: unknown, path: string): string {
  return textOf(valueAt(payload, path), scalar);
}

/** As `textAt`, but a map, and what is within a list, is JSON. The maps of one payload have a common bound for their JSON. */
export function pathReader(payload: unknown): PathReader {
  const json = new JsonTexts();
  const known = new Map<object, string>();
  return (path) => {
    const value = valueAt(payload, path);
    if (!isObject(value)) return textOf(value, scalar);
    const text =
      known.get(value) ?? (Array.isArray(value) ? textOf(value, (item) => json.ofItem(item)) : json.of(value));
    known.set(value, text);
    return text;
  };
}

/** The value at `path`, as `textAt` finds it; undefined where there is none. */
export function valueAt(payload: unknown, path: string): unknown {
  let value = payload;
  let rest = path.length > MAX_PATH ? undefined : path.trim();
  while (rest !== '') {
    if (rest === undefined || !isObject(value)) return undefined;
    const [name, after]: readonly [string, string] = Object.hasOwn(value, rest) ? [rest, ''] : firstName(rest);
    value = Object.hasOwn(value, name) ? value[name] : undefined;
    rest = after;
  }
  return value;
}

const BRACKETS = /^\[(?:(\d{1,6})|"([^"]{1,200})")\]\.?/;

/** The first name of a path, and the path after it. */
function firstName(path: string): readonly [name: string, after: string] {
  const [brackets, position, name] = BRACKETS.exec(path) ?? [];
  if (brackets !== undefined) return [position ?? name ?? '', path.slice(brackets.length)];
  const [plain, after] = fieldAndPath(path);
  // A bracket that opens no name.
  return plain === '' ? [path, ''] : [plain, after];
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

function textOf(value: unknown, textOfItem: (item: unknown) => string): string {
  if (!Array.isArray(value)) return scalar(value).slice(0, MAX_TEXT_AT_PATH);
  let text = '';
  for (const [index, item] of value.slice(0, MAX_ITEMS).entries()) {
    if (text.length > MAX_TEXT_AT_PATH) break;
    text += `${index === 0 ? '' : ', '}${textOfItem(item).slice(0, MAX_TEXT_AT_PATH)}`;
  }
  return text.slice(0, MAX_TEXT_AT_PATH);
}

const scalar = (value: unknown): string =>
  typeof value === 'string' ? value : typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';

/** Characters and names that all texts of one payload may come to, about 5 ms of one processor; deeper values are left out. */
const MAX_JSON = 10 * MAX_TEXT_AT_PATH;
const MAX_DEPTH = 64;

/** Maps as JSON, each cut to the length of a text. Beyond the bound of all of them a map is empty. */
class JsonTexts {
  #left = MAX_JSON;
  #text = '';

  of(value: object): string {
    this.#text = '';
    this.#write(value, 0);
    return this.#left < 0 ? '' : this.#text.slice(0, MAX_TEXT_AT_PATH);
  }

  ofItem(item: unknown): string {
    return isObject(item) ? this.of(item) : scalar(item);
  }

  get #isFull(): boolean {
    return this.#left < 0 || this.#text.length > MAX_TEXT_AT_PATH;
  }

  #write(value: unknown, depth: number): void {
    if (this.#isFull) return;
    if (typeof value === 'string') this.#add(JSON.stringify(value.slice(0, MAX_TEXT_AT_PATH)));
    else if (!isObject(value)) this.#add(value === null ? 'null' : scalar(value));
    else if (depth > MAX_DEPTH) this.#add('null');
    else if (Array.isArray(value)) this.#writeList(value, depth);
    else this.#writeMap(value, depth);
  }

  #writeList(items: readonly unknown[], depth: number): void {
    this.#add('[');
    for (const [index, item] of items.entries()) {
      if (this.#isFull) return;
      if (index > 0) this.#add(',');
      this.#write(item, depth + 1);
    }
    this.#add(']');
  }

  #writeMap(map: Readonly<Record<string, unknown>>, depth: number): void {
    const names = Object.keys(map);
    this.#left -= names.length;
    this.#add('{');
    for (const [index, name] of names.entries()) {
      if (this.#isFull) return;
      this.#add(`${index > 0 ? ',' : ''}${JSON.stringify(name.slice(0, MAX_TEXT_AT_PATH))}:`);
      this.#write(map[name], depth + 1);
    }
    this.#add('}');
  }

  #add(text: string): void {
    this.#text += text;
    this.#left -= text.length;
  }
}
