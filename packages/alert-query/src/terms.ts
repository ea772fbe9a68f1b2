import type { SearchableAlert } from './alert.ts';
import { collectWords, type CollectedWords } from './collect.ts';
import type { ExactField } from './query.ts';

const KINDS = {
  word: 'w',
  priority: 'p',
  tag: 't',
  entity: 'e',
  owner: 'o',
  detail: 'd',
  responder: 'r',
  seenBy: 's',
} as const;

/** What a term of the index says about an alert. */
export type TermKind = keyof typeof KINDS;

/** The fields with a term of their own, which says all that there is to know where it is whole. */
export const WITH_TERM: Partial<Record<ExactField, TermKind>> = {
  priority: 'priority',
  tag: 'tag',
  entity: 'entity',
  owner: 'owner',
};

/** Terms are cut here, in UTF-16 units: what is found by a term of this length has to be compared itself as well. */
const MOST_OF_A_TERM = 100;

/** One entry of the index: an alert that has it is found by it. */
export interface IndexTerm {
  readonly term: string;
  /** Whether the term says all of its value, so that nothing else need be compared. */
  readonly whole: boolean;
}

/** The term for a value of one kind: the same for equal values. */
export function indexTerm(kind: TermKind, value: string): IndexTerm {
  const whole = value.length <= MOST_OF_A_TERM;
  // Half a character is none to the database.
  const cut = whole ? value : value.slice(0, MOST_OF_A_TERM).replace(/[\uD800-\uDBFF]$/, '');
  return { term: `${KINDS[kind]}:${cut}`, whole };
}

/** A detail as its term holds it; another key and value may look the same. */
export const detailText = (key: string, value: string): string => `${key}=${value}`;

/** A responder as its term holds it: ids of another type are others. */
export const responderText = (type: string, id: string): string => `${type}/${id}`;

/** What an alert is stored with, so that searches find it (A11). */
export interface Searchable extends Omit<CollectedWords, 'words'> {
  /** Each once. All that is found through an index but status and times, in one list, because each index costs every alert. */
  readonly terms: readonly string[];
}

/** What {@link mongoFilter} looks at in an alert besides its own fields; `seenBy` are the teams whose keys see it. */
export function searchable(alert: SearchableAlert, seenBy: readonly string[]): Searchable {
  const { words, ...texts } = collectWords(alert);
  const { priority, tags, entity, owner, details, responders } = alert;
  const ofKind = (kind: TermKind, values: readonly string[]) => values.map((value) => indexTerm(kind, value).term);
  const terms = [
    ...ofKind('word', words),
    ...ofKind('priority', [priority]),
    ...ofKind('tag', tags),
    ...ofKind('entity', entity === '' ? [] : [entity]),
    ...ofKind('owner', owner === '' ? [] : [owner]),
    ...Object.entries(details).map(([key, value]) => indexTerm('detail', detailText(key, value)).term),
    ...ofKind(
      'responder',
      responders.map(({ type, id }) => responderText(type, id)),
    ),
    ...ofKind('seenBy', seenBy),
  ];
  return { terms: [...new Set(terms)], ...texts };
}
