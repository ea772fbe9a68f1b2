import type { CreateTeamBody, TeamLogQuery, UpdateTeamBody } from '@tocsin/api';
import { type Clock, BadGatewayError, ConflictError, InUseError, InvalidError } from '@tocsin/core';
import { boundTeam, type Principal } from '@tocsin/http';
import type { Reference } from '../references/reference.ts';
import type { Scheduling } from '../schedules/client.ts';
import { unknownUser } from '../users/user.ts';
import type { TeamChanges } from './change-operations.ts';
import type { TeamLogLine } from './log-store.ts';
import { memberNames, namedMembers, type UserNames } from './member-operations.ts';
import type { TeamSaga } from './saga-task.ts';
import type { TeamBeginning, TeamStore } from './store.ts';
import { differences, formatLogPosition, parseLogPosition, type TeamLogPosition } from './team-log.ts';
import { editTeam, type RoutingUse, type Team, type TeamDraft, type TeamSummary, unknownTeam } from './team.ts';

/** A team, and the user names of its members by their ids. */
export interface NamedTeam {
  readonly team: Team;
  readonly usernames: ReadonlyMap<string, string>;
}

/** Some lines of a team's history, and the cursor of the following ones; undefined where there are none. */
export interface TeamHistory {
  readonly lines: readonly TeamLogLine[];
  readonly next: string | undefined;
}

export interface TeamsDependencies {
  readonly teams: TeamStore;
  readonly userNames: UserNames;
  readonly scheduling: Scheduling;
  readonly changes: TeamChanges;
  readonly saga: TeamSaga;
  readonly clock: Clock;
  readonly newId: () => string;
}

/** Creates, reads, changes and deletes teams (part 2, 4.1). */
export class Teams {
  readonly #ports: TeamsDependencies;

  constructor(ports: TeamsDependencies) {
    this.#ports = ports;
  }

  /**
   * Creates a team together with its schedule, its escalation and its default routing rule (S11). Resolves when the team is whole.
   * A repeat after a failure completes what the first request began; of several requests for one name at most one succeeds.
   * `createdBy` is the name of the key or of the user.
   *
   * @throws ConflictError when the name is taken.
   * @throws NotFoundError when a member does not exist.
   * @throws UnavailableError when scheduling cannot be asked; the team is then completed later.
   */
  async create(body: CreateTeamBody, createdBy: string): Promise<Pick<Team, 'id' | 'name'>> {
    const { clock, newId, saga, userNames } = this.#ports;
    const { members } = await namedMembers(userNames, body.members ?? []);
    const { name, description = '' } = body;
    const attempt = { id: newId(), attempt: newId(), createdBy, createdAt: clock.now() };
    const team = await this.#begin({ ...attempt, name, description, members });
    const completion = await saga.complete(team);
    if (completion === 'overtaken') throw taken(name);
    if (completion === 'refused') throw new BadGatewayError(`Team [${name}] could not be given its schedule.`);
    return team;
  }

  /**
   * @throws NotFoundError when there is no such team.
   * @throws ForbiddenError when the caller is bound to another one (part 1, 7).
   */
  async get(reference: Reference, caller: Principal): Promise<NamedTeam> {
    const team = await this.#ports.changes.present(reference, caller);
    const names = await this.#ports.userNames(team.members.map(({ userId }) => ({ id: userId })));
    return { team, usernames: new Map(names.map(({ id, username }) => [id, username])) };
  }

  /** All teams by creation, or only the one to which the caller is bound (K4). */
  async list(caller: Principal): Promise<readonly TeamSummary[]> {
    const boundTo = boundTeam(caller);
    const teams = await this.#ports.teams.list();
    return boundTo === undefined ? teams : teams.filter(({ id }) => id === boundTo);
  }

  /**
   * Changes name, description and members of a team. Its schedule and escalation keep their names.
   *
   * @returns the team as it is now.
   * @throws NotFoundError when there is no such team, or a member does not exist.
   * @throws ForbiddenError when the caller is bound to another team.
   * @throws ConflictError when the name is taken.
   */
  async update(reference: Reference, body: UpdateTeamBody, caller: Principal): Promise<Pick<Team, 'id' | 'name'>> {
    const { changes, userNames } = this.#ports;
    const present = await changes.changeable(reference, caller);
    const wanted = body.members === undefined ? undefined : await namedMembers(userNames, body.members);
    const members = wanted?.members;
    const names = await memberNames(this.#ports, present, members ?? present.members, wanted?.usernames ?? new Map());
    return changes.run({ id: present.id }, caller, (team) => {
      const next = editTeam(team, { name: body.name, description: body.description, members });
      return { team: next, sentences: differences(team, next, names), answer: { id: next.id, name: next.name } };
    });
  }

  /**
   * Deletes a team with its defaults, memberships and routing rules; its integrations and policies stop (S12). Resolves when every
   * service has done so. A repeat after a failure goes on where the first request ended.
   *
   * @throws NotFoundError when there is no such team.
   * @throws InUseError when the team, or its default schedule or escalation, is in use.
   * @throws UnavailableError when a service cannot be asked; once the removal has begun it is completed later.
   */
  async remove(reference: Reference): Promise<void> {
    const team = await this.#ports.teams.findRemovable(reference);
    if (team === undefined) throw unknownTeam(reference);
    if (team.phase === 'active') {
      await this.#refuseWhileInUse(team);
      await this.#ports.teams.beginRemoval(team.id, team.attempt);
    }
    await this.#ports.saga.remove(team.id);
  }

  /**
   * A page of the team's history. New lines move no line to another page.
   *
   * @throws NotFoundError when there is no such team.
   * @throws ForbiddenError when the caller is bound to another one.
   * @throws InvalidError when the offset is none that an earlier answer gave.
   */
  async history(
    reference: Reference,
    { order, limit, offset }: Omit<TeamLogQuery, 'identifierType'>,
    caller: Principal,
  ): Promise<TeamHistory> {
    const { id } = await this.#ports.changes.present(reference, caller);
    const found = await this.#ports.teams.history(id, { order, limit: limit + 1, after: positionOf(offset) });
    const lines = found.slice(0, limit);
    const last = lines.at(-1);
    return { lines, next: last === undefined || found.length <= limit ? undefined : formatLogPosition(last) };
  }

  /** One sentence for each routing rule that notifies the schedule or escalation (S12). */
  async usesOf(type: 'schedule' | 'escalation', id: string, exceptTeamId?: string): Promise<readonly string[]> {
    return (await this.#ports.teams.routingUses(type, id, exceptTeamId)).map(describeUse);
  }

  async #begin(draft: TeamDraft): Promise<Team> {
    const beginning = await this.#ports.teams.begin(draft);
    if (beginning.kind !== 'leaving') return begunTeam(beginning, draft.name);
    await this.#ports.saga.remove(beginning.team.id);
    return begunTeam(await this.#ports.teams.begin(draft), draft.name);
  }

  async #refuseWhileInUse({ id, name, defaults }: Team): Promise<void> {
    const routed =
      defaults === undefined
        ? []
        : [
            ...(await this.usesOf('schedule', defaults.scheduleId, id)),
            ...(await this.usesOf('escalation', defaults.escalationId, id)),
          ];
    const uses = [...routed, ...(await this.#ports.scheduling.usesOf('team', id))];
    if (uses.length > 0) throw new InUseError(`Team [${name}] is still in use: ${uses.join(' ')}`);
  }
}

function begunTeam(beginning: TeamBeginning, name: string): Team {
  switch (beginning.kind) {
    case 'begun':
      return beginning.team;
    case 'unknown-member':
      throw unknownUser(beginning.userId);
    case 'taken':
    case 'leaving':
      throw taken(name);
  }
}

const taken = (name: string) => new ConflictError(`Team with name [${name}] already exists.`);

function positionOf(offset: string | undefined): TeamLogPosition | undefined {
  if (offset === undefined) return undefined;
  const position = parseLogPosition(offset);
  if (position === undefined) throw InvalidError.ofFields({ offset: 'should be an offset of an earlier answer' });
  return position;
}

const describeUse = ({ teamName, ruleName }: RoutingUse): string =>
  `Routing rule [${ruleName}] of team [${teamName}] notifies it.`;
