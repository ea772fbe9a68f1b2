import { ConflictError, NotFoundError } from '@tocsin/errors';

export const unknownUser = (named: string): NotFoundError =>
  new NotFoundError(`User does not exist with id or username: ${named}`);

export const unknownContact = (id: string): NotFoundError => new NotFoundError(`Contact does not exist with id: ${id}`);

export const taken = (method: string, to: string): ConflictError =>
  new ConflictError(`Contact [${method}] [${to}] already exists.`);
