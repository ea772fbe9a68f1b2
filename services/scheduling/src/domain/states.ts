import type { EscalationState, ScheduleState, StateMessage } from '@tocsin/contracts';
import type { Escalation } from './escalation.ts';
import type { Schedule } from './schedule.ts';

/** A schedule as `schedules.v1` carries it. */
export function scheduleMessage(schedule: Schedule): StateMessage<ScheduleState> {
  const { id, name, description, timezone, enabled, ownerTeamId, version } = schedule;
  const rotations = schedule.rotations.map(({ startAt, endAt, participants, timeRestriction, ...rotation }) => ({
    ...rotation,
    startDate: startAt.toISOString(),
    ...(endAt && { endDate: endAt.toISOString() }),
    participants: [...participants],
    ...(timeRestriction && { timeRestriction }),
  }));
  const state = { id, name, description, timezone, enabled, ...owner(ownerTeamId), rotations };
  return { id, version, deleted: false, state };
}

/** An escalation as `escalations.v1` carries it. */
export function escalationMessage(escalation: Escalation): StateMessage<EscalationState> {
  const { id, name, description, ownerTeamId, rules, repeat, version } = escalation;
  const state = { id, name, description, ...owner(ownerTeamId), rules: [...rules], ...(repeat && { repeat }) };
  return { id, version, deleted: false, state };
}

const owner = (ownerTeamId: string | undefined) => (ownerTeamId === undefined ? {} : { ownerTeamId });
