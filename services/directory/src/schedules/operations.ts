import type { Reference } from '@tocsin/api';
import type { ScheduleState } from '@tocsin/events';
import { InvalidError, UnavailableError } from '@tocsin/core';
import type { ReplicaView } from '@tocsin/kafka';
import { doesNotExist } from '../references/reference.ts';
import type { Team } from '../teams/team.ts';
import type { ScheduleAssignment, Scheduling } from './client.ts';

export interface UserSchedulesDependencies {
  readonly scheduling: Scheduling;
  /** An active team. */
  readonly findTeam: (reference: { readonly id: string }) => Promise<Pick<Team, 'members'> | undefined>;
  /** Schedules as scheduling publishes them. */
  readonly schedules: ReplicaView<ScheduleState>;
}

/**
 * The users whose own a schedule is: those in one of its rotations, and the members of the team that owns it (U12).
 *
 * `resolve` and `owners` throw UnavailableError when scheduling has to be asked and is unavailable.
 */
export class UserSchedules {
  readonly #ports: UserSchedulesDependencies;

  constructor(ports: UserSchedulesDependencies) {
    this.#ports = ports;
  }

  /**
   * The ids of the user's own schedules that are named, each once. Those of `kept` are not checked: a rule may keep its schedules, also
   * deleted ones (E10).
   *
   * `at` is the path of the rule in the body.
   *
   * @throws NotFoundError that names a schedule which does not exist.
   * @throws InvalidError that names the field of one that is not the user's own.
   */
  async resolve(
    userId: string,
    references: readonly Reference[],
    { kept = [], at = '' }: { readonly kept?: readonly string[]; readonly at?: string } = {},
  ): Promise<readonly string[]> {
    const asked = references.filter(({ id }) => id === undefined || !kept.includes(id));
    const assignments = await this.#assignments(
      asked.flatMap(({ id }) => id ?? []),
      asked.flatMap(({ id, name }) => (id === undefined ? (name ?? []) : [])),
    );
    const owners = await this.#ownersOf(assignments);
    const ids = references.map((reference, index) => {
      if (reference.id !== undefined && kept.includes(reference.id)) return reference.id;
      const assignment = assignments.find(({ id, name }) =>
        reference.id === undefined ? name === reference.name : id === reference.id,
      );
      if (assignment === undefined) throw doesNotExist('Schedule', reference);
      if (!kept.includes(assignment.id) && owners.get(assignment.id)?.has(userId) !== true)
        throw InvalidError.ofFields({ [`${at}schedules[${index}]`]: 'should be one of the schedules of the user' });
      return assignment.id;
    });
    return [...new Set(ids)];
  }

  /** Schedule id -> ids of the users whose own it is; without those that do not exist. */
  async owners(scheduleIds: readonly string[]): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
    return this.#ownersOf(await this.#assignments(scheduleIds, []));
  }

  /** Their present names; undefined for a deleted schedule, and while scheduling does not answer. */
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

  async #assignments(ids: readonly string[], names: readonly string[]): Promise<readonly ScheduleAssignment[]> {
    return ids.length + names.length === 0 ? [] : this.#ports.scheduling.assignments({ ids, names });
  }

  async #ownersOf(assignments: readonly ScheduleAssignment[]): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
    const teamIds = new Set(assignments.flatMap(({ ownerTeamId }) => ownerTeamId ?? []));
    const members = new Map<string, readonly string[]>();
    for (const id of teamIds) {
      const team = await this.#ports.findTeam({ id });
      members.set(id, team?.members.map(({ userId }) => userId) ?? []);
    }
    return new Map(
      assignments.map(({ id, userIds, ownerTeamId = '' }) => [
        id,
        new Set([...userIds, ...(members.get(ownerTeamId) ?? [])]),
      ]),
    );
  }
}
