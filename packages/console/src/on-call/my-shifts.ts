import type { CalendarShift } from './calendar.ts';
import type { OnCall } from './queries.ts';

/** When a user is on call. */
export interface OnCallTimes {
  /** The shifts that have begun. */
  readonly now: readonly CalendarShift[];
  /** The first one that begins later. */
  readonly next: CalendarShift | undefined;
}

export const timesOf = (shifts: readonly CalendarShift[], now: number): OnCallTimes => ({
  now: shifts.filter(({ from, until }) => from <= now && now < until),
  next: shifts.find(({ from }) => from > now),
});

interface Participant {
  readonly type?: unknown;
  readonly name?: unknown;
  /** More of them. */
  readonly onCallParticipants?: unknown;
}

const hasUser = (participants: readonly Participant[], username: string): boolean =>
  participants.some(
    ({ name, onCallParticipants = [], type }) =>
      (type === 'user' && name === username) || hasUser(onCallParticipants as readonly Participant[], username),
  );

/** Whether a user is on call in a schedule now, also through a team or an escalation. */
export const isOnCall = (onCall: OnCall, username: string): boolean =>
  'onCallParticipants' in onCall
    ? hasUser(onCall.onCallParticipants, username)
    : onCall.onCallRecipients.includes(username);

/** The names of the schedules in which a user is on call through a team or an escalation alone: no calendar has these. */
export const schedulesThroughOthers = (
  onCalls: readonly OnCall[],
  shifts: readonly CalendarShift[],
  username: string,
): readonly string[] => {
  const own = new Set(shifts.map(({ schedule }) => schedule));
  return onCalls
    .filter((onCall) => isOnCall(onCall, username) && !own.has(onCall._parent.name))
    .map(({ _parent }) => _parent.name);
};
