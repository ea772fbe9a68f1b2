import { ResponderType } from '@tocsin/events';
import { soughtIn, wordsOf } from './collect.ts';
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
import { detailText, indexTerm, responderText, WITH_TERM, type TermKind } from './terms.ts';

/** A MongoDB filter. */
export type Filter = Readonly<Record<string, unknown>>;

/**
 * A filter that finds the same alerts as `matches`, in the collection of alert-processor: fields under their own names, details
 * as pairs, and {@link searchable} under `search`. It uses an index term where there is one.
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
      return exactly(term);
    case 'detail':
      return {
        ...found('detail', { value: detailText(term.key, term.value), prefix: term.prefix }),
        details: { $elemMatch: { key: term.key, value: value(term) } },
      };
    case 'no-detail':
      return { details: { $not: { $elemMatch: { key: term.key, value: { $ne: '' } } } } };
    case 'name':
      return named(term.field, idsOf(term.field, term.value));
    case 'flag':
      return { [FLAGS[term.field]]: term.value };
    case 'number':
      return compared(term);
    case 'null':
      return withoutValue(term.field);
  }
}

/** One word is found by its term. Several words must also follow each other in one of the texts. */
function everywhere(phrase: Phrase): Filter {
  const [only = ''] = phrase.words;
  if (phrase.words.length === 1 && indexTerm('word', only).whole) return collected(phrase);
  const sought = spelled(phrase);
  const texts = ['search.message', 'search.description', 'search.others'];
  return { ...collected(phrase), $or: texts.map((path) => ({ [path]: sought })) };
}

function collected({ words, prefix }: Phrase): Filter {
  const last = words.length - 1;
  return { [TERMS]: { $all: words.map((word, at) => sought('word', { value: word, prefix: prefix && at === last })) } };
}

const TERMS = 'search.terms';

/** A value of a query: exact, or a prefix. */
interface Wanted {
  readonly value: string;
  readonly prefix: boolean;
}

function sought(kind: TermKind, { value: text, prefix }: Wanted): string | RegExp {
  const { term } = indexTerm(kind, text);
  return prefix ? new RegExp(`^${escaped(term)}`) : term;
}

const found = (kind: TermKind, wanted: Wanted): Filter => ({ [TERMS]: sought(kind, wanted) });

function exactly(term: Extract<Term, { readonly kind: 'exact' }>): Filter {
  const same = { [EXACT[term.field]]: value(term) };
  const kind = WITH_TERM[term.field];
  if (kind !== undefined && term.value !== '') {
    const byTerm = found(kind, term);
    return indexTerm(kind, term.value).whole ? byTerm : { ...byTerm, ...same };
  }
  if (term.field === 'details.key' && term.value !== '')
    return {
      ...found('detail', { value: term.prefix ? term.value : detailText(term.value, ''), prefix: true }),
      ...same,
    };
  const words = WORDS_OF.has(term.field) && !term.prefix ? wordsOf(term.value) : [];
  return words.length === 0 ? same : { ...collected({ words, prefix: false }), ...same };
}

/** The index on the creation begins with the status, which has two values. */
function compared({ field, operator, value: wanted }: Extract<Term, { readonly kind: 'number' }>): Filter {
  const filter = { [field]: { [OPERATORS[operator]]: stored(field, wanted) } };
  return field === 'createdAt' ? { status: { $in: ['open', 'closed'] }, ...filter } : filter;
}

/** Fields without a term whose words are collected. */
const WORDS_OF: ReadonlySet<ExactField> = new Set(['alias', 'source'] as const);

const spelled = (phrase: Phrase): Filter => ({ $regex: escaped(soughtIn(phrase)) });

const value = ({ value: wanted, prefix }: Wanted): unknown => (prefix ? { $regex: `^${escaped(wanted)}` } : wanted);

/** Escaped for MongoDB's regular expressions, which allow no null byte. */
const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|#\s-]/g, '\\$&').replaceAll('\0', '\\x00');

function named(field: NameField, ids: readonly string[]): Filter {
  const types = field === 'teams' ? (['team'] as const) : ResponderType.options;
  const terms = types.flatMap((type) => ids.map((id) => indexTerm('responder', responderText(type, id))));
  const byTerm = { [TERMS]: { $in: terms.map(({ term }) => term) } };
  if (terms.every(({ whole }) => whole)) return byTerm;
  return { ...byTerm, responders: { $elemMatch: { type: { $in: types }, id: { $in: ids } } } };
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

/** List fields, and their names in the collection. */
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
