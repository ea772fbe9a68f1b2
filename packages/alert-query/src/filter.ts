import { soughtIn } from './collect.ts';
import type {
  ExactField,
  FlagField,
  IdsOf,
  NameField,
  NullableField,
  NumberField,
  Operator,
  Phrase,
  Query,
  Term,
} from './query.ts';

/** A filter of MongoDB. */
export type Filter = Readonly<Record<string, unknown>>;

/**
 * The filter that finds what `matches` does, in the collection of alerts as their owner keeps them: fields under their own
 * names, details as pairs, and {@link collectWords} under `search`. Indexes serve every term but a negated one.
 */
export function mongoFilter(query: Query, idsOf: IdsOf): Filter {
  if (query.kind === 'and') return { $and: query.parts.map((part) => mongoFilter(part, idsOf)) };
  if (query.kind === 'or') return { $or: query.parts.map((part) => mongoFilter(part, idsOf)) };
  if (query.kind === 'not') return { $nor: [mongoFilter(query.part, idsOf)] };
  return ofTerm(query, idsOf);
}

function ofTerm(term: Term, idsOf: IdsOf): Filter {
  switch (term.kind) {
    case 'text':
      return everywhere(term);
    case 'words':
      return { ...collected(term), [`search.${term.field}`]: spelled(term) };
    case 'exact':
      return { [EXACT[term.field]]: value(term) };
    case 'detail':
      return { details: { $elemMatch: { key: term.key, value: value(term) } } };
    case 'no-detail':
      return { details: { $not: { $elemMatch: { key: term.key, value: { $ne: '' } } } } };
    case 'name':
      return named(term.field, idsOf(term.field, term.value));
    case 'flag':
      return { [FLAGS[term.field]]: term.value };
    case 'number':
      return { [term.field]: { [OPERATORS[term.operator]]: stored(term.field, term.value) } };
    case 'null':
      return withoutValue(term.field);
  }
}

/** One word is found by its index alone; several have to follow each other in one of the texts as well. */
function everywhere(phrase: Phrase): Filter {
  if (phrase.words.length === 1) return collected(phrase);
  const sought = spelled(phrase);
  const texts = ['search.message', 'search.description', 'search.others'];
  return { ...collected(phrase), $or: texts.map((path) => ({ [path]: sought })) };
}

function collected({ words, prefix }: Phrase): Filter {
  const whole = prefix ? words.slice(0, -1) : words;
  const begun = prefix ? words.slice(-1).map((word) => new RegExp(`^${escaped(word)}`)) : [];
  return { 'search.words': { $all: [...whole, ...begun] } };
}

const spelled = (phrase: Phrase): Filter => ({ $regex: escaped(soughtIn(phrase)) });

const value = ({ value: wanted, prefix }: { readonly value: string; readonly prefix: boolean }): unknown =>
  prefix ? { $regex: `^${escaped(wanted)}` } : wanted;

/** Literally, for the regular expressions of MongoDB, which take no null byte. */
const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|#\s-]/g, '\\$&').replaceAll('\0', '\\x00');

function named(field: NameField, ids: readonly string[]): Filter {
  if (field === 'responders') return { 'responders.id': { $in: ids } };
  return { responders: { $elemMatch: { type: 'team', id: { $in: ids } } } };
}

const EXACT: Record<ExactField, string> = {
  alertId: '_id',
  alias: 'alias',
  source: 'source',
  entity: 'entity',
  status: 'status',
  priority: 'priority',
  owner: 'owner',
  acknowledgedBy: 'report.acknowledgedBy',
  closedBy: 'report.closedBy',
  'integration.name': 'integration.name',
  'integration.type': 'integration.type',
  tag: 'tags',
  actions: 'actions',
  'details.key': 'details.key',
  'details.value': 'details.value',
};

const FLAGS: Record<FlagField, string> = { isSeen: 'seen', acknowledged: 'acknowledged', snoozed: 'snoozed' };

const OPERATORS: Record<Operator, string> = { '=': '$eq', '<': '$lt', '<=': '$lte', '>': '$gt', '>=': '$gte' };

const stored = (field: NumberField, number: number): number | Date =>
  field === 'count' || field === 'tinyId' ? number : new Date(number);

/** The lists, by their own names in the collection. */
const LISTS: Partial<Record<NullableField, string>> = {
  tag: 'tags',
  actions: 'actions',
  'details.key': 'details',
  'details.value': 'details',
  responders: 'responders',
};

function withoutValue(field: NullableField): Filter {
  const list = LISTS[field];
  if (list !== undefined) return { [list]: [] };
  if (field === 'teams') return { responders: { $not: { $elemMatch: { type: 'team' } } } };
  return { [EXACT[field as ExactField]]: { $in: ['', null] } };
}
