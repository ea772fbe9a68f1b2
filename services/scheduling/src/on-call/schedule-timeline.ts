import { finished, type Steps } from '@tocsin/core';
import type { Mention } from '../configuration/mentions.ts';
import { type Snapshot, TrackedSnapshot } from '../configuration/snapshot.ts';
import type { Participant, Schedule } from '../schedules/schedule.ts';
import { Expansion, type OnCallNode, userNode, usersOf } from './on-call-tree.ts';
import type { Span } from './span.ts';
import { alike, keyOf, type RotationTimeline, type Shift, type Timeline, timelineSteps } from './timeline.ts';
import { Budget } from './budget.ts';

/** A shift of a drawn timeline, and the users who were on call in it where it is over (part 2, 2.7). */
export interface DrawnShift extends Shift {
  /** Undefined while the shift is not over. */
  readonly users: readonly OnCallNode[] | undefined;
}

/** The timeline of a schedule as of one instant. */
export interface ScheduleTimeline {
  readonly layers: Readonly<
    Record<keyof Timeline, readonly (Omit<RotationTimeline, 'shifts'> & { readonly shifts: readonly DrawnShift[] })[]>
  >;
  /** Ids of users and teams that are not in the snapshot, each once. */
  readonly unknown: readonly Mention[];
  /** The cost of opening that is left; 0 where not every shift could be opened. */
  readonly left: number;
}

/** The cost of opening that the shifts of one timeline may have together, as in {@link Budget}. */
export const MAX_TIMELINE_COST = 200_000;

/**
 * Draws `schedule` in `range`; teams and escalations of shifts over by `now` are opened as of the shift's start (S5), at
 * that cost at most.
 */
export function* scheduleTimelineSteps(
  snapshot: Snapshot,
  schedule: Schedule,
  range: Span,
  { now, cost }: { readonly now: Date; readonly cost: number },
): Steps<ScheduleTimeline> {
  const tracked = new TrackedSnapshot(snapshot);
  const timeline = yield* timelineSteps(schedule, range, tracked);
  const budget = new Budget(cost);
  const open = openOnce((participant, from) => {
    const expansion = new Expansion(tracked, new Date(from), budget);
    return usersOf(finished(expansion.ofParticipant(participant, [`schedule:${schedule.id}`])));
  });
  const withUsers = (shift: Shift): DrawnShift => ({
    ...shift,
    users: shift.until <= now.getTime() ? usersOfShift(shift, tracked, open) : undefined,
  });
  const layer = function* (rotationLayers: readonly RotationTimeline[]): Steps<TimelineLayers[keyof TimelineLayers]> {
    const opened: TimelineLayers[keyof TimelineLayers][number][] = [];
    for (const { rotation, shifts } of rotationLayers) {
      opened.push({ rotation, shifts: shifts.map(withUsers) });
      yield;
    }
    return opened;
  };
  const { base, override, forwarding, final } = timeline;
  const layers = {
    base: yield* layer(base),
    override: yield* layer(override),
    forwarding: yield* layer(forwarding),
    final: yield* layer(final),
  };
  return { layers, unknown: tracked.unknown, left: budget.left };
}

type TimelineLayers = ScheduleTimeline['layers'];

/** Joins the timelines of the parts of a range, in their order. */
export function joinTimelines(parts: readonly TimelineLayers[], now: Date): TimelineLayers {
  const layer = (name: keyof TimelineLayers): TimelineLayers[keyof TimelineLayers] =>
    (parts[0]?.[name] ?? []).map(({ rotation }, rotationLayer) => ({
      rotation,
      shifts: joinShifts(
        parts.flatMap((part) => part[name][rotationLayer]?.shifts ?? []),
        now,
      ),
    }));
  return { base: layer('base'), override: layer('override'), forwarding: layer('forwarding'), final: layer('final') };
}

/** Joins a shift that continues in the next part, with the users of its start. */
function joinShifts(shifts: readonly DrawnShift[], now: Date): readonly DrawnShift[] {
  const result: DrawnShift[] = [];
  for (const shift of shifts) {
    const last = result.at(-1);
    if (last?.until !== shift.from || !alike(last, shift)) result.push(shift);
    else {
      const { until } = shift;
      result[result.length - 1] = { ...last, until, users: until <= now.getTime() ? last.users : undefined };
    }
  }
  return result;
}

/** The users of a participant at an instant. */
type Open = (participant: Participant, from: number) => readonly OnCallNode[];

/** Computes the users of a participant at an instant once, because layers and rotations repeat them. */
function openOnce(open: Open): Open {
  const known = new Map<string, readonly OnCallNode[]>();
  return (participant, from) => {
    const key = `${keyOf(participant)}@${from}`;
    const users = known.get(key) ?? open(participant, from);
    known.set(key, users);
    return users;
  };
}

function usersOfShift({ recipient, fromUserId, from }: Shift, snapshot: Snapshot, open: Open): readonly OnCallNode[] {
  if (recipient.type === 'none') return [];
  if (recipient.type !== 'user') return open(recipient, from);
  const node = userNode(snapshot, recipient.id, fromUserId ?? recipient.id);
  return node === undefined ? [] : [node];
}
