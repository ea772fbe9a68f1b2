import type { Participant, Rotation, Schedule } from './schedule.ts';
import { neighbour, turnAt, type Turn } from './turns.ts';

/** Which turn of each active rotation is meant: the one that covers the instant, or its neighbour (S9). */
export type ScheduleNotifyType = 'default' | 'next' | 'previous';

/** What one rotation of a schedule says about one instant, and by which turn: the ground of every explanation. */
export interface RotationOnCall {
  readonly rotation: { readonly id: string; readonly name: string };
  /** The turn that covers the instant, for `next` and `previous` too. */
  readonly turn: Turn;
  readonly notifyType: ScheduleNotifyType;
  readonly participant: Participant;
}

/**
 * Who is on call at `at`, per rotation that is active then (S4), or of each such rotation the participant after or before
 * (S9); nobody on a disabled schedule.
 */
export function participantsAt(
  schedule: Schedule,
  at: Date,
  notifyType: ScheduleNotifyType,
): readonly RotationOnCall[] {
  if (!schedule.enabled) return [];
  return schedule.rotations.flatMap((rotation) => {
    const turn = turnAt(rotation, schedule.timezone, at);
    if (turn === undefined) return [];
    const participant = participantOf(rotation, meantBy(notifyType, rotation, schedule.timezone, turn));
    if (participant === undefined) return [];
    return [{ rotation: { id: rotation.id, name: rotation.name }, turn, notifyType, participant }];
  });
}

function meantBy(notifyType: ScheduleNotifyType, rotation: Rotation, timezone: string, turn: Turn): number {
  switch (notifyType) {
    case 'default':
      return turn.index;
    case 'next':
      return neighbour(rotation, timezone, turn.index, 1);
    case 'previous':
      return neighbour(rotation, timezone, turn.index, -1);
  }
}

function participantOf({ participants }: Rotation, index: number): Participant | undefined {
  const count = participants.length;
  return participants[((index % count) + count) % count];
}
