import type { Escalation } from './escalation.ts';
import type { Participant, Schedule } from './schedule.ts';

/** The schedules and escalations among which uses are looked for. */
export interface UsesOf {
  readonly schedules: readonly Schedule[];
  readonly escalations: readonly Escalation[];
}

/** The defaults of a team: their own use of each other and of the team does not count (S12). */
export interface TeamDefaults {
  readonly scheduleId: string;
  readonly escalationId: string;
}

/** One sentence for each rotation and escalation that names the thing: the message of a 428 (S12). */
export function usesOf(
  type: 'user' | 'team' | 'schedule' | 'escalation',
  id: string,
  { schedules, escalations }: UsesOf,
): readonly string[] {
  const names = (participant: Participant): boolean =>
    participant.type === type && 'id' in participant && participant.id === id;
  return [
    ...schedules.flatMap((schedule) =>
      schedule.rotations
        .filter(({ participants }) => participants.some(names))
        .map(({ name }) => `It is in rotation [${name}] of schedule [${schedule.name}].`),
    ),
    ...escalations
      .filter(({ rules }) => rules.some(({ recipient }) => recipient.type === type && recipient.id === id))
      .map(({ name }) => `It is a recipient of escalation [${name}].`),
  ];
}

/** What else uses a team or its default schedule and escalation (S12). */
export function usesOfTeam(
  teamId: string,
  { scheduleId, escalationId }: TeamDefaults,
  { schedules, escalations }: UsesOf,
): readonly string[] {
  const others: UsesOf = {
    schedules: schedules.filter(({ id }) => id !== scheduleId),
    escalations: escalations.filter(({ id }) => id !== escalationId),
  };
  return [
    ...usesOf('team', teamId, others),
    ...usesOf('schedule', scheduleId, others).map((use) => `Its default schedule: ${use}`),
    ...usesOf('escalation', escalationId, others).map((use) => `Its default escalation: ${use}`),
  ];
}
