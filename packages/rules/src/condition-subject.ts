import { fieldAndPath, type ConditionSet, type PathReader } from '@tocsin/events';

/**
 * The values that conditions test, by field: text, lists, maps, numbers, booleans (part 1, 2.9), and values that are read by the path
 * after the name (P4). A missing field is empty.
 */
export type ConditionSubject = Readonly<Record<string, FieldValue | PathReader>>;
export type FieldValue = string | number | boolean | readonly string[] | Readonly<Record<string, string>> | undefined;
export type Condition = ConditionSet['conditions'][number];

/** The value that a condition tests: a field, the value of a key in a map, or the text at a path. */
export function valueOf(subject: ConditionSubject, { field, key }: Condition): FieldValue {
  const value = own(subject, field) ?? textAtPath(subject, field);
  if (typeof value === 'function') return value('');
  if (key === undefined || key === '' || !isMap(value)) return value;
  return own(value, key);
}

function textAtPath(subject: ConditionSubject, written: string): string | undefined {
  const [field, path] = fieldAndPath(written);
  const value = own(subject, field);
  return typeof value === 'function' ? value(path) : undefined;
}

const own = <T>(map: Readonly<Record<string, T>>, name: string): T | undefined =>
  Object.hasOwn(map, name) ? map[name] : undefined;

export const asText = (value: string | number | boolean | undefined): string =>
  value === undefined ? '' : String(value);
export const isList = (value: FieldValue): value is readonly string[] => Array.isArray(value);
export const isMap = (value: FieldValue): value is Readonly<Record<string, string>> =>
  typeof value === 'object' && !Array.isArray(value);
export const isText = (value: FieldValue): value is string | number | boolean | undefined => typeof value !== 'object';

type Several = Exclude<FieldValue, string | number | boolean | undefined>;

interface Texts {
  readonly texts: readonly string[];
  readonly size: number;
}

/** Cached, because thousands of conditions may test one map, and listing its values costs more than comparing them. */
const TEXTS = new WeakMap<Several, Texts>();

/** The items of a list, the values of a map. A list or a map must not be changed afterwards. */
export const textsOf = (value: Several): readonly string[] => known(value).texts;

/** The cost of testing a value: the UTF-16 units of a text; for a list or a map those of all texts, plus some for each item. */
export const sizeOf = (value: FieldValue): number => (isText(value) ? asText(value).length : known(value).size);

/** The cost of each item besides its text. */
const ITEM = 5;

function known(value: Several): Texts {
  const held = TEXTS.get(value);
  if (held !== undefined) return held;
  const texts = isList(value) ? value : Object.values(value);
  const made = { texts, size: texts.reduce((sum, text) => sum + text.length + ITEM, 0) };
  TEXTS.set(value, made);
  return made;
}
