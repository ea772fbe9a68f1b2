import type { ParticipantReference, Reference } from '@tocsin/api';
import { mayName, type TeamState, type UserState } from '@tocsin/events';
import { flatMapInSteps, NotFoundError } from '@tocsin/core';
import {
  type Access,
  accessTo,
  boundTeam,
  type Principal,
  requireOwnership,
  requireWrite,
  teamKeyRefused,
  type Writers,
} from '@tocsin/http';
import type { ReplicaView } from '@tocsin/kafka';
import type { Escalation } from '../escalations/escalation.ts';
import type { Participant, Schedule } from '../schedules/schedule.ts';
import type { Catalogue, Configuration } from './configuration.ts';
import { type Mention, mentionsOf } from './mentions.ts';

/** How a path identifies an entity. */
export interface Identifier {
  readonly type: 'id' | 'name';
  readonly value: string;
}

/** The rights of the caller on a schedule or escalation, by its owner and by the teams that it names (K4). */
export function accessToThing(thing: Schedule | Escalation, caller: Principal): Access {
  const namedTeamIds = mentionsOf(thing).flatMap(({ type, id }) => (type === 'team' ? [id] : []));
  return accessTo({ ownerTeamId: thing.ownerTeamId, namedTeamIds }, caller);
}

/** The schedules or escalations that `caller` may see, in the same order (K4). */
export const filterVisible = <T extends Schedule | Escalation>(
  things: readonly T[],
  caller: Principal,
): Promise<readonly T[]> => flatMapInSteps(things, (thing) => (accessToThing(thing, caller) === 'none' ? [] : [thing]));

/** The schedules or escalations that name the user, in the same order. */
export const filterNamingUser = <T extends Schedule | Escalation>(
  things: readonly T[],
  userId: string,
): Promise<readonly T[]> =>
  flatMapInSteps(things, (thing) =>
    mentionsOf(thing).some(({ type, id }) => type === 'user' && id === userId) ? [thing] : [],
  );

/**
 * The schedule or escalation that `identifier` names and `caller` may see (K4).
 *
 * @throws NotFoundError when there is none.
 * @throws ForbiddenError when it is another team's and does not name the caller's.
 */
export function findVisible<T extends Schedule | Escalation>(
  kind: 'Schedule' | 'Escalation',
  things: Catalogue<T>,
  { type, value }: Identifier,
  caller: Principal,
): T {
  const thing = type === 'id' ? things.get(value) : things.named(value);
  if (thing === undefined) throw new NotFoundError(`${kind} with ${type} [${value}] does not exist.`);
  if (accessToThing(thing, caller) === 'none') throw teamKeyRefused();
  return thing;
}

/** A value that is decided on the configuration at the moment of the write. */
export type InConfiguration<T> = (present: Configuration) => T;

/**
 * Turns the references of callers into ids. Users and teams are looked up at once, in the replicas and at their owner. Schedules and
 * escalations are looked up in the configuration that is written, so that they exist at that moment.
 *
 * All methods throw NotFoundError, naming the reference, and UnavailableError where directory does not answer; ForbiddenError where the
 * key of a team names another team's schedule or escalation (K9).
 */
export class References {
  readonly #users: ReplicaView<UserState>;
  readonly #teams: ReplicaView<TeamState>;

  constructor({ users, teams }: { users: ReplicaView<UserState>; teams: ReplicaView<TeamState> }) {
    this.#users = users;
    this.#teams = teams;
  }

  /**
   * As `findVisible`, for a schedule or escalation that the caller may change.
   *
   * @throws ForbiddenError when it belongs to another team than the key's, or the person is not one of `writers` (K4, K12).
   */
  findWritable<T extends Schedule | Escalation>(
    kind: 'Schedule' | 'Escalation',
    things: Catalogue<T>,
    identifier: Identifier,
    caller: Principal,
    writers: Writers = 'team-admin',
  ): T {
    const thing = findVisible(kind, things, identifier, caller);
    const { ownerTeamId, name } = thing;
    const changed =
      writers === 'team-member' ? `the overrides of schedule [${name}]` : `${kind.toLowerCase()} [${name}]`;
    requireWrite({ ownerTeamId, teamName: this.#teamName(ownerTeamId), action: `change ${changed}`, writers }, caller);
    return thing;
  }

  async team(reference: Reference): Promise<string> {
    const { index, value } = indexed(reference);
    const team = await this.#teams.fetch(index, value);
    return requireFound('Team', reference, team?.id);
  }

  /**
   * The owner of a new `kind`: a team's key owns it, whatever the body says (K4).
   *
   * @throws ForbiddenError when a person may not create it for that team, or without one (K12).
   */
  async owner(kind: OwnedKind, reference: Reference | undefined, caller: Principal): Promise<string | undefined> {
    const ownerTeamId = boundTeam(caller) ?? (reference && (await this.team(reference)));
    requireOwnership({ ownerTeamId, teamName: this.#teamName(ownerTeamId), kind }, caller);
    return ownerTeamId;
  }

  /** The new owner in a change, as {@link owner}; undefined where the owner does not change. */
  async newOwner(kind: OwnedKind, reference: Reference | undefined, caller: Principal): Promise<string | undefined> {
    return reference === undefined ? boundTeam(caller) : this.owner(kind, reference, caller);
  }

  #teamName(id: string | undefined): string | undefined {
    return id === undefined ? undefined : this.#teams.get(id)?.name;
  }

  async user(reference: Reference): Promise<string> {
    const { index, value } = indexed(reference);
    const user =
      index === 'id' ? await this.#users.fetch(index, value) : await this.#users.fetch('username', value.toLowerCase());
    return requireFound('User', reference, user?.id);
  }

  /** The user whose id or, where there is none, whose user name is `identifier` (part 3, 4.1). */
  async userCalled(identifier: string): Promise<UserState> {
    const user =
      (await this.#users.fetch('id', identifier)) ?? (await this.#users.fetch('username', identifier.toLowerCase()));
    if (user === undefined) throw new NotFoundError(`User does not exist with id or username: ${identifier}`);
    return user;
  }

  async participant(reference: ParticipantReference, caller: Principal): Promise<InConfiguration<Participant>> {
    return reference.type === 'none' ? () => ({ type: 'none' }) : this.mention(reference, caller);
  }

  /** The user or team, looked up now, or the schedule or escalation, looked up in the configuration that is written. */
  async mention<T extends Mention['type']>(
    reference: Reference & { readonly type: T },
    caller: Principal,
  ): Promise<InConfiguration<{ readonly type: T; readonly id: string }>> {
    const { type } = reference;
    if (type === 'schedule') return ({ schedules }) => ({ type, id: idIn('Schedule', schedules, reference, caller) });
    if (type === 'escalation')
      return ({ escalations }) => ({ type, id: idIn('Escalation', escalations, reference, caller) });
    const id = await (type === 'user' ? this.user(reference) : this.team(reference));
    return () => ({ type, id });
  }
}

type OwnedKind = 'a schedule' | 'an escalation';

const indexed = ({ id, name }: Reference) =>
  id === undefined ? { index: 'name', value: name ?? '' } : { index: 'id', value: id };

/** A key of a team may name entities of its team, and of no team (K9). */
function idIn<T extends Schedule | Escalation>(
  kind: string,
  things: Catalogue<T>,
  reference: Reference,
  caller: Principal,
): string {
  const { id, name = '' } = reference;
  const found = id === undefined ? things.named(name) : things.get(id);
  if (found !== undefined && !mayName(found, boundTeam(caller))) throw teamKeyRefused();
  return requireFound(kind, reference, found?.id);
}

function requireFound(kind: string, { id, name }: Reference, found: string | undefined): string {
  if (found !== undefined) return found;
  const named = id === undefined ? `${kind === 'User' ? 'username' : 'name'} [${name ?? ''}]` : `id [${id}]`;
  throw new NotFoundError(`${kind} with ${named} does not exist.`);
}

/** How the path names a schedule or an escalation. */
export const identifierOf = (value: string | undefined, type: Identifier['type']): Identifier => ({
  type,
  value: value ?? '',
});

/** The schedule in the path of one of its rotations or overrides. */
export const scheduleOf = (
  params: Readonly<Record<string, string | undefined>>,
  type: Identifier['type'],
): Identifier => identifierOf(params['scheduleIdentifier'], type);
