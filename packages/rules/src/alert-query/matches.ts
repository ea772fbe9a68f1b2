import type { SearchableAlert } from './alert.ts';
import { collectWords, soughtIn, type CollectedWords } from './collect.ts';
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
import { searchedDetails } from './terms.ts';

/** Whether `query` finds `alert`. This defines the meaning of a query; the MongoDB filter has to agree with it (A11). */
export function matches(query: Query, alert: SearchableAlert, idsOf: IdsOf): boolean {
  return evaluated(query, { alert, words: collectWords(alert), idsOf });
}

interface Subject {
  readonly alert: SearchableAlert;
  readonly words: CollectedWords;
  readonly idsOf: IdsOf;
}

function evaluated(query: Query, subject: Subject): boolean {
  if (query.kind === 'and') return query.parts.every((part) => evaluated(part, subject));
  if (query.kind === 'or') return query.parts.some((part) => evaluated(part, subject));
  if (query.kind === 'not') return !evaluated(query.part, subject);
  return holds(query, subject);
}

function holds(term: Term, { alert, words, idsOf }: Subject): boolean {
  switch (term.kind) {
    case 'text':
      return [words.message, words.description, ...words.others].some((text) => has(text, term));
    case 'words':
      return has(words[term.field], term);
    case 'exact':
      return EXACT[term.field](alert).some((value) => same(value, term));
    case 'detail':
      return hasDetail(alert, term);
    case 'no-detail':
      return !detailOf(alert, term.key);
    case 'name':
      return names(alert, term.field, idsOf(term.field, term.value));
    case 'flag':
      return FLAGS[term.field](alert) === term.value;
    case 'number':
      return compared(NUMBERS[term.field](alert), term.operator, term.value);
    case 'null':
      return isNull(term.field, alert);
  }
}

const has = (text: string, phrase: Phrase): boolean => text.includes(soughtIn(phrase));

const detailOf = ({ details }: SearchableAlert, key: string): string | undefined =>
  Object.hasOwn(details, key) ? details[key] : undefined;

const hasDetail = (alert: SearchableAlert, term: Extract<Term, { readonly kind: 'detail' }>): boolean =>
  searchedDetails(alert).some(([key, value]) => key === term.key && same(value, term));

const names = ({ responders }: SearchableAlert, field: NameField, ids: readonly string[]): boolean =>
  responders.some(({ type, id }) => (field === 'responders' || type === 'team') && ids.includes(id));

const same = (value: string, wanted: { readonly value: string; readonly prefix: boolean }): boolean =>
  wanted.prefix ? value.startsWith(wanted.value) : value === wanted.value;

/** Every value of a field; a field without a value has none, or an empty one. */
const EXACT: Record<ExactField, (alert: SearchableAlert) => readonly string[]> = {
  alertId: ({ id }) => [id],
  alias: ({ alias }) => [alias],
  source: ({ source }) => [source],
  entity: ({ entity }) => [entity],
  status: ({ status }) => [status],
  priority: ({ priority }) => [priority],
  owner: ({ owner }) => [owner],
  acknowledgedBy: ({ report }) => (report?.acknowledgedBy === undefined ? [] : [report.acknowledgedBy]),
  closedBy: ({ report }) => (report?.closedBy === undefined ? [] : [report.closedBy]),
  'integration.name': ({ integration }) => [integration.name],
  'integration.type': ({ integration }) => [integration.type],
  tag: ({ tags }) => tags,
  actions: ({ actions }) => actions,
  'details.key': (alert) => searchedDetails(alert).map(([key]) => key),
  'details.value': ({ details }) => Object.values(details),
};

const FLAGS: Record<FlagField, (alert: SearchableAlert) => boolean> = {
  isSeen: ({ seen }) => seen,
  acknowledged: ({ acknowledged }) => acknowledged,
  snoozed: ({ snoozed }) => snoozed,
};

const NUMBERS: Record<NumberField, (alert: SearchableAlert) => number | undefined> = {
  count: ({ count }) => count,
  tinyId: ({ tinyId }) => tinyId,
  createdAt: ({ createdAt }) => createdAt.getTime(),
  lastOccurredAt: ({ lastOccurredAt }) => lastOccurredAt.getTime(),
  snoozedUntil: ({ snoozedUntil }) => snoozedUntil?.getTime(),
};

const COMPARED: Record<Operator, (a: number, b: number) => boolean> = {
  '=': (a, b) => a === b,
  '<': (a, b) => a < b,
  '<=': (a, b) => a <= b,
  '>': (a, b) => a > b,
  '>=': (a, b) => a >= b,
};

const compared = (value: number | undefined, operator: Operator, wanted: number): boolean =>
  value !== undefined && COMPARED[operator](value, wanted);

function isNull(field: NullableField, alert: SearchableAlert): boolean {
  if (field === 'responders') return alert.responders.length === 0;
  if (field === 'teams') return !alert.responders.some(({ type }) => type === 'team');
  const values = EXACT[field](alert);
  return values.length === 0 || (!LISTS.has(field) && values[0] === '');
}

const LISTS: ReadonlySet<NullableField> = new Set(['tag', 'actions', 'details.key', 'details.value'] as const);
