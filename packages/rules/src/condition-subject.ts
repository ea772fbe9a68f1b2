import type { ConditionSet } from '@tocsin/contracts';

/** What conditions look at, by the field's name: text, lists, maps, numbers, booleans (part 1, 2.9). A field not held is empty. */
export type ConditionSubject = Readonly<Record<string, FieldValue>>;
export type FieldValue = string | number | boolean | readonly string[] | Readonly<Record<string, string>> | undefined;
export type Condition = ConditionSet['conditions'][number];

/** What a condition looks at: a field, or what a map has under the key. */
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
