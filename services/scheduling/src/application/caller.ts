import { ForbiddenError, NotFoundError } from '@tocsin/errors';
import { accessTo } from '../domain/access.ts';
import type { Catalogue } from '../domain/configuration.ts';
import type { Escalation } from '../domain/escalation.ts';
import type { Schedule } from '../domain/schedule.ts';

/** The caller: the team of its key, if it has one (K4). */
export interface Caller {
  readonly teamId: string | undefined;
}

/** How a path identifies an entity. */
export interface Identifier {
  readonly type: 'id' | 'name';
  readonly value: string;
}

/**
 * The thing that `identifier` names and `caller` may see (K4).
 *
 * @throws NotFoundError when there is none.
 * @throws ForbiddenError when it is another team's and does not name the caller's.
 */
export function visible<T extends Schedule | Escalation>(
  kind: 'Schedule' | 'Escalation',
  things: Catalogue<T>,
  { type, value }: Identifier,
  { teamId }: Caller,
): T {
  const thing = type === 'id' ? things.get(value) : things.named(value);
  if (thing === undefined) throw new NotFoundError(`${kind} with ${type} [${value}] does not exist.`);
  if (accessTo(thing, teamId) === 'none') throw forbidden();
  return thing;
}

/**
 * As `visible`, for a thing that the caller may change.
 *
 * @throws ForbiddenError when it belongs to another team than the caller's.
 */
export function writable<T extends Schedule | Escalation>(
  kind: 'Schedule' | 'Escalation',
  things: Catalogue<T>,
  identifier: Identifier,
  caller: Caller,
): T {
  const thing = visible(kind, things, identifier, caller);
  if (accessTo(thing, caller.teamId) === 'write') return thing;
  throw forbidden();
}

/** The answer to a team's key that names an entity of another team (K4, K9). */
export const forbidden = (): ForbiddenError =>
  new ForbiddenError('Team API Keys are not authorized to perform this action.');
