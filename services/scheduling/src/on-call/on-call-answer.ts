import { formatInstant } from '@tocsin/events';
import type { Mention } from '../configuration/mentions.ts';
import { participantsAt, type RotationOnCall, type ScheduleNotifyType } from './on-call.ts';
import type { SkippedParticipant } from './rotation-layer.ts';
import type { Participant, Schedule } from '../schedules/schedule.ts';
import { nameIn, type Snapshot } from '../configuration/snapshot.ts';

/** The part of one rotation in an answer, in words for the log of the alert (promise 2). */
interface RotationAnswer extends RotationOnCall {
  /** `skipped`: all participants who would be on call were deleted. `none`: deliberately no participant is on call. */
  readonly outcome: 'on-call' | 'none' | 'skipped';
  readonly text: string;
}

/** The users whom a page to a schedule reaches, and why. */
export interface OnCallAnswer {
  /** Each once, in the order of the rotations. */
  readonly users: readonly { readonly userId: string }[];
  /** Teams to be routed by their rules and escalations to be started, each once (S4). */
  readonly responders: readonly { readonly type: 'team' | 'escalation'; readonly id: string }[];
  /** One per rotation that has a turn or an override at that instant. */
  readonly rotations: readonly RotationAnswer[];
  /** The answer in one paragraph, also where no user is reached. */
  readonly explanation: string;
}

/**
 * The users whom a page to schedule `scheduleId` reaches at `at`, before forwarding (S4, S9). Never fails: a schedule that was
 * deleted, is disabled or has no active rotation reaches no user and says so, and an override or participant that was deleted is
 * skipped and named (S12).
 */
export function onCallAnswer(
  snapshot: Snapshot,
  scheduleId: string,
  at: Date,
  notifyType: ScheduleNotifyType,
): OnCallAnswer {
  const schedule = snapshot.schedule(scheduleId);
  if (schedule === undefined) return noRecipient(`Schedule [${scheduleId}] does not exist any more.`);
  if (!schedule.enabled) return noRecipient(`Schedule [${schedule.name}] is disabled.`);
  const exists = (one: Mention): boolean => nameIn(snapshot, one) !== undefined;
  const found = participantsAt(schedule, at, notifyType, exists);
  if (found.length === 0) {
    return noRecipient(`Schedule [${schedule.name}] has no rotation that is active at ${formatInstant(at)}.`);
  }
  const rotations = found.map((rotation) => answerOf(snapshot, schedule, rotation));
  const reached = rotations.filter(({ outcome }) => outcome === 'on-call').map(({ participant }) => participant);
  return {
    users: unique(reached.flatMap((one) => (one.type === 'user' ? [one.id] : []))).map((userId) => ({ userId })),
    responders: (['team', 'escalation'] as const).flatMap((type) =>
      unique(reached.flatMap((one) => (one.type === type ? [one.id] : []))).map((id) => ({ type, id })),
    ),
    rotations,
    explanation: rotations.map(({ text }) => text).join(' '),
  };
}

const noRecipient = (explanation: string): OnCallAnswer => ({ users: [], responders: [], rotations: [], explanation });

const unique = (ids: readonly string[]): readonly string[] => [...new Set(ids)];

function answerOf(snapshot: Snapshot, schedule: Schedule, onCall: RotationOnCall): RotationAnswer {
  const { notifyType, participant, passedOver } = onCall;
  const where = `${WORDS[notifyType]} in ${placeOf(schedule, onCall)}${layersOf(snapshot, onCall)}`;
  const who = participant.type === 'none' ? 'No user' : calledIn(snapshot, participant);
  const text = [`${who} is ${where}.`, ...passedOver.map((one) => skippedText(snapshot, one))].join(' ');
  if (participant.type !== 'none') return { ...onCall, outcome: 'on-call', text };
  return { ...onCall, outcome: passedOver.length > 0 ? 'skipped' : 'none', text };
}

function skippedText(snapshot: Snapshot, { participant, override }: SkippedParticipant): string {
  const who = `${participant.type} [${participant.id}]`;
  const why = snapshot.isUnanswered?.(participant) === true ? 'could not be looked up' : 'does not exist any more';
  return override === undefined
    ? `The ${who} is skipped: it ${why}.`
    : `Override [${override}] is skipped: ${who} ${why}.`;
}

function placeOf({ name }: Schedule, { rotation, turn }: RotationOnCall): string {
  const place = rotation.name === '' ? `schedule [${name}]` : `rotation [${rotation.name}] of schedule [${name}]`;
  if (turn === undefined) return place;
  return `${place} (turn of ${formatInstant(turn.startsAt)} to ${formatInstant(turn.endsAt)})`;
}

/** The override that replaces the participant, or the time restriction that excludes them, in words. */
function layersOf(snapshot: Snapshot, { override, restricted }: RotationOnCall): string {
  if (override !== undefined) {
    return ` by override [${override.alias}], instead of ${calledIn(snapshot, override.displaced)}`;
  }
  return restricted ? ', outside of its time restriction' : '';
}

function calledIn(snapshot: Snapshot, participant: Participant | undefined): string {
  if (participant === undefined || participant.type === 'none') return 'no user';
  const name = nameIn(snapshot, participant) ?? participant.id;
  return participant.type === 'user' ? name : `${participant.type} [${name}]`;
}

const WORDS: Readonly<Record<ScheduleNotifyType, string>> = {
  default: 'on call',
  next: 'next on call',
  previous: 'previous on call',
};
