import { mayName } from '@tocsin/events';
import type { Configuration } from './configuration.ts';
import type { Escalation } from '../escalations/escalation.ts';
import { mentionsOf, type Mention } from './mentions.ts';
import type { Participant, Schedule } from '../schedules/schedule.ts';

type Configured = Pick<Configuration, 'schedules' | 'escalations'>;

/** The default schedule and escalation of a team. Their uses of each other and of the team do not count (S12). */
export interface TeamDefaults {
  readonly scheduleId: string;
  readonly escalationId: string;
}

/** The team that owns a schedule, and the users in its rotations, each once. */
export interface ScheduleMembers {
  readonly id: string;
  readonly name: string;
  readonly ownerTeamId?: string;
  readonly userIds: readonly string[];
}

export function scheduleMembers(schedule: Schedule): ScheduleMembers {
  const { id, name, ownerTeamId } = schedule;
  const users = mentionsOf(schedule).filter(({ type }) => type === 'user');
  const userIds = [...new Set(users.map((user) => user.id))];
  return { id, name, ...(ownerTeamId === undefined ? {} : { ownerTeamId }), userIds };
}

/**
 * One sentence for each rotation and escalation that names the entity: the message of a 428 (S12). The defaults of a team count
 * only where no `defaults` are given. Where the entity is a team, schedules and escalations of other teams do not count: another
 * team could prevent its deletion (K9).
 */
export function usesOf(entity: Mention, present: Configured, defaults?: TeamDefaults): readonly string[] {
  const names = (one: Participant | Mention): boolean =>
    one.type !== 'none' && one.type === entity.type && one.id === entity.id;
  const counts = ({ ownerTeamId }: Schedule | Escalation): boolean =>
    entity.type !== 'team' || mayName({ ownerTeamId }, entity.id);
  const schedules = present.schedules.all().filter((one) => one.id !== defaults?.scheduleId && counts(one));
  const escalations = present.escalations.all().filter((one) => one.id !== defaults?.escalationId && counts(one));
  return [
    ...schedules.flatMap((schedule) =>
      schedule.rotations
        .filter(({ participants }) => participants.some(names))
        .map(({ name }) => `It is in rotation [${name}] of schedule [${schedule.name}].`),
    ),
    ...escalations
      .filter(({ rules }) => rules.some(({ recipient }) => names(recipient)))
      .map(({ name }) => `It is a recipient of escalation [${name}].`),
  ];
}

/** A place of a user in a rotation, by names. */
export interface Participation {
  readonly userId: string;
  readonly rotation: string;
  readonly schedule: string;
}

/** Each user in each rotation of the team's schedules, once. */
export function participationsOfTeam(teamId: string, schedules: readonly Schedule[]): readonly Participation[] {
  return schedules
    .filter(({ ownerTeamId }) => ownerTeamId === teamId)
    .flatMap((schedule) =>
      schedule.rotations.flatMap(({ name, participants }) => {
        const userIds = new Set(participants.flatMap((one) => (one.type === 'user' ? [one.id] : [])));
        return [...userIds].map((userId) => ({ userId, rotation: name, schedule: schedule.name }));
      }),
    );
}

/** The other uses of a team and of its default schedule and escalation (S12). */
export const usesOfTeam = (teamId: string, defaults: TeamDefaults, present: Configured): readonly string[] => [
  ...usesOf({ type: 'team', id: teamId }, present, defaults),
  ...usesOf({ type: 'schedule', id: defaults.scheduleId }, present, defaults).map(
    (use) => `Its default schedule: ${use}`,
  ),
  ...usesOf({ type: 'escalation', id: defaults.escalationId }, present, defaults).map(
    (use) => `Its default escalation: ${use}`,
  ),
];
