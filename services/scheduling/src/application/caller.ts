import { NotFoundError } from '@tocsin/errors';
import { teamAccess, teamKeyRefused } from '@tocsin/key-auth';
import type { Catalogue } from '../domain/configuration.ts';
import type { Escalation } from '../domain/escalation.ts';
import { mentionsOf } from '../domain/mentions.ts';
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

/** What the caller may do with a schedule or escalation, by its owner and by the teams that it names (K4). */
export function accessTo(thing: Schedule | Escalation, { teamId }: Caller): ReturnType<typeof teamAccess> {
  const namedTeamIds = mentionsOf(thing).flatMap(({ type, id }) => (type === 'team' ? [id] : []));
  return teamAccess({ ownerTeamId: thing.ownerTeamId, namedTeamIds }, teamId);
}

/** Those of `things` that `caller` may see, in the same order (K4). */
export const visibleOf = <T extends Schedule | Escalation>(things: readonly T[], caller: Caller): readonly T[] =>
  things.filter((thing) => accessTo(thing, caller) !== 'none');

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
  caller: Caller,
): T {
  const thing = type === 'id' ? things.get(value) : things.named(value);
  if (thing === undefined) throw new NotFoundError(`${kind} with ${type} [${value}] does not exist.`);
  if (accessTo(thing, caller) === 'none') throw teamKeyRefused();
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
  if (accessTo(thing, caller) === 'write') return thing;
  throw teamKeyRefused();
}
