import { isDeepStrictEqual } from 'node:util';
import type { ImportTeamBody } from '@tocsin/api';
import { type Clock, ConflictError, UnavailableError, type Put } from '@tocsin/core';
import { nestedIds } from '../references/nested-ids.ts';
import type { Scheduling } from '../schedules/client.ts';
import { unknownUser } from '../users/user.ts';
import type { TeamIntegrations } from './client.ts';
import { memberNames, namedMembers, type UserNames } from './member-operations.ts';
import { refuseTaken } from './role-operations.ts';
import type { TeamSaga } from './saga-task.ts';
import type { TeamStore } from './store.ts';
import { creationEntry, differences, entriesOf, type MemberNames, roleDifferences } from './team-log.ts';
import { editTeam, importedTeam, type Team, type TeamDraft, type TeamRole } from './team.ts';

export interface TeamImportsDependencies {
  readonly teams: TeamStore;
  readonly userNames: UserNames;
  readonly scheduling: Scheduling;
  readonly integrations: TeamIntegrations;
  readonly saga: TeamSaga;
  readonly clock: Clock;
  readonly newId: () => string;
  /** The zone of a default routing rule. */
  readonly timezone: string;
}

/** How often the removal of a team with the id or the name is ended before the team is written. */
const MAX_REMOVALS = 3;

/** Imports teams with their ids (I9). */
export class TeamImports {
  readonly #ports: TeamImportsDependencies;

  constructor(ports: TeamImportsDependencies) {
    this.#ports = ports;
  }

  /**
   * Creates or replaces the team that has this id, with its members and roles, in the name of `by`. A team that is created has no default
   * schedule and escalation, and its default routing rule notifies none.
   *
   * @throws ConflictError when another team has the name or the id of a role, or the name of a role is taken.
   * @throws NotFoundError when a member does not exist.
   * @throws UnavailableError when another service cannot be asked.
   */
  async put(id: string, body: ImportTeamBody, by: string): Promise<Put<Team>> {
    const { clock, newId, teams, userNames } = this.#ports;
    const { members, usernames } = await namedMembers(userNames, body.members ?? []);
    const { name, description = '', roles = [] } = body;
    const draft = { id, name, description, members, attempt: newId(), createdBy: by, createdAt: clock.now() };
    const before = await teams.find({ id });
    const names = await memberNames(this.#ports, before ?? { id, members: [] }, members, usernames);
    return this.#write(draft, before === undefined, (present) => {
      const ids = nestedIds(roles, present?.roles ?? [], newId);
      const next = roles.map(({ name: title, rights }, place) => ({
        id: ids[place] ?? '',
        name: title,
        rights: rights ?? [],
      }));
      for (const [place, role] of next.entries()) refuseTaken({ roles: next.slice(0, place) }, role);
      return present === undefined ? this.#created(draft, next) : replaced(present, draft, { roles: next, names });
    });
  }

  async #write(draft: TeamDraft, isNew: boolean, work: Parameters<TeamStore['put']>[1]): Promise<Put<Team>> {
    const { integrations, saga, teams } = this.#ports;
    for (let removals = 0; removals < MAX_REMOVALS; removals += 1) {
      if (isNew) await integrations.forgetDeletion(draft.id);
      const outcome = await teams.put(draft, work);
      switch (outcome.kind) {
        case 'put':
          return outcome.put;
        case 'taken':
          throw new ConflictError(`Team with name [${draft.name}] already exists. Its id is ${outcome.teamId}.`);
        case 'unknown-member':
          throw unknownUser(outcome.userId);
        case 'leaving':
          await saga.remove(outcome.teamId);
      }
    }
    throw new UnavailableError('The team is being deleted.');
  }

  #created(draft: TeamDraft, roles: readonly TeamRole[]) {
    const { newId, timezone } = this.#ports;
    const team = importedTeam(draft, roles, { id: newId(), timezone });
    return { team, log: [creationEntry(team)] };
  }
}

/** The very same team where nothing differs (E10). */
function replaced(
  present: Team,
  { createdAt, createdBy, ...edit }: TeamDraft,
  { names, roles }: { readonly names: MemberNames; readonly roles: readonly TeamRole[] },
) {
  const edited = editTeam(present, edit);
  const team = isDeepStrictEqual(roles, present.roles) ? edited : { ...edited, roles };
  const sentences = [...differences(present, team, names), ...roleDifferences(present.roles, team.roles)];
  return { team, log: entriesOf({ owner: createdBy, at: createdAt }, sentences) };
}
