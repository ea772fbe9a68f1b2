import { NotFoundError } from '@tocsin/errors';
import { describeReference, type Reference } from '../domain/reference.ts';

/** `named` is an id or a user name. */
export const unknownUser = (named: string): NotFoundError =>
  new NotFoundError(`User does not exist with id or username: ${named}`);

export const unknownContact = (id: string): NotFoundError => new NotFoundError(`Contact does not exist with id: ${id}`);

export const unknownTeam = (reference: Reference): NotFoundError =>
  new NotFoundError(`Team does not exist with ${describeReference(reference)}`);

export const unknownRole = (reference: Reference): NotFoundError =>
  new NotFoundError(`Role does not exist with ${describeReference(reference)}`);

export const unknownTeamRole = (reference: Reference): NotFoundError =>
  new NotFoundError(`Team role does not exist with ${describeReference(reference)}`);
