/** Limits of nesting, and of the length of a query in code points (A11). */
export const MAX_DEPTH = 50;
export const MAX_LENGTH = 1_000;

export const EXACT_FIELDS = [
  'alertId',
  'alias',
  'source',
  'entity',
  'status',
  'priority',
  'owner',
  'acknowledgedBy',
  'closedBy',
  'integration.name',
  'integration.type',
  'tag',
  'actions',
  'details.key',
  'details.value',
] as const;
/** Compared exactly, in the given letter case. */
export type ExactField = (typeof EXACT_FIELDS)[number];

export const NUMBER_FIELDS = ['count', 'tinyId', 'createdAt', 'lastOccurredAt', 'snoozedUntil'] as const;
/** Compared as numbers; times in milliseconds since 1970. */
export type NumberField = (typeof NUMBER_FIELDS)[number];

export const FLAG_FIELDS = ['isSeen', 'acknowledged', 'snoozed'] as const;
export type FlagField = (typeof FLAG_FIELDS)[number];

export const WORD_FIELDS = ['message', 'description'] as const;
/** Searched by words, without regard to case. */
export type WordField = (typeof WORD_FIELDS)[number];

export const NAME_FIELDS = ['teams', 'responders'] as const;
/** Searched by the id or the name of what the field refers to. */
export type NameField = (typeof NAME_FIELDS)[number];

/** Fields that can be null. */
export const NULLABLE_FIELDS = [
  'source',
  'entity',
  'tag',
  'actions',
  'owner',
  'teams',
  'responders',
  'acknowledgedBy',
  'closedBy',
  'details.key',
  'details.value',
  'integration.name',
  'integration.type',
] as const;
export type NullableField = (typeof NULLABLE_FIELDS)[number];

export type Operator = '=' | '<' | '<=' | '>' | '>=';

/** Words that follow each other in one text. With `prefix`, the last is only the beginning of a word. */
export interface Phrase {
  /** At least one, from {@link wordsOf}. */
  readonly words: readonly string[];
  readonly prefix: boolean;
}

/** One test of an alert, with a valid value. */
export type Term =
  /** In message, description, alias, entity, source or a tag. */
  | ({ readonly kind: 'text' } & Phrase)
  | ({ readonly kind: 'words'; readonly field: WordField } & Phrase)
  | { readonly kind: 'exact'; readonly field: ExactField; readonly value: string; readonly prefix: boolean }
  | { readonly kind: 'detail'; readonly key: string; readonly value: string; readonly prefix: boolean }
  | { readonly kind: 'name'; readonly field: NameField; readonly value: string }
  | { readonly kind: 'flag'; readonly field: FlagField; readonly value: boolean }
  | { readonly kind: 'number'; readonly field: NumberField; readonly operator: Operator; readonly value: number }
  | { readonly kind: 'null'; readonly field: NullableField }
  | { readonly kind: 'no-detail'; readonly key: string };

/** A search for alerts (A11). */
export type Query =
  | Term
  | { readonly kind: 'and'; /** At least two. */ readonly parts: readonly Query[] }
  | { readonly kind: 'or'; /** At least two. */ readonly parts: readonly Query[] }
  | { readonly kind: 'not'; readonly part: Query };

/** The depth of nesting; 1 for a single term. */
export function depthOf(query: Query): number {
  if (query.kind === 'not') return 1 + depthOf(query.part);
  if (query.kind === 'and' || query.kind === 'or') return 1 + Math.max(...query.parts.map(depthOf));
  return 1;
}

/** The names and ids of teams and responders in `query`, each once. */
export function namesIn(query: Query): readonly { readonly field: NameField; readonly value: string }[] {
  const found = new Map<string, { readonly field: NameField; readonly value: string }>();
  const visit = (part: Query): void => {
    if (part.kind === 'not') visit(part.part);
    else if (part.kind === 'and' || part.kind === 'or') part.parts.forEach(visit);
    else if (part.kind === 'name')
      found.set(JSON.stringify([part.field, part.value]), { field: part.field, value: part.value });
  };
  visit(query);
  return [...found.values()];
}

/** The ids of the teams or responders with a name; empty where there are none. */
export type IdsOf = (field: NameField, value: string) => readonly string[];
