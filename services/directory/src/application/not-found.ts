import { NotFoundError } from '@tocsin/errors';
import { describeReference, type AnyReference, type Reference } from '../domain/reference.ts';

/** `named` is an id or a user name. */
export const unknownUser = (named: string): NotFoundError =>
  new NotFoundError(`User does not exist with id or username: ${named}`);

export const doesNotExist = (kind: string, reference: AnyReference): NotFoundError =>
  new NotFoundError(`${kind} does not exist with ${describeReference(reference)}`);

export const unknownContact = (id: string): NotFoundError => doesNotExist('Contact', { id });

export const unknownTeam = (reference: Reference): NotFoundError => doesNotExist('Team', reference);

export const unknownRole = (reference: Reference): NotFoundError => doesNotExist('Role', reference);
