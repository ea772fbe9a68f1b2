import { formatInstant, minutesView, type EscalationRepeat } from '@tocsin/contracts';
import type { Escalation } from '../domain/escalation.ts';
import type { Mention } from '../domain/mentions.ts';
import type { Participant, Rotation, Schedule } from '../domain/schedule.ts';
import { nameIn, type Snapshot } from '../domain/snapshot.ts';

export type Json = Readonly<Record<string, unknown>>;

/** A schedule as GET and the list show it (part 2, 2.4); the list leaves rotations out unless the query expands them. */
export function scheduleView(schedule: Schedule, snapshot: Snapshot, options: { readonly rotations: boolean }): Json {
  const { id, name, description, timezone, enabled, rotations } = schedule;
  return {
    id,
    name,
    description,
    timezone,
    enabled,
    ...ownerView(schedule.ownerTeamId, snapshot),
    rotations: options.rotations ? rotations.map((rotation) => rotationView(rotation, snapshot)) : [],
  };
}

/** A rotation as GET and the list show it (part 2, 2.5); a participant that is gone is shown by its id alone. */
export function rotationView(rotation: Rotation, snapshot: Snapshot): Json {
  const { id, name, startAt, endAt, type, length, participants, timeRestriction } = rotation;
  return {
    id,
    name,
    startDate: formatInstant(startAt),
    ...(endAt && { endDate: formatInstant(endAt) }),
    type,
    length,
    participants: participants.map((participant) => participantView(participant, snapshot)),
    ...(timeRestriction && { timeRestriction }),
  };
}

/** A participant, or the user of an override. */
export const participantView = (participant: Participant, snapshot: Snapshot): Json =>
  participant.type === 'none' ? { type: 'none' } : mentionView(participant, snapshot);

/** An escalation as GET and the list show it (part 2, 2.9); without `repeat` where it does not repeat (wire facts 10.1). */
export function escalationView(escalation: Escalation, snapshot: Snapshot): Json {
  const { id, name, description, rules, repeat } = escalation;
  return {
    id,
    name,
    description,
    ...ownerView(escalation.ownerTeamId, snapshot),
    rules: rules.map(({ condition, notifyType, delayMinutes, recipient }) => ({
      condition,
      notifyType,
      delay: minutesView(delayMinutes),
      recipient: mentionView(recipient, snapshot),
    })),
    ...(repeat && { repeat: repeatView(repeat) }),
  };
}

const repeatView = ({ waitMinutes, count, resetRecipientStates, closeAlertAfterAll }: EscalationRepeat): Json => ({
  waitInterval: waitMinutes,
  count,
  resetRecipientStates,
  closeAlertAfterAll,
});

/** Id and name, user name for users (E10); a name that is not known is left out. */
function mentionView({ type, id }: Mention, snapshot: Snapshot): Json {
  const name = nameIn(snapshot, { type, id });
  return { type, id, ...(name !== undefined && { [type === 'user' ? 'username' : 'name']: name }) };
}

function ownerView(teamId: string | undefined, snapshot: Snapshot): Json {
  if (teamId === undefined) return {};
  const name = snapshot.team(teamId)?.name;
  return { ownerTeam: { id: teamId, ...(name !== undefined && { name }) } };
}
