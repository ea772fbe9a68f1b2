import {
  type ConditionSet,
  DEFAULT_LIMIT,
  fieldAndPath,
  flexibleBoolean,
  listOf,
  MATCH_ALL,
  measuredFirst,
  optional,
  optionalReference,
  text,
  wholeNumber,
} from '@tocsin/events';
import { z } from 'zod';
import { conditionsOfTypes, operationsOfFields } from './condition-schemas.ts';
import { refuseWork, workOfSet } from './pattern-steps.ts';

type Condition = ConditionSet['conditions'][number];
type Operation = Condition['operation'];

/** A condition as its caller spelled it, defaults filled in. */
export interface WrittenCondition {
  readonly field: string;
  readonly key?: string;
  readonly not?: boolean;
  readonly isNot?: boolean;
  readonly operation: string;
  readonly expectedValue: string;
  readonly order?: number;
}

/** A condition set as its caller spelled it: what a GET answers (P2, E10). */
export interface WrittenConditionSet {
  readonly type?: string;
  readonly conditionMatchType?: string;
  readonly conditions?: readonly WrittenCondition[];
}

/** One condition set twice: `set` to evaluate it, `written` to answer a GET. */
export interface Criteria {
  readonly set: ConditionSet;
  readonly written: WrittenConditionSet;
}

/** Holds for everything; what a rule without criteria has. */
export const MATCH_ALL_CRITERIA: Criteria = { set: MATCH_ALL, written: { type: 'match-all' } };

/** Names are compared without case, space, `-` and `_` (P2). */
const bare = (name: string): string => name.toLowerCase().replaceAll(/[\s_-]+/g, '');
const byBareName = <const N extends string>(names: readonly N[]): ReadonlyMap<string, N> =>
  new Map(names.map((name) => [bare(name), name]));
const oneOfThese = (names: readonly string[]): string => `should be one of [ ${names.join(', ')} ]`;

/** How the conditions of a set are taken together. */
export const CONDITION_SET_TYPES = ['match-all', 'match-any-condition', 'match-all-conditions'] as const;
const TYPE_BY_NAME = byBareName(CONDITION_SET_TYPES);

const ON_TEXT = [
  'matches',
  'contains',
  'starts-with',
  'ends-with',
  'equals',
  'is-empty',
  'equals-ignore-whitespace',
] as const satisfies readonly Operation[];

/** Which operations each kind of field takes (part 1, 2.9). A property is one value of a map, text or number (P3). */
export const CONDITION_OPERATIONS = {
  text: ON_TEXT,
  list: ['contains', 'is-empty'],
  map: ['contains', 'contains-key', 'contains-value', 'is-empty'],
  property: [...ON_TEXT, 'greater-than', 'less-than'],
} as const satisfies Record<string, readonly Operation[]>;
type FieldKind = keyof typeof CONDITION_OPERATIONS;
const OPERATION_BY_NAME = byBareName(Object.values(CONDITION_OPERATIONS).flat());

/** The fields of an alert that conditions know (part 1, 2.9; P2). */
export const CONDITION_FIELDS = {
  message: 'text',
  alias: 'text',
  description: 'text',
  source: 'text',
  entity: 'text',
  tags: 'list',
  actions: 'list',
  details: 'map',
  'extra-properties': 'map',
  recipients: 'list',
  teams: 'list',
  responders: 'list',
  priority: 'text',
  eventType: 'text',
} as const satisfies Record<string, FieldKind>;

/** The fields of a mail that filters of integrations know besides (part 1, 2.9). */
export const MAIL_CONDITION_FIELDS = {
  'from-address': 'text',
  'from-name': 'text',
  subject: 'text',
  'conversation-subject': 'text',
  messages: 'text',
} as const satisfies Record<string, FieldKind>;

type Fields = Readonly<Record<string, FieldKind>>;

/** The fields that conditions know, and whether they take any other name too: that of a field of the request of a tool. */
interface KnownFields {
  readonly fields: Fields;
  readonly takesOthers: boolean;
}
const OF_ALERTS: KnownFields = { fields: CONDITION_FIELDS, takesOthers: false };
const OF_INTEGRATIONS: KnownFields = { fields: { ...CONDITION_FIELDS, ...MAIL_CONDITION_FIELDS }, takesOthers: false };

/** The other way to name a property: the key is kept as written. */
const PREFIXED_KEY = /^\s*extra[\s_-]*properties[\s_-]*key[\s_-]*prefix-(.+)$/is;

const writtenConditionBody = ({ fields, takesOthers }: KnownFields) =>
  z
    .object(
      {
        field: text().meta({
          anyOf: [{ enum: Object.keys(fields) }, { pattern: takesOthers ? '\\S' : '^extra_properties_key_prefix-.' }],
        }),
        key: optionalReference(),
        not: optional(flexibleBoolean),
        isNot: optional(flexibleBoolean),
        operation: text().meta({ enum: [...OPERATION_BY_NAME.values()] }),
        expectedValue: optional(text()),
        order: optional(wholeNumber({ min: 0, refusal: 'should be a whole number', tooSmall: 'should be at least 0' })),
      },
      'should be an object with field and operation',
    )
    .meta(operationsOfFields({ fields, operations: CONDITION_OPERATIONS, takesOthers }));

interface Spelled {
  readonly condition: Condition;
  readonly written: WrittenCondition;
}

const unknownField = (fields: Fields): string =>
  oneOfThese([...Object.keys(fields), 'extra_properties_key_prefix-<key>']);

function conditionBody(known: KnownFields): z.ZodType<Spelled> {
  const { fields, takesOthers } = known;
  const names = byBareName(Object.keys(fields));
  return writtenConditionBody(known).transform((body, context): Spelled => {
    const refused = (field: string, message: string) => {
      context.addIssue({ code: 'custom', path: [field], message });
      return z.NEVER;
    };
    const place = placeOf(body.field, body.key, (name) => {
      const field = names.get(bare(name));
      if (field !== undefined) return { field, kind: fields[field] ?? 'text' };
      const other = name.trim();
      return takesOthers && other !== '' ? { field: other, kind: 'property' } : undefined;
    });
    if (place === undefined) return refused('field', unknownField(fields));
    const allowed: readonly Operation[] = CONDITION_OPERATIONS[place.kind];
    const operation = OPERATION_BY_NAME.get(bare(body.operation));
    if (operation === undefined || !allowed.includes(operation))
      return refused('operation', `of a ${place.kind} field ${oneOfThese(allowed)}`);
    if (NUMERIC.has(operation) && !isNumber(body.expectedValue)) return refused('expectedValue', 'should be a number');
    return spelledTwice(body, place.path, operation);
  });
}

const NUMERIC: ReadonlySet<Operation> = new Set(['greater-than', 'less-than']);
const isNumber = (text = ''): boolean => text.trim() !== '' && Number.isFinite(Number(text));

function spelledTwice(
  body: z.infer<ReturnType<typeof writtenConditionBody>>,
  path: Place['path'],
  operation: Operation,
): Spelled {
  const { field, key, not = body.isNot ?? false, expectedValue = '' } = body;
  const position = body.order === undefined ? {} : { order: body.order };
  const negation = body.not === undefined && body.isNot !== undefined ? { isNot: not } : { not };
  const under = key === undefined ? {} : { key };
  return {
    condition: { ...path, not, operation, expectedValue, ...position },
    written: { field, ...under, ...negation, operation: body.operation, expectedValue, ...position },
  };
}

interface Place {
  readonly path: Pick<Condition, 'field' | 'key'>;
  readonly kind: FieldKind;
}

type FieldLookUp = (name: string) => { readonly field: string; readonly kind: FieldKind } | undefined;

function placeOf(name: string, key: string | undefined, lookUp: FieldLookUp): Place | undefined {
  const prefixed = PREFIXED_KEY.exec(name)?.[1];
  if (prefixed !== undefined) return { path: { field: 'extra-properties', key: prefixed }, kind: 'property' };
  const found = lookUp(name);
  if (found === undefined) return undefined;
  const { field, kind } = found;
  return kind === 'map' && key !== undefined ? { path: { field, key }, kind: 'property' } : { path: { field }, kind };
}

const TYPE_ENUM = { enum: [...CONDITION_SET_TYPES, '', null] };

const setBody = (known: KnownFields) =>
  z
    .object(
      {
        type: optionalReference().meta(TYPE_ENUM),
        conditionMatchType: optionalReference().meta(TYPE_ENUM),
        conditions: optional(measuredFirst(listOf(conditionBody(known)), DEFAULT_LIMIT)),
      },
      'should be an object with type and conditions',
    )
    .meta(conditionsOfTypes(CONDITION_SET_TYPES));

/** As `CriteriaBody`. Its patterns are left to the body that it is in, which has more of them. */
export const UnboundedCriteriaBody: z.ZodType<Criteria> = setBody(OF_ALERTS).transform(criteriaOf);

/**
 * A condition set in either spelling (P2). Without a type and conditions it holds for everything (E12); `match-all` needs no
 * conditions and keeps none, the other types need at least one and take at most 1000 (E14).
 *
 * Refused: a field that conditions do not know, an operation that the field's kind does not take (part 1, 2.9), a pattern
 * that does not compile or takes too long together with the others (P3), a comparison with what is not a number.
 */
export const CriteriaBody: z.ZodType<Criteria> = UnboundedCriteriaBody.superRefine(({ set }, context) => {
  refuseWork(workOfSet(set, []), context);
});

/**
 * As `CriteriaBody`, for filters of integrations: these know the fields of a mail as well (part 1, 2.9). Their patterns are
 * left to the body that they are in, which has more of them.
 */
export const FilterBody: z.ZodType<Criteria> = setBody(OF_INTEGRATIONS).transform(criteriaOf);

/**
 * As `FilterBody`, for filters of actions: these take any other name as well, as that of a field of the request of a tool (P2). Which
 * integrations know such fields is left to the one that has it.
 */
export const ActionFilterBody: z.ZodType<Criteria> = setBody({ ...OF_INTEGRATIONS, takesOthers: true }).transform(
  criteriaOf,
);

/**
 * The first condition of a filter of an action that only the requests of tools have a field for: neither a field of alerts or mails, nor
 * `_payload`; and why other integrations refuse it.
 */
export function conditionForTools({
  conditions,
}: ConditionSet): { readonly index: number; readonly refusal: string } | undefined {
  const { fields } = OF_INTEGRATIONS;
  const index = conditions.findIndex(
    ({ field }) => !Object.hasOwn(fields, field) && fieldAndPath(field)[0] !== '_payload',
  );
  return index < 0 ? undefined : { index, refusal: unknownField({ ...fields, _payload: 'map' }) };
}

function criteriaOf(body: z.infer<ReturnType<typeof setBody>>, context: z.RefinementCtx): Criteria {
  const named = body.type === undefined && body.conditionMatchType !== undefined ? 'conditionMatchType' : 'type';
  const spelling = body[named];
  const spelled = body.conditions ?? [];
  if (spelling === undefined && spelled.length === 0) return MATCH_ALL_CRITERIA;
  const type = TYPE_BY_NAME.get(bare(spelling ?? ''));
  if (type === undefined) {
    context.addIssue({ code: 'custom', path: [named], message: oneOfThese(CONDITION_SET_TYPES) });
    return z.NEVER;
  }
  if (type === 'match-all') return { set: MATCH_ALL, written: { [named]: spelling } };
  if (spelled.length === 0) {
    context.addIssue({ code: 'custom', path: ['conditions'], message: 'Conditions can not be empty.' });
    return z.NEVER;
  }
  return {
    set: { type, conditions: spelled.map(({ condition }) => condition) },
    written: { [named]: spelling, conditions: spelled.map(({ written }) => written) },
  };
}
