/** The fields of conditions by their kinds, and the operations of each kind. */
export interface ConditionKinds {
  readonly fields: Readonly<Record<string, string>>;
  readonly operations: Readonly<Record<'text' | 'list' | 'map' | 'property', readonly string[]>>;
  /** Whether a field of another name is taken, as a property is. */
  readonly takesOthers: boolean;
}

type JsonSchema = Readonly<Record<string, unknown>>;

const BLANK = { enum: ['', null] };
const NUMERIC = ['greater-than', 'less-than'];
const PATTERN = 'matches';

/** Which operation goes with which field, as JSON Schema (part 1, 2.9). */
export function operationsOfFields({ fields, operations, takesOthers }: ConditionKinds): {
  readonly anyOf: readonly JsonSchema[];
} {
  const ofKind = (kind: string) => ({ enum: Object.keys(fields).filter((field) => fields[field] === kind) });
  const withKey = { key: { type: 'string', minLength: 1 } };
  const properties = comparisons(operations.property);
  const other = takesOthers ? { not: { enum: Object.keys(fields) } } : { pattern: '^extra_properties_key_prefix-.' };
  return {
    anyOf: [
      { properties: { field: ofKind('text') }, ...comparisons(operations.text) },
      { properties: { field: ofKind('list'), operation: { enum: operations.list } } },
      { properties: { field: ofKind('map'), key: BLANK, operation: { enum: operations.map } } },
      { properties: { field: ofKind('map'), ...withKey }, required: ['key'], ...properties },
      { properties: { field: other }, ...properties },
    ],
  };
}

/** Patterns are regular expressions, and bounds are numbers. */
function comparisons(operations: readonly string[]): JsonSchema {
  const plain = operations.filter((operation) => operation !== PATTERN && !NUMERIC.includes(operation));
  return {
    anyOf: [
      { properties: { operation: { enum: plain } } },
      { properties: { operation: { const: PATTERN }, expectedValue: { format: 'regex' } } },
      ...(operations.some((operation) => NUMERIC.includes(operation)) ? [BOUND] : []),
    ],
  };
}
const BOUND = {
  properties: { operation: { enum: NUMERIC }, expectedValue: { type: 'string', pattern: '^-?[0-9]+(\\.[0-9]+)?$' } },
  required: ['expectedValue'],
};

const saysNothing = (field: string) => ({ properties: { [field]: BLANK } });
const saysOneOf = (field: string, types: readonly string[]) => ({
  properties: { [field]: { enum: types } },
  required: [field],
});

/** Which types need conditions, and that conditions need a type, as JSON Schema (P2, E12). */
export function conditionsOfTypes(types: readonly string[]): { readonly anyOf: readonly JsonSchema[] } {
  const named = (wanted: readonly string[]) => ({
    anyOf: [saysOneOf('type', wanted), { allOf: [saysNothing('type'), saysOneOf('conditionMatchType', wanted)] }],
  });
  const some = { properties: { conditions: { type: 'array', minItems: 1 } }, required: ['conditions'] };
  const none = { properties: { conditions: { type: ['array', 'null'], maxItems: 0 } } };
  return {
    anyOf: [
      named(['match-all']),
      { allOf: [named(types.filter((type) => type !== 'match-all')), some] },
      { allOf: [saysNothing('type'), saysNothing('conditionMatchType'), none] },
    ],
  };
}
