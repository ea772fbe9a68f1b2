import { ResponderType } from '@tocsin/events';
import type { Query, Term } from './query.ts';
import { indexTerm, responderText, WITH_TERM, type TermKind } from './terms.ts';

/**
 * Whether the index keys alone decide which alerts `query` finds. Otherwise MongoDB has to read alerts: for conjunctions, for
 * words that follow each other, and for values without a term or longer than their term.
 */
export function decidedByIndex(query: Query): boolean {
  if (query.kind === 'or') return query.parts.every(decidedByIndex);
  if (query.kind === 'text') return query.words.length === 1 && query.words.every((word) => isWhole('word', word));
  if (query.kind === 'name')
    return ResponderType.options.every((type) => isWhole('responder', responderText(type, query.value)));
  if (query.kind === 'number') return query.field === 'createdAt' || query.field === 'tinyId';
  return query.kind === 'exact' && isTerm(query);
}

const isWhole = (kind: TermKind, value: string): boolean => indexTerm(kind, value).whole;

function isTerm({ field, value }: Extract<Term, { readonly kind: 'exact' }>): boolean {
  if (field === 'status' || field === 'alertId') return true;
  const kind = WITH_TERM[field];
  return kind !== undefined && value !== '' && isWhole(kind, value);
}
