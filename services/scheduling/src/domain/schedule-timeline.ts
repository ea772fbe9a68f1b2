import type { Mention } from './mentions.ts';
import { usersOf } from './on-call-tree.ts';
import { Budget, Expansion, userNode, type OnCallNode } from './on-call/expansion.ts';
import type { Span } from './on-call/span.ts';
import type { Steps } from './on-call/steps.ts';
import { alike, keyOf, timelineSteps, type Period, type Timeline, type TimelineRow } from './on-call/timeline.ts';
import type { Participant, Schedule } from './schedule.ts';
import { TrackedSnapshot, type Snapshot } from './snapshot.ts';

/** A period, and for one that is over the people whom it came to (part 2, 2.7). */
export interface PastOrComingPeriod extends Period {
  /** Undefined while the period is not over. */
  readonly users: readonly OnCallNode[] | undefined;
}

/** The timeline of a schedule as of one instant. */
export interface ScheduleTimeline {
  readonly layers: Readonly<
    Record<
      keyof Timeline,
      readonly (Omit<TimelineRow, 'periods'> & { readonly periods: readonly PastOrComingPeriod[] })[]
    >
  >;
  /** Ids of users and teams that are not in the snapshot, each once. */
  readonly unknown: readonly Mention[];
  /** How many steps of opening are left; none where they did not suffice to open every period. */
  readonly steps: number;
}

/** Steps of opening that the periods of one timeline may take together. */
export const MAX_TIMELINE_STEPS = 200_000;

/**
 * Draws `schedule` in `range`; teams and escalations of periods over by `now` are opened as of the period's start (S5), in so
 * many steps at most.
 */
export function* scheduleTimelineSteps(
  snapshot: Snapshot,
  schedule: Schedule,
  range: Span,
  { now, steps }: { readonly now: Date; readonly steps: number },
): Steps<ScheduleTimeline> {
  const tracked = new TrackedSnapshot(snapshot);
  const timeline = yield* timelineSteps(schedule, range, tracked);
  const budget = new Budget(steps);
  const open = openedOnce((participant, from) => {
    const expansion = new Expansion(tracked, new Date(from), budget);
    return usersOf(expansion.ofParticipant(participant, [`schedule:${schedule.id}`]));
  });
  const past = (period: Period): PastOrComingPeriod => ({
    ...period,
    users: period.until <= now.getTime() ? peopleOf(period, tracked, open) : undefined,
  });
  const layer = function* (rows: readonly TimelineRow[]): Steps<Layers[keyof Layers]> {
    const opened: Layers[keyof Layers][number][] = [];
    for (const { rotation, periods } of rows) {
      opened.push({ rotation, periods: periods.map(past) });
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
  return { layers, unknown: tracked.unknown, steps: budget.left };
}

type Layers = ScheduleTimeline['layers'];

/** Joins the timelines of the parts of a range, in their order. */
export function joined(parts: readonly Layers[], now: Date): Layers {
  const layer = (name: keyof Layers): Layers[keyof Layers] =>
    (parts[0]?.[name] ?? []).map(({ rotation }, row) => ({
      rotation,
      periods: joinedPeriods(
        parts.flatMap((part) => part[name][row]?.periods ?? []),
        now,
      ),
    }));
  return { base: layer('base'), override: layer('override'), forwarding: layer('forwarding'), final: layer('final') };
}

/** Joins a period that continues in the next part, with the users of its start. */
function joinedPeriods(periods: readonly PastOrComingPeriod[], now: Date): readonly PastOrComingPeriod[] {
  const result: PastOrComingPeriod[] = [];
  for (const period of periods) {
    const last = result.at(-1);
    if (last?.until !== period.from || !alike(last, period)) result.push(period);
    else {
      const { until } = period;
      result[result.length - 1] = { ...last, until, users: until <= now.getTime() ? last.users : undefined };
    }
  }
  return result;
}

/** The people behind a participant at an instant. */
type Open = (participant: Participant, from: number) => readonly OnCallNode[];

/** Layers and rotations ask for the same team at the same instant again and again. */
function openedOnce(open: Open): Open {
  const known = new Map<string, readonly OnCallNode[]>();
  return (participant, from) => {
    const key = `${keyOf(participant)}@${from}`;
    const users = known.get(key) ?? open(participant, from);
    known.set(key, users);
    return users;
  };
}

function peopleOf({ recipient, fromUserId, from }: Period, snapshot: Snapshot, open: Open): readonly OnCallNode[] {
  if (recipient.type === 'none') return [];
  if (recipient.type !== 'user') return open(recipient, from);
  const node = userNode(snapshot, recipient.id, fromUserId ?? recipient.id);
  return node === undefined ? [] : [node];
}
