/** The most items of a list, and about the most characters, that become text. */
const MAX_ITEMS = 1_000;
const MAX_TEXT = 50_000;

/**
 * The value at `path` in the JSON value `payload`, as text (P4). Dots separate names; it also finds a name that contains dots.
 * `[0]` after a name, or `.0`, is the first item of its list. A list of texts and numbers becomes its items with commas. Empty for
 * an absent value and for an object. Never throws.
 */
export function textAt(payload: unknown, path: string): string {
  const value = valueAt(payload, path);
  return Array.isArray(value) ? listed(value) : scalar(value);
}

/** The value at `path`, as `textAt` finds it; undefined where there is none. */
export function valueAt(payload: unknown, path: string): unknown {
  let value = payload;
  let rest = path.trim().replace(/\[(\d{1,6})\]/g, '.$1');
  while (rest !== '') {
    if (typeof value !== 'object' || value === null) return undefined;
    const dot = rest.indexOf('.');
    const name = dot < 0 || Object.hasOwn(value, rest) ? rest : rest.slice(0, dot);
    value = Object.hasOwn(value, name) ? (value as Readonly<Record<string, unknown>>)[name] : undefined;
    rest = rest.slice(name.length + 1);
  }
  return value;
}

function listed(items: readonly unknown[]): string {
  let text = '';
  for (const item of items.slice(0, MAX_ITEMS)) {
    if (text.length > MAX_TEXT) break;
    text += `${text === '' ? '' : ', '}${scalar(item)}`;
  }
  return text;
}

const scalar = (value: unknown): string =>
  typeof value === 'string' ? value : typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';
