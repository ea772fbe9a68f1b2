import { UnavailableError } from '@tocsin/errors';
import type { TeamDefaults } from '../domain/team.ts';
import type { Scheduling } from '../ports/scheduling.ts';

/** Scheduling as a component test sees it: what it made is in `defaults`, what it is told to answer in the rest. */
export class MemoryScheduling implements Scheduling {
  readonly defaults = new Map<string, TeamDefaults>();
  readonly released = new Set<string>();
  /** `type:id` -> sentences. */
  readonly uses = new Map<string, readonly string[]>();
  away = false;
  refuses = false;

  async ensureTeamDefaults({ id }: { readonly id: string }): Promise<TeamDefaults | 'refused'> {
    await this.#answer();
    if (this.refuses) return 'refused';
    const made = { scheduleId: `schedule-of-${id}`, escalationId: `escalation-of-${id}` };
    this.defaults.set(id, made);
    return made;
  }

  async releaseTeam(teamId: string): Promise<void> {
    await this.#answer();
    this.defaults.delete(teamId);
    this.released.add(teamId);
  }

  async usesOf(type: 'user' | 'team', id: string): Promise<readonly string[]> {
    await this.#answer();
    return this.uses.get(`${type}:${id}`) ?? [];
  }

  async #answer(): Promise<void> {
    await Promise.resolve();
    if (this.away) throw new UnavailableError('A service that is needed does not answer. Please try again.');
  }
}
