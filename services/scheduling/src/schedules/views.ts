import type { AnswerOf } from '@tocsin/api';
import { formatInstant } from '@tocsin/events';
import type { Mention } from '../configuration/mentions.ts';
import type { Snapshot } from '../configuration/snapshot.ts';
import { mentionView, ownerView } from '../configuration/views.ts';
import type { Override } from './override.ts';
import type { Participant, Rotation, Schedule } from './schedule.ts';

/** A schedule as GET and the list show it (part 2, 2.4); the list leaves rotations out unless the query expands them. */
export function scheduleView(
  schedule: Schedule,
  snapshot: Snapshot,
  options: { readonly rotations: boolean },
): AnswerOf<'get-schedule'>['data'] {
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

/** A rotation as GET and the list show it (part 2, 2.5); a deleted participant is shown by its id alone. */
export function rotationView(
  rotation: Rotation,
  snapshot: Snapshot,
): Omit<AnswerOf<'get-rotation'>['data'], '_parent'> {
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
const participantView = (participant: Participant, snapshot: Snapshot) =>
  participant.type === 'none' ? participant : mentionView(participant, snapshot);

/** An override as GET and the list show it (part 2, 2.6); without `rotations` where it counts for all of them. */
export function overrideView(
  { alias, user, startAt, endAt, rotationIds }: Override,
  of: Schedule,
  snapshot: Snapshot,
): Omit<AnswerOf<'get-override'>['data'], '_parent'> {
  const named = rotationIds && of.rotations.filter(({ id }) => rotationIds.includes(id));
  return {
    alias,
    user: user.type === 'none' ? user : mentionView(user, snapshot),
    startDate: formatInstant(startAt),
    endDate: formatInstant(endAt),
    ...(named && { rotations: inOrder(named, rotationIds).map(({ id, name }) => ({ id, name })) }),
  };
}

const inOrder = <T extends { id: string }>(things: readonly T[], ids: readonly string[]): readonly T[] =>
  things.toSorted((a, b) => ids.indexOf(a.id) - ids.indexOf(b.id));

/** The users in the views of `overrides`. */
export const overrideUsers = (overrides: readonly Override[]): readonly Mention[] =>
  overrides.flatMap(({ user }) => (user.type === 'user' ? [user] : []));

/** The schedule to which an answer belongs (part 2, 2.5 to 2.8). */
export const parentView = ({ id, name, enabled }: Schedule): AnswerOf<'get-rotation'>['data']['_parent'] => ({
  id,
  name,
  enabled,
});
