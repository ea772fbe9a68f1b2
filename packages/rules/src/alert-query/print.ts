import type { Query, Term } from './query.ts';

/** The text of `query`. Parsing it gives the same query. */
export function printQuery(query: Query): string {
  if (query.kind === 'and') return query.parts.map(printPart).join(' AND ');
  if (query.kind === 'or') return query.parts.map(printPart).join(' OR ');
  if (query.kind === 'not') return `NOT ${printPart(query.part)}`;
  return printTerm(query);
}

const printPart = (query: Query): string =>
  query.kind === 'and' || query.kind === 'or' ? `(${printQuery(query)})` : printQuery(query);

function printTerm(term: Term): string {
  switch (term.kind) {
    case 'text':
      return starred(term.words.join(' '), term.prefix);
    case 'words':
      return `${term.field}:${starred(term.words.join(' '), term.prefix)}`;
    case 'exact':
      return `${term.field}:${starred(term.value, term.prefix)}`;
    case 'detail':
      return `details.${quoted(term.key)}:${starred(term.value, term.prefix)}`;
    case 'name':
      return `${term.field}:${quoted(term.value)}`;
    case 'flag':
      return `${term.field}:${String(term.value)}`;
    case 'number':
      return `${term.field}${term.operator}${term.value}`;
    case 'null':
      return `${term.field}:null`;
    case 'no-detail':
      return `details.${quoted(term.key)}:null`;
  }
}

const starred = (value: string, prefix: boolean): string => quoted(value) + (prefix ? '*' : '');

const quoted = (value: string): string => `"${value.replace(/["\\]/g, '\\$&')}"`;
