import type { Clock } from '@tocsin/clock';
import { teamAccess, teamKeyRefused } from '@tocsin/key-auth';
import type { Reference } from '../domain/reference.ts';
import type { Team } from '../domain/team.ts';
import { entriesOf } from '../domain/team-log.ts';
import type { TeamStore } from '../ports/team-store.ts';
import { unknownTeam, unknownUser } from './not-found.ts';

/** Who asks for something of a team: the name of the key, and the team to which it is bound, if to one (K4). */
export interface TeamCaller {
  readonly name: string;
  readonly boundTo: string | undefined;
}

/** What becomes of a team; the same `team` back means that nothing is written or told. */
export interface LoggedChange<T> {
  readonly team: Team;
  /** One sentence for each line of the team's history. */
  readonly sentences: readonly string[];
  readonly answer: T;
}

export interface TeamChangesDependencies {
  readonly teams: TeamStore;
  readonly clock: Clock;
}

/** Changes of one team in the name of a caller: each is one step that sees nobody else write, told in the team's history. */
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
  async present(reference: Reference, caller: TeamCaller): Promise<Team> {
    const team = await this.#ports.teams.find(reference);
    if (team === undefined) throw unknownTeam(reference);
    allowOwn(team, caller);
    return team;
  }

  /**
   * Lets `work` make a new state; it may be called several times and must have no effect of its own. What it throws is
   * passed on and nothing is written.
   *
   * @throws NotFoundError when there is no such team, or the new state has a member who does not exist.
   * @throws ForbiddenError when the caller is bound to another team.
   * @throws ConflictError when the new name is taken.
   */
  async run<T>(reference: Reference, caller: TeamCaller, work: (team: Team) => LoggedChange<T>): Promise<T> {
    const actor = { owner: caller.name, at: this.#ports.clock.now() };
    const outcome = await this.#ports.teams.change(reference, (present) => {
      allowOwn(present, caller);
      const { team, sentences, answer } = work(present);
      return { team, log: entriesOf(actor, sentences), answer };
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

function allowOwn({ id }: Team, { boundTo }: TeamCaller): void {
  if (teamAccess({ ownerTeamId: id }, boundTo) !== 'write') throw teamKeyRefused();
}
