import type { Steps } from '@tocsin/core';
import type { NamedParticipant, Schedule } from '../schedules/schedule.ts';
import type { ForwardingView } from '../forwarding/forwarding.ts';
import { rotationLayersOf } from './rotation-layer.ts';
import { endWithinShiftsSteps } from './shift-count.ts';
import { covers, DAY_MS } from './span.ts';
import { keyOf, timelineSteps, type Shift } from './timeline.ts';

/** How far ahead the exact answer looks; most often the first day is enough. */
const HORIZONS_DAYS = [1, 14];

/** A participant who will be on call. */
export interface NextOnCall {
  readonly participant: NamedParticipant;
  /** The user on call before forwarding, where it is forwarded. */
  readonly forwardedFrom: string | undefined;
  /** The instant of the answer. */
  readonly at: Date;
}

/** The participants who are next on call in a schedule (part 2, 2.8; S6). */
export interface NextOnCalls {
  /** Per rotation that has a turn now, the participant of the turn after it, forwarded as at its start. */
  readonly byTurn: readonly NextOnCall[];
  /**
   * The users on call once the final timeline names a user who is not on call now, within 14 days; empty where it does not. For a
   * schedule with too many shifts the time is shorter.
   */
  readonly exact: readonly NextOnCall[];
}

/** Empty for a disabled schedule, and after the last turn of a rotation that ends. */
export function* nextOnCalls(schedule: Schedule, at: Date, view: ForwardingView): Steps<NextOnCalls> {
  if (!schedule.enabled) return { byTurn: [], exact: [] };
  const byTurn = rotationLayersOf(schedule).flatMap((rotationLayer): readonly NextOnCall[] => {
    const turn = rotationLayer.turnAfter(at.getTime());
    const participant = turn && rotationLayer.holderOf(turn.index, view.exists).participant;
    if (turn === undefined || participant === undefined || participant.type === 'none') return [];
    if (participant.type !== 'user') return [{ participant, forwardedFrom: undefined, at: new Date(turn.from) }];
    const { userId, chain } = view.forwardings.at(participant.id, turn.from, view.exists);
    const forwardedFrom = chain.length === 0 ? undefined : participant.id;
    return [{ participant: { type: 'user', id: userId }, forwardedFrom, at: new Date(turn.from) }];
  });
  return { byTurn, exact: yield* exactNext(schedule, at.getTime(), view) };
}

function* exactNext(schedule: Schedule, now: number, view: ForwardingView): Steps<readonly NextOnCall[]> {
  for (const days of HORIZONS_DAYS) {
    const until = yield* endWithinShiftsSteps(schedule, { from: now, until: now + days * DAY_MS }, view.forwardings);
    const { final } = yield* timelineSteps(schedule, { from: now, until }, view);
    const shifts = final.flatMap((rotationLayer) => rotationLayer.shifts);
    const present = new Set(shifts.filter((shift) => covers(shift, now)).map(({ recipient }) => keyOf(recipient)));
    const change = shifts
      .filter(({ recipient }) => !present.has(keyOf(recipient)))
      .reduce((earliest, { from }) => Math.min(earliest, from), Infinity);
    if (change < Infinity) return onCallFrom(shifts, change);
    if (until < now + days * DAY_MS) break;
  }
  return [];
}

/** The instant at which the final timeline next names other users, within 14 days; undefined where it does not. */
export function* nextChangeSteps(schedule: Schedule, at: Date, view: ForwardingView): Steps<Date | undefined> {
  const now = at.getTime();
  if (!schedule.enabled) return undefined;
  for (const days of HORIZONS_DAYS) {
    const until = yield* endWithinShiftsSteps(schedule, { from: now, until: now + days * DAY_MS }, view.forwardings);
    const { final } = yield* timelineSteps(schedule, { from: now, until }, view);
    const shifts = final.flatMap((rotationLayer) => rotationLayer.shifts);
    const present = keysAt(shifts, now);
    const bounds = new Set(shifts.flatMap((shift) => [shift.from, shift.until]));
    for (const bound of [...bounds].filter((each) => each > now && each < until).toSorted((a, b) => a - b)) {
      yield;
      if (keysAt(shifts, bound) !== present) return new Date(bound);
    }
    if (until < now + days * DAY_MS) break;
  }
  return undefined;
}

const keysAt = (shifts: readonly Shift[], instant: number): string =>
  [...new Set(shifts.filter((shift) => covers(shift, instant)).map(({ recipient }) => keyOf(recipient)))]
    .toSorted()
    .join();

const onCallFrom = (shifts: readonly Shift[], change: number): readonly NextOnCall[] =>
  shifts
    .filter((shift) => covers(shift, change))
    .flatMap(({ recipient, fromUserId }) =>
      recipient.type === 'none' ? [] : [{ participant: recipient, forwardedFrom: fromUserId, at: new Date(change) }],
    );
