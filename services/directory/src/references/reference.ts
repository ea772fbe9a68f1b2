import { NotFoundError } from '@tocsin/core';

/** An entity as callers name one: by its id, or by its name, which is exact (E14). */
export type Reference = { readonly id: string } | { readonly name: string };

/** A {@link Reference}, or one as bodies have it. */
export interface AnyReference {
  readonly id?: string | undefined;
  readonly name?: string | undefined;
}

/** How a message names the entity. */
const describeReference = ({ id, name = '' }: AnyReference): string =>
  id === undefined ? `name: ${name}` : `id: ${id}`;

export const doesNotExist = (kind: string, reference: AnyReference): NotFoundError =>
  new NotFoundError(`${kind} does not exist with ${describeReference(reference)}`);

/** The filter of the document that has the id or name. */
export const referenceFilter = (reference: Reference): Readonly<Record<string, string>> =>
  'id' in reference ? { _id: reference.id } : { name: reference.name };

interface IdentifierQuery {
  readonly identifierType: 'id' | 'name';
}

/** The reference in a path, by id or name as the query says (part 2, 4). */
export const referenceOf = (identifier = '', { identifierType }: IdentifierQuery): Reference =>
  identifierType === 'name' ? { name: identifier } : { id: identifier };

/** The team in the path of one of its members, roles or routing rules. */
export const teamOf = (params: Readonly<Record<string, string>>, query: IdentifierQuery): Reference =>
  referenceOf(params['teamIdentifier'], query);
