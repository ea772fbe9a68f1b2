import type { Clock } from '@tocsin/core';
import { accessTo, actorName, type Principal, requireWrite, teamKeyRefused } from '@tocsin/http';
import type { Reference } from '../references/reference.ts';
import { unknownUser } from '../users/user.ts';
import type { TeamStore } from './store.ts';
import { entriesOf } from './team-log.ts';
import { type Team, unknownTeam } from './team.ts';

/** A change of a team. Nothing is written where `team` is the same object. */
export interface LoggedChange<T> {
  readonly team: Team;
  /** One sentence for each line of the team's history. */
  readonly sentences: readonly string[];
  readonly hasIdsOfCaller?: true;
  readonly answer: T;
}

export interface TeamChangesDependencies {
  readonly teams: TeamStore;
  readonly clock: Clock;
}

/** Changes one team for a caller, undisturbed by other writers of configuration, with lines in the team's history. */
export class TeamChanges {
  readonly #ports: TeamChangesDependencies;

  constructor(ports: TeamChangesDependencies) {
    this.#ports = ports;
  }

  /**
   * The team as it is, for a caller who may see it.
   *
   * @throws NotFoundError when there is no such team.
   * @throws ForbiddenError when the caller is bound to another one (part 1, 7).
   */
  async present(reference: Reference, caller: Principal): Promise<Team> {
    const team = await this.#ports.teams.find(reference);
    if (team === undefined) throw unknownTeam(reference);
    requireRead(team, caller);
    return team;
  }

  /**
   * As {@link present}, for a caller who may change the team.
   *
   * @throws ForbiddenError also when a person administers neither the team nor the account (K12).
   */
  async changeable(reference: Reference, caller: Principal): Promise<Team> {
    const team = await this.present(reference, caller);
    requireChange(team, caller);
    return team;
  }

  /**
   * Replaces the team by what `work` makes of it. `work` may run several times. Where it throws, its error is thrown and nothing is
   * written.
   *
   * @throws NotFoundError when there is no such team, or the new state has a member who does not exist.
   * @throws ForbiddenError as {@link changeable}.
   * @throws ConflictError when the new name is taken.
   */
  async run<T>(reference: Reference, caller: Principal, work: (team: Team) => LoggedChange<T>): Promise<T> {
    const actor = { owner: actorName(caller), at: this.#ports.clock.now() };
    const outcome = await this.#ports.teams.change(reference, (present) => {
      requireChange(present, caller);
      const { sentences, ...change } = work(present);
      return { ...change, log: entriesOf(actor, sentences) };
    });
    switch (outcome.kind) {
      case 'changed':
        return outcome.answer;
      case 'missing':
        throw unknownTeam(reference);
      case 'unknown-member':
        throw unknownUser(outcome.userId);
    }
  }
}

/** @throws ForbiddenError when the key is another team's (part 1, 7). */
function requireRead({ id }: Team, caller: Principal): void {
  if (accessTo({ ownerTeamId: id }, caller) === 'none') throw teamKeyRefused();
}

/** @throws ForbiddenError when the key is another team's, or the person administers neither the team nor the account (K12). */
function requireChange({ id, name }: Team, caller: Principal): void {
  requireWrite({ ownerTeamId: id, teamName: name, action: 'change it' }, caller);
}
