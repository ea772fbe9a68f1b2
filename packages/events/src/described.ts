type JsonSchema = Record<string, unknown>;

/** Metadata of a zod schema, as the generator of the API description reads it. */
type Alternatives = Readonly<Record<'override', (described: { readonly jsonSchema: JsonSchema }) => void>>;

/** Keywords that do not restrict the accepted values. */
const ANNOTATIONS: ReadonlySet<string> = new Set([
  'title',
  'description',
  'default',
  'examples',
  'deprecated',
  'override',
]);

/**
 * Metadata of a zod schema that takes values of `others` as well. What is read before a schema is checked, such as an empty
 * string that means absent, does not show in the JSON Schema that is generated of it.
 */
export const alsoTaking = (...others: readonly JsonSchema[]): Alternatives => ({
  override: ({ jsonSchema }) => {
    const constraints = Object.entries(jsonSchema).filter(([key]) => !ANNOTATIONS.has(key));
    const isUnion = constraints.length === 1 && 'anyOf' in jsonSchema;
    const taken = isUnion ? (jsonSchema['anyOf'] as readonly JsonSchema[]) : [Object.fromEntries(constraints)];
    const missing = others.filter((other) => !taken.some((schema) => takesAll(schema, other)));
    if (missing.length === 0) return;
    for (const [key] of constraints) Reflect.deleteProperty(jsonSchema, key);
    jsonSchema['anyOf'] = [...taken, ...missing];
  },
});

/** Whether `schema` takes what `other` takes: it is the same, or takes strings of any form where `other` is the empty one. */
function takesAll(schema: JsonSchema, other: JsonSchema): boolean {
  if (JSON.stringify(schema) === JSON.stringify(other)) return true;
  const isAnyText =
    schema['type'] === 'string' && Object.keys(schema).every((key) => key === 'type' || key === 'maxLength');
  return other['const'] === '' && isAnyText;
}

/** The form of a name of a map (`mapOf`). */
export const USABLE_NAME = '^[^\\u0000]*$';

/** A field that is required and not blank. */
export const given = (field: string): JsonSchema => ({
  properties: { [field]: { type: 'string', minLength: 1 } },
  required: [field],
});

/** The type is one of these. */
export const ofType = (types: readonly string[]): JsonSchema => ({ properties: { type: { enum: types } } });
