import {
  EXACT_FIELDS,
  FLAG_FIELDS,
  NAME_FIELDS,
  NULLABLE_FIELDS,
  NUMBER_FIELDS,
  WORD_FIELDS,
  type ExactField,
  type FlagField,
  type NameField,
  type NullableField,
  type NumberField,
  type WordField,
} from './query.ts';

/** A field of the grammar, and how its values are read. */
export type Field =
  | { readonly kind: 'exact'; readonly name: ExactField }
  | { readonly kind: 'number'; readonly name: NumberField }
  | { readonly kind: 'flag'; readonly name: FlagField }
  | { readonly kind: 'words'; readonly name: WordField }
  | { readonly kind: 'name'; readonly name: NameField }
  | { readonly kind: 'detail'; readonly key: string };

/** Other names of fields, in lower case (wire facts 4.2; P2). */
const ALSO: Readonly<Record<string, string>> = { tags: 'tag', recipients: 'responders' };

const KNOWN: readonly Exclude<Field, { readonly kind: 'detail' }>[] = [
  ...EXACT_FIELDS.map((name) => ({ kind: 'exact' as const, name })),
  ...NUMBER_FIELDS.map((name) => ({ kind: 'number' as const, name })),
  ...FLAG_FIELDS.map((name) => ({ kind: 'flag' as const, name })),
  ...WORD_FIELDS.map((name) => ({ kind: 'words' as const, name })),
  ...NAME_FIELDS.map((name) => ({ kind: 'name' as const, name })),
];

const FIELDS: ReadonlyMap<string, Field> = new Map(KNOWN.map((field) => [field.name.toLowerCase(), field]));

/** Every name by which a field can be written. */
const SPELLINGS: readonly string[] = [...KNOWN.map(({ name }) => name), ...Object.keys(ALSO)];

const DETAILS = 'details.';

/** The field that `written` names, in any letter case. After `details.` comes the key of a detail. */
export function fieldOf(written: string): Field | undefined {
  const lower = written.toLowerCase();
  const known = FIELDS.get(ALSO[lower] ?? lower);
  if (known !== undefined) return known;
  if (!lower.startsWith(DETAILS) || lower === DETAILS) return undefined;
  return { kind: 'detail', key: written.slice(DETAILS.length) };
}

export function isNullable(name: string): name is NullableField {
  return (NULLABLE_FIELDS as readonly string[]).includes(name);
}

/** The field name with the smallest edit distance to `written`. */
export function nearestField(written: string): string {
  const lower = written.toLowerCase();
  const distances = SPELLINGS.map((name) => ({ name, distance: distance(lower, name.toLowerCase()) }));
  return distances.reduce((nearest, each) => (each.distance < nearest.distance ? each : nearest)).name;
}

/** The Levenshtein distance of `a` and `b`. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let index = 0; index < a.length; index += 1) {
    const next = [index + 1];
    for (let column = 0; column < b.length; column += 1) {
      const changed = (row[column] ?? 0) + (a[index] === b[column] ? 0 : 1);
      next.push(Math.min(changed, (row[column + 1] ?? 0) + 1, (next[column] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
