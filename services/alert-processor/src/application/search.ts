import { namesIn, parseQuery, type IdsOf, type NameField, type Query } from '@tocsin/alert-query';
import { ResponderType, type ResponderReference } from '@tocsin/contracts';
import { InvalidError, UnavailableError } from '@tocsin/errors';
import type { Search } from '../ports/alert-reader.ts';
import type { ResponderDirectory } from '../ports/responder-directory.ts';
import { lookUp } from './responder-look-up.ts';

/**
 * The search that `text` asks for; undefined if it matches every alert (A11).
 *
 * @throws InvalidError when it is no valid query, with the position and what was expected there; UnavailableError when
 * the owner of a name in it can not be asked.
 */
export async function searchFor(text: string, directory: ResponderDirectory): Promise<Search | undefined> {
  const query = readQuery(text);
  if (query === undefined) return undefined;
  const references = namesIn(query).flatMap(({ field, value }) => referencesOf(field, value));
  return { query, idsOf: idsBy(await lookUp(references, directory)) };
}

/** Parses `text`, without looking up its names. @throws InvalidError as {@link searchFor}. */
export function readQuery(text: string): Query | undefined {
  const parsed = parseQuery(text);
  if (parsed.kind === 'query') return parsed.query;
  throw InvalidError.ofFields({ query: `at character ${parsed.position}: ${parsed.reason}` });
}

/** The value itself counts as an id, so that ids of deleted things are found without a look-up. */
function idsBy(resolve: Awaited<ReturnType<typeof lookUp>>): IdsOf {
  return (field, value) => {
    const resolutions = referencesOf(field, value).map(resolve);
    if (resolutions.some(({ kind }) => kind === 'unreachable'))
      throw new UnavailableError('What the query names can not be looked up.');
    return [value, ...resolutions.flatMap((found) => (found.kind === 'known' ? [found.id] : []))];
  };
}

function referencesOf(field: NameField, name: string): readonly ResponderReference[] {
  const types = field === 'teams' ? (['team'] as const) : ResponderType.options;
  return types.map((type) => ({ type, name }));
}
