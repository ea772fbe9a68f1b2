import type { ConditionSet } from '@tocsin/events';

/** The values that conditions test, by field: text, lists, maps, numbers, booleans (part 1, 2.9). A missing field is empty. */
export type ConditionSubject = Readonly<Record<string, FieldValue>>;
export type FieldValue = string | number | boolean | readonly string[] | Readonly<Record<string, string>> | undefined;
export type Condition = ConditionSet['conditions'][number];

/** The value that a condition tests: a field, or the value of a key in a map. */
export function valueOf(subject: ConditionSubject, { field, key }: Condition): FieldValue {
  const value = Object.hasOwn(subject, field) ? subject[field] : undefined;
  if (key === undefined || key === '' || !isMap(value)) return value;
  return Object.hasOwn(value, key) ? value[key] : undefined;
}

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
