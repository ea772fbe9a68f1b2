import type { EscalationState, ScheduleState } from '@tocsin/events';
import { UnavailableError } from '@tocsin/core';
import { MemoryReplica } from '@tocsin/kafka';
import type { Owned, Participation, ScheduleAssignment, Scheduling } from '../schedules/client.ts';
import type { TeamDefaults } from '../teams/team.ts';

/** A double of scheduling: `defaults` has the created things, the other fields those that a test adds. */
export class MemoryScheduling implements Scheduling {
  readonly defaults = new Map<string, TeamDefaults>();
  readonly released = new Set<string>();
  /** `type:id` -> sentences. */
  readonly uses = new Map<string, readonly string[]>();
  /** The schedules and escalations that it publishes. */
  readonly schedules = new MemoryReplica<ScheduleState>({ name: ({ name }) => name });
  readonly escalations = new MemoryReplica<EscalationState>({ name: ({ name }) => name });
  /** Team id -> the users in the rotations of its schedules. */
  readonly participations = new Map<string, readonly Participation[]>();
  isUnavailable = false;
  refuses = false;

  async ensureTeamDefaults({
    id,
    name,
  }: {
    readonly id: string;
    readonly name: string;
  }): Promise<TeamDefaults | 'refused'> {
    await this.#answer();
    if (this.refuses) return 'refused';
    const made = { scheduleId: `schedule-of-${id}`, escalationId: `escalation-of-${id}` };
    this.defaults.set(id, made);
    this.addSchedule(made.scheduleId, `${name}_schedule`, id);
    this.addEscalation(made.escalationId, `${name}_escalation`, id);
    return made;
  }

  async releaseTeam(teamId: string): Promise<void> {
    await this.#answer();
    this.defaults.delete(teamId);
    this.released.add(teamId);
  }

  async find(
    type: 'schedule' | 'escalation',
    reference: { readonly id: string } | { readonly name: string },
  ): Promise<Owned | undefined> {
    await this.#answer();
    const [index, value] = 'id' in reference ? ['id', reference.id] : ['name', reference.name];
    return (type === 'schedule' ? this.schedules : this.escalations).find(index, value);
  }

  addSchedule(id: string, name: string, ownerTeamId?: string): void {
    const owner = ownerTeamId === undefined ? {} : { ownerTeamId };
    this.schedules.put(id, { id, name, ...owner, description: '', timezone: 'UTC', enabled: true, rotations: [] });
  }

  addEscalation(id: string, name: string, ownerTeamId?: string): void {
    const owner = ownerTeamId === undefined ? {} : { ownerTeamId };
    this.escalations.put(id, { id, name, ...owner, description: '', rules: [] });
  }

  async usesOf(type: 'user' | 'team', id: string): Promise<readonly string[]> {
    await this.#answer();
    return this.uses.get(`${type}:${id}`) ?? [];
  }

  async participationsIn(teamId: string): Promise<readonly Participation[]> {
    await this.#answer();
    return this.participations.get(teamId) ?? [];
  }

  async assignments(wanted: {
    ids: readonly string[];
    names: readonly string[];
  }): Promise<readonly ScheduleAssignment[]> {
    await this.#answer();
    return [...this.schedules.all()]
      .filter(({ id, name }) => wanted.ids.includes(id) || wanted.names.includes(name))
      .map(({ id, name, ownerTeamId, rotations }) => ({
        id,
        name,
        ownerTeamId,
        userIds: rotations.flatMap(({ participants }) =>
          participants.flatMap((one) => (one.type === 'user' ? one.id : [])),
        ),
      }));
  }

  async #answer(): Promise<void> {
    await Promise.resolve();
    if (this.isUnavailable) throw new UnavailableError('A service that is needed does not answer. Please try again.');
  }
}
