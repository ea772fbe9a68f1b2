import type { Answer } from '../api/answer.ts';

/** A condition set in the spelling in which it was written, as the API answers it. */
export type Conditions = Answer<'get-routing-rule'>['data']['criteria'];
export type Condition = NonNullable<Conditions['conditions']>[number];

type FieldKind = 'text' | 'list' | 'map';

/** The fields of an alert that conditions know, with their names on the page. */
const ALERT_FIELDS = {
  message: ['text', 'Message'],
  alias: ['text', 'Alias'],
  description: ['text', 'Description'],
  source: ['text', 'Source'],
  entity: ['text', 'Entity'],
  tags: ['list', 'Tags'],
  priority: ['text', 'Priority'],
  details: ['map', 'Details'],
  'extra-properties': ['map', 'Extra properties'],
  actions: ['list', 'Actions'],
  responders: ['list', 'Responders'],
  teams: ['list', 'Teams'],
  recipients: ['list', 'Recipients'],
  eventType: ['text', 'Event type'],
} as const satisfies Record<string, readonly [FieldKind, string]>;

/** The fields of a mail that the filters of an integration know besides. */
const MAIL_FIELDS = {
  'from-address': ['text', 'Address of the sender'],
  'from-name': ['text', 'Name of the sender'],
  subject: ['text', 'Subject'],
  'conversation-subject': ['text', 'Subject of the conversation'],
  messages: ['text', 'Messages'],
} as const satisfies Record<string, readonly [FieldKind, string]>;

/** All fields, by the names that the API has for them. */
export const FIELDS: Readonly<Record<string, readonly [FieldKind, string]>> = { ...ALERT_FIELDS, ...MAIL_FIELDS };

const ON_TEXT = [
  'contains',
  'equals',
  'starts-with',
  'ends-with',
  'matches',
  'equals-ignore-whitespace',
  'is-empty',
] as const;

/** Which operations each kind of field takes. A map with a key is one value of it, text or number. */
export const OPERATIONS = {
  text: ON_TEXT,
  list: ['contains', 'is-empty'],
  map: ['contains-key', 'contains-value', 'contains', 'is-empty'],
  property: [...ON_TEXT, 'greater-than', 'less-than'],
} as const;

/** What an operation says of one thing, and of several; each with its negation. */
type Words = readonly [one: string, notOne: string, several?: string, notSeveral?: string];

const WORDS: Readonly<Record<string, Words>> = {
  contains: ['contains', 'does not contain', 'contain', 'do not contain'],
  equals: ['is', 'is not'],
  'starts-with': ['starts with', 'does not start with'],
  'ends-with': ['ends with', 'does not end with'],
  matches: ['matches the pattern', 'does not match the pattern'],
  'equals-ignore-whitespace': ['is, apart from spaces,', 'is not, apart from spaces,'],
  'is-empty': ['is empty', 'is not empty', 'are empty', 'are not empty'],
  'contains-key': ['has the key', 'does not have the key', 'have the key', 'do not have the key'],
  'contains-value': ['has the value', 'does not have the value', 'have the value', 'do not have the value'],
  'greater-than': ['is greater than', 'is not greater than'],
  'less-than': ['is less than', 'is not less than'],
};

/** Something that a field of the form offers. */
export interface Option {
  readonly value: string;
  readonly name: string;
}

const optionsOf = (fields: Readonly<Record<string, readonly [FieldKind, string]>>): readonly Option[] =>
  Object.entries(fields).map(([value, [, name]]) => ({ value, name }));

/** The fields that a condition can be on: of an alert, or also of a mail that becomes one. */
export const fieldOptions = (of: 'alert' | 'mail'): readonly Option[] =>
  optionsOf(of === 'mail' ? FIELDS : ALERT_FIELDS);

/** Names are compared without case, space, `-` and `_` (P2). */
const bare = (name: string): string => name.toLowerCase().replaceAll(/[\s_-]+/g, '');
const named = (names: readonly string[], name: string): string | undefined =>
  names.find((each) => bare(each) === bare(name));

const PREFIXED_KEY = /^\s*extra[\s_-]*properties[\s_-]*key[\s_-]*prefix-(.+)$/is;

/** A condition in one spelling, as the form has it. */
export interface ConditionForm {
  readonly field: string;
  readonly key: string;
  readonly not: boolean;
  readonly operation: string;
  readonly expectedValue: string;
}

/** A condition in the spelling of the form. A field or an operation that the form does not know stays as it is. */
export function formOf({
  expectedValue,
  field,
  isNot,
  key = '',
  not = isNot ?? false,
  operation,
}: Condition): ConditionForm {
  const prefixed = PREFIXED_KEY.exec(field)?.[1];
  return {
    field: prefixed === undefined ? (named(Object.keys(FIELDS), field) ?? field) : 'extra-properties',
    key: prefixed ?? key,
    not,
    operation: named(Object.keys(WORDS), operation) ?? operation,
    expectedValue,
  };
}

export const isMap = (field: string): boolean => FIELDS[field]?.[0] === 'map';
export const hasValue = (operation: string): boolean => operation !== 'is-empty';

function operationsOn({ field, key }: ConditionForm): readonly string[] {
  const kind = FIELDS[field]?.[0] ?? 'text';
  return OPERATIONS[kind === 'map' && key.trim() !== '' ? 'property' : kind];
}

const isPlural = ({ field, key }: ConditionForm): boolean =>
  FIELDS[field] !== undefined && FIELDS[field][0] !== 'text' && !(isMap(field) && key.trim() !== '');

function verbOf(form: ConditionForm, operation = form.operation, not = form.not): string {
  const words = WORDS[operation];
  if (words === undefined) return `${not ? 'not ' : ''}${operation}`;
  const [one, notOne, several = one, notSeveral = notOne] = words;
  if (isPlural(form)) return not ? notSeveral : several;
  return not ? notOne : one;
}

const NOT = 'not ';
const verbValue = (operation: string, not: boolean): string => `${not ? NOT : ''}${operation}`;

/** The operations of a condition with their negations; `value` is for {@link withVerb}. An operation of another kind of field is one of them. */
export function verbOptions(form: ConditionForm): readonly Option[] {
  const operations = operationsOn(form);
  const all = operations.includes(form.operation) ? operations : [...operations, form.operation];
  return all.flatMap((operation) =>
    [false, true].map((not) => ({ value: verbValue(operation, not), name: verbOf(form, operation, not) })),
  );
}

export const verbOfForm = ({ not, operation }: ConditionForm): string => verbValue(operation, not);

export const withVerb = (form: ConditionForm, value: string): ConditionForm => ({
  ...form,
  not: value.startsWith(NOT),
  operation: value.startsWith(NOT) ? value.slice(NOT.length) : value,
});

/** The form with another field or key. An operation that it does not take becomes the first one that it takes. */
export function withPlace(form: ConditionForm, place: Partial<Pick<ConditionForm, 'field' | 'key'>>): ConditionForm {
  const moved = { ...form, ...place };
  const next = isMap(moved.field) ? moved : { ...moved, key: '' };
  const [first = form.operation, ...others] = operationsOn(next);
  return [first, ...others].includes(next.operation) ? next : { ...next, operation: first };
}

/** The condition that a form means; `was` is what it was before, whose place in the order it keeps. */
export function conditionOf(form: ConditionForm, was?: Condition): Condition {
  const { expectedValue, field, key, not, operation } = form;
  return {
    field,
    ...(isMap(field) && key.trim() !== '' && { key }),
    not,
    operation,
    expectedValue: hasValue(operation) ? expectedValue : '',
    ...(was?.order !== undefined && { order: was.order }),
  };
}

export const NEW_CONDITION: Condition = { field: 'message', not: false, operation: 'contains', expectedValue: '' };

/** How the conditions of a set are taken together. */
export const MATCH_TYPES = ['match-all', 'match-all-conditions', 'match-any-condition'] as const;
export type MatchType = (typeof MATCH_TYPES)[number];

/** That of a set; undefined where the page does not know its spelling. Nothing written holds for everything. */
export function matchTypeOf({ conditionMatchType, type = conditionMatchType }: Conditions): MatchType | undefined {
  return type === undefined || type === '' ? 'match-all' : MATCH_TYPES.find((each) => bare(each) === bare(type));
}

/** The set with another type. Its conditions stay, for the person may choose the type before again. */
export function withMatchType({ conditions }: Conditions, type: MatchType): Conditions {
  const needsOne = type !== 'match-all' && (conditions ?? []).length === 0;
  return { type, ...(needsOne ? { conditions: [NEW_CONDITION] } : conditions && { conditions }) };
}

/** The set as it is sent: one that holds for everything has no conditions. */
export const sentConditions = (set: Conditions): Conditions => {
  if (matchTypeOf(set) !== 'match-all') return set;
  const { conditions: _kept, ...rest } = set;
  return rest;
};

/** A condition in words, such as `tags do not contain “backup”`. */
export function conditionText(condition: Condition): string {
  const form = formOf(condition);
  const name = FIELDS[form.field]?.[1].toLowerCase() ?? form.field;
  const place = isMap(form.field) && form.key !== '' ? `“${form.key}” of the ${name}` : name;
  const verb = `${place} ${verbOf(form)}`;
  return hasValue(form.operation) ? `${verb} “${form.expectedValue}”` : verb;
}

const JOINED = { 'match-all-conditions': ' and ', 'match-any-condition': ' or ' } as const;

/** What a set holds for, in words after “for”: `every alert`, or `alerts whose …`. */
export function conditionsText(set: Conditions = {}, of = 'alert'): string {
  const type = matchTypeOf(set);
  if (type === 'match-all') return `every ${of}`;
  if (type === undefined) return `${of}s of the conditions “${spelledType(set)}”`;
  const texts = (set.conditions ?? []).map(conditionText);
  return `${of}s whose ${texts.join(JOINED[type])}`;
}

/** The type of a set as it was written. */
export const spelledType = ({ conditionMatchType = '', type = conditionMatchType }: Conditions): string => type;

/** What is wrong with a condition, at its field. */
export type ConditionFaults = Readonly<Partial<Record<'field' | 'key' | 'operation' | 'expectedValue', string>>>;

/**
 * What the server refuses in a set, of all that it refuses of a body. Its names are such as `criteria.conditions[0].field`, where `name`
 * is `criteria`.
 */
export function conditionFaults(
  fields: Readonly<Record<string, string>>,
  name: string,
): { readonly set: string | undefined; readonly at: (index: number) => ConditionFaults } {
  const under = Object.entries(fields).flatMap(([path, fault]) =>
    path === name || path.startsWith(`${name}.`) ? [[path.slice(name.length + 1), `This ${fault}`] as const] : [],
  );
  const sentence = (fault: string) => (fault.endsWith('.') ? fault.replace(/^This (?=[A-Z])/, '') : `${fault}.`);
  const CONDITION = /^conditions\[(\d+)\](?:\.(\w+))?/;
  const set = under.find(([path]) => !CONDITION.test(path))?.[1];
  return {
    set: set && sentence(set),
    at: (index) =>
      Object.fromEntries(
        under.flatMap(([path, fault]) => {
          const [, place, field = 'field'] = CONDITION.exec(path) ?? [];
          const known = field === 'not' || field === 'isNot' || field === 'order' ? 'operation' : field;
          return Number(place) === index ? [[known, sentence(fault)]] : [];
        }),
      ),
  };
}
