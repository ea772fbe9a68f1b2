import { ConflictError } from '@tocsin/errors';
import type { Integration } from '../domain/integration.ts';

/** What every store says of a name that another integration has. */
export function nameTaken({ name }: Integration, cause?: unknown): ConflictError {
  return new ConflictError(`Integration with name [${name}] already exists.`, { cause });
}

/** What every store says of an address that another integration has. */
export function emailUsernameTaken({ emailUsername = '' }: Integration, cause?: unknown): ConflictError {
  return new ConflictError(`Integration with emailUsername [${emailUsername}] already exists.`, { cause });
}
