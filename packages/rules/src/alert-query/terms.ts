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

/** The fact about an alert in a term of the index. */
export type TermKind = keyof typeof KINDS;

/** Fields with a term of their own. A term that is not cut has the whole value. */
export const WITH_TERM: Partial<Record<ExactField, TermKind>> = {
  priority: 'priority',
  tag: 'tag',
  entity: 'entity',
  owner: 'owner',
};

/** Longest term, in UTF-16 units. A value that is found by a cut term has to be compared as well. */
const MAX_TERM_LENGTH = 100;

/** One entry of the index: an alert that has it is found by it. */
export interface IndexTerm {
  readonly term: string;
  /** Whether the term has the whole value, so that nothing else need be compared. */
  readonly whole: boolean;
}

/** The term for a value of one kind: the same for equal values. */
export function indexTerm(kind: TermKind, value: string): IndexTerm {
  const whole = value.length <= MAX_TERM_LENGTH;
  // MongoDB stores no half of a surrogate pair.
  const cut = whole ? value : value.slice(0, MAX_TERM_LENGTH).replace(/[\uD800-\uDBFF]$/, '');
  return { term: `${KINDS[kind]}:${cut}`, whole };
}

/**
 * Only so many details of an alert are found by their key, because each is an entry of the index, as words are. MongoDB may also
 * find a later key that is empty, or whose term begins or is cut like that of an earlier one.
 */
const MAX_DETAILS = 500;

export const searchedDetails = ({ details }: SearchableAlert): readonly (readonly [key: string, value: string])[] =>
  Object.entries(details).slice(0, MAX_DETAILS);

/** The term of a detail. Another key and value may have the same. */
export const detailText = (key: string, value: string): string => `${key}=${value}`;

/** The term of a responder, with its type. */
export const responderText = (type: string, id: string): string => `${type}/${id}`;

/** The terms that are stored with an alert for searches (A11). */
export interface Searchable extends Omit<CollectedWords, 'words'> {
  /** Each once. All that is found through an index but status and times, in one list, because each index costs every alert. */
  readonly terms: readonly string[];
}

/** The fields for {@link mongoFilter} besides those of the alert itself; `seenBy` has the teams whose keys see it. */
export function searchable(alert: SearchableAlert, seenBy: readonly string[]): Searchable {
  const { words, ...texts } = collectWords(alert);
  const { priority, tags, entity, owner, responders } = alert;
  const ofKind = (kind: TermKind, values: readonly string[]) => values.map((value) => indexTerm(kind, value).term);
  const terms = [
    ...ofKind('word', words),
    ...ofKind('priority', [priority]),
    ...ofKind('tag', tags),
    ...ofKind('entity', entity === '' ? [] : [entity]),
    ...ofKind('owner', owner === '' ? [] : [owner]),
    ...searchedDetails(alert).map(([key, value]) => indexTerm('detail', detailText(key, value)).term),
    ...ofKind(
      'responder',
      responders.map(({ type, id }) => responderText(type, id)),
    ),
    ...ofKind('seenBy', seenBy),
  ];
  return { terms: [...new Set(terms)], ...texts };
}
