import type { Reference, ScheduleState } from '@tocsin/contracts';
import { InvalidError, UnavailableError } from '@tocsin/errors';
import type { ReplicaView } from '@tocsin/messaging';
import type { Scheduling, ScheduleDuty } from '../ports/scheduling.ts';
import type { TeamStore } from '../ports/team-store.ts';
import { doesNotExist } from './not-found.ts';

export interface UserSchedulesDependencies {
  readonly scheduling: Scheduling;
  readonly teams: TeamStore;
  /** Schedules as scheduling announces them. */
  readonly schedules: ReplicaView<ScheduleState>;
}

/**
 * Whose own a schedule is: theirs who are in one of its rotations, or in the team that owns it (U12).
 *
 * `resolve` and `owners` throw UnavailableError when scheduling has to be asked and is away.
 */
export class UserSchedules {
  readonly #ports: UserSchedulesDependencies;

  constructor(ports: UserSchedulesDependencies) {
    this.#ports = ports;
  }

  /**
   * The ids of the user's own schedules that are named, each once. Those of `kept` are taken as they are: what a rule has
   * already may be written again, whatever became of it (E10).
   *
   * @throws NotFoundError that names a schedule which does not exist.
   * @throws InvalidError that names the field of one that is not the user's own.
   */
  async resolve(
    userId: string,
    references: readonly Reference[],
    kept: readonly string[] = [],
  ): Promise<readonly string[]> {
    const asked = references.filter(({ id }) => id === undefined || !kept.includes(id));
    const duties = await this.#duties(
      asked.flatMap(({ id }) => id ?? []),
      asked.flatMap(({ id, name }) => (id === undefined ? (name ?? []) : [])),
    );
    const owners = await this.#ownersOf(duties);
    const ids = references.map((reference, index) => {
      if (reference.id !== undefined && kept.includes(reference.id)) return reference.id;
      const duty = duties.find(({ id, name }) =>
        reference.id === undefined ? name === reference.name : id === reference.id,
      );
      if (duty === undefined) throw doesNotExist('Schedule', reference);
      if (!kept.includes(duty.id) && owners.get(duty.id)?.has(userId) !== true)
        throw InvalidError.ofFields({ [`schedules[${index}]`]: 'should be one of the schedules of the user' });
      return duty.id;
    });
    return [...new Set(ids)];
  }

  /** Schedule id -> ids of the users whose own it is; without those that do not exist. */
  async owners(scheduleIds: readonly string[]): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
    return this.#ownersOf(await this.#duties(scheduleIds, []));
  }

  /** What they are called now; undefined for one that does not exist any more, or can not be asked for. */
  async names(scheduleIds: readonly string[]): Promise<readonly (string | undefined)[]> {
    return Promise.all(scheduleIds.map((id) => this.#name(id)));
  }

  async #name(scheduleId: string): Promise<string | undefined> {
    try {
      return (await this.#ports.schedules.fetch('id', scheduleId))?.name;
    } catch (error) {
      if (error instanceof UnavailableError) return undefined;
      throw error;
    }
  }

  async #duties(ids: readonly string[], names: readonly string[]): Promise<readonly ScheduleDuty[]> {
    return ids.length + names.length === 0 ? [] : this.#ports.scheduling.duties({ ids, names });
  }

  async #ownersOf(duties: readonly ScheduleDuty[]): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
    const teamIds = new Set(duties.flatMap(({ ownerTeamId }) => ownerTeamId ?? []));
    const members = new Map<string, readonly string[]>();
    for (const id of teamIds) {
      const team = await this.#ports.teams.find({ id });
      members.set(id, team?.members.map(({ userId }) => userId) ?? []);
    }
    return new Map(
      duties.map(({ id, userIds, ownerTeamId = '' }) => [
        id,
        new Set([...userIds, ...(members.get(ownerTeamId) ?? [])]),
      ]),
    );
  }
}
