import { usersOf } from './on-call-tree.ts';
import { Expansion, Budget, Unknown, type OnCallNode } from './on-call/expansion.ts';
import type { Span } from './on-call/span.ts';
import { keyOf, timelineOf, type Period, type Timeline, type TimelineRow } from './on-call/timeline.ts';
import type { Participant, Schedule } from './schedule.ts';
import type { Snapshot } from './snapshot.ts';

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
  readonly unknown: ReturnType<Unknown['all']>;
  /** The budget did not suffice to open every period: the range has to be shorter. */
  readonly isCutOff: boolean;
}

/** Steps of opening that the periods of one timeline may take together. */
const MOST_STEPS = 200_000;

/** Draws `schedule` in `range`; teams and escalations of periods over by `now` are opened as of the period's start (S5). */
export function scheduleTimeline(snapshot: Snapshot, schedule: Schedule, range: Span, now: Date): ScheduleTimeline {
  const unknown = new Unknown();
  const exists = (id: string) => unknown.noted(snapshot.user(id), 'user', id) !== undefined;
  const timeline = timelineOf(schedule, range, { forwardings: snapshot.forwardings, exists });
  const budget = new Budget(MOST_STEPS);
  const open = openedOnce((participant, from) => {
    const expansion = new Expansion(snapshot, new Date(from), { unknown, budget });
    return usersOf(expansion.ofParticipant(participant, [`schedule:${schedule.id}`]));
  });
  const past = (period: Period): PastOrComingPeriod => ({
    ...period,
    users: period.until <= now.getTime() ? peopleOf(period, snapshot, unknown, open) : undefined,
  });
  const layer = (rows: readonly TimelineRow[]) =>
    rows.map(({ rotation, periods }) => {
      unknown.noteRecipients(periods, snapshot);
      return { rotation, periods: periods.map(past) };
    });
  const { base, override, forwarding, final } = timeline;
  const layers = {
    base: layer(base),
    override: layer(override),
    forwarding: layer(forwarding),
    final: layer(final),
  };
  return { layers, unknown: unknown.all(), isCutOff: budget.isUsedUp };
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

function peopleOf(
  { recipient, fromUserId, from }: Period,
  snapshot: Snapshot,
  unknown: Unknown,
  open: Open,
): readonly OnCallNode[] {
  if (recipient.type === 'none') return [];
  if (recipient.type !== 'user') return open(recipient, from);
  const user = unknown.noted(snapshot.user(recipient.id), 'user', recipient.id);
  if (user === undefined) return [];
  const first = fromUserId === undefined ? undefined : snapshot.user(fromUserId);
  const forwardedFrom = fromUserId && { type: 'user' as const, id: fromUserId, name: first?.username ?? fromUserId };
  return [
    { type: 'user', id: user.id, name: user.username, ...(forwardedFrom && { forwardedFrom }), participants: [] },
  ];
}
