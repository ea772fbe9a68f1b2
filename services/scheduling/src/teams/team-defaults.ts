import type { Version } from '@tocsin/events';
import type { Escalation, EscalationRule } from '../escalations/escalation.ts';
import type { Schedule } from '../schedules/schedule.ts';

/** The fields of a new team that its defaults use. */
export interface NewTeam {
  readonly teamId: string;
  readonly teamName: string;
  readonly timezone: string;
  readonly scheduleId: string;
  readonly escalationId: string;
  readonly createdAt: Date;
  readonly version: Version;
}

/** The schedule of a new team: without a rotation, so no user is on call until one is added (S11). */
export function defaultSchedule(team: NewTeam, isTaken: (name: string) => boolean): Schedule {
  return {
    id: team.scheduleId,
    name: freeName(`${team.teamName}_schedule`, isTaken),
    description: '',
    timezone: team.timezone,
    enabled: true,
    ownerTeamId: team.teamId,
    rotations: [],
    overrides: [],
    createdAt: team.createdAt,
    version: team.version,
  };
}

/** The escalation of a new team: on call at once, next on call after 5 minutes, all members after 10 (S11). */
export function defaultEscalation(team: NewTeam, isTaken: (name: string) => boolean): Escalation {
  const schedule = { type: 'schedule', id: team.scheduleId } as const;
  const rules: readonly EscalationRule[] = [
    { condition: 'if-not-acked', notifyType: 'default', delayMinutes: 0, recipient: schedule },
    { condition: 'if-not-acked', notifyType: 'next', delayMinutes: 5, recipient: schedule },
    { condition: 'if-not-acked', notifyType: 'all', delayMinutes: 10, recipient: { type: 'team', id: team.teamId } },
  ];
  return {
    id: team.escalationId,
    name: freeName(`${team.teamName}_escalation`, isTaken),
    description: '',
    ownerTeamId: team.teamId,
    rules,
    repeat: undefined,
    createdAt: team.createdAt,
    version: team.version,
  };
}

/** `name`, or the first of `name (2)`, `name (3)`… that is not taken. */
function freeName(name: string, isTaken: (name: string) => boolean): string {
  if (!isTaken(name)) return name;
  let number = 2;
  while (isTaken(`${name} (${number})`)) number += 1;
  return `${name} (${number})`;
}
