import type { TeamDefaults } from '../domain/team.ts';

/** A place of a user in a rotation. */
export interface Participation {
  readonly userId: string;
  readonly rotation: string;
  readonly schedule: string;
}

/** Who has to do with a schedule. */
export interface ScheduleDuty {
  readonly id: string;
  readonly name: string;
  readonly ownerTeamId?: string | undefined;
  /** The users in its rotations, each once. */
  readonly userIds: readonly string[];
}

/** A schedule or escalation, and the team that it belongs to, if to one. */
export interface Owned {
  readonly id: string;
  readonly ownerTeamId?: string | undefined;
}

/** The service that owns schedules and escalations, asked at once. Each call may be repeated with the same effect. */
export interface Scheduling {
  /**
   * Makes the schedule and the escalation of a team, or finds those made before (S11).
   *
   * @returns `'refused'` when it will never make them.
   * @throws UnavailableError when it cannot be asked.
   */
  ensureTeamDefaults(team: { readonly id: string; readonly name: string }): Promise<TeamDefaults | 'refused'>;
  /**
   * Removes the team's defaults and leaves what else it owns without an owner (S12).
   *
   * @throws UnavailableError when it cannot be asked.
   */
  releaseTeam(teamId: string): Promise<void>;
  /**
   * The schedule or escalation; undefined when there is none.
   *
   * @throws UnavailableError when it cannot be asked.
   */
  find(
    type: 'schedule' | 'escalation',
    reference: { readonly id: string } | { readonly name: string },
  ): Promise<Owned | undefined>;
  /**
   * One sentence for each thing that uses the user or team; a team's own defaults do not count (S12).
   *
   * @throws UnavailableError when it cannot be asked.
   */
  usesOf(type: 'user' | 'team', id: string): Promise<readonly string[]>;
  /**
   * The users in the rotations of the team's schedules, by name of the rotation and the schedule.
   *
   * @throws UnavailableError when it cannot be asked.
   */
  participationsIn(teamId: string): Promise<readonly Participation[]>;
  /**
   * The schedules with one of these ids or names; those that do not exist are left out.
   *
   * @throws UnavailableError when it cannot be asked.
   */
  duties(wanted: {
    readonly ids: readonly string[];
    readonly names: readonly string[];
  }): Promise<readonly ScheduleDuty[]>;
}
