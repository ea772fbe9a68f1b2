import {
  shiftMismatch,
  type LeadTime,
  type ShiftActionType,
  type ShiftNotice,
  type UserState,
} from '@tocsin/contracts';
import { DAY_MS, HOUR_MS, MINUTE_MS, type Span } from '../on-call/span.ts';
import type { Schedule } from '../schedule.ts';
import type { Snapshot } from '../snapshot.ts';
import { stintsOf, type Stint, type Stints } from './stints.ts';

/** How long before a stint begins or ends its user is told: elapsed time, whatever the clocks on the wall do meanwhile. */
const LEAD_MS: Readonly<Record<LeadTime, number>> = {
  'just-before': MINUTE_MS,
  '15-minutes-ago': 15 * MINUTE_MS,
  '1-hour-ago': HOUR_MS,
  '1-day-ago': DAY_MS,
};
const LEADS = Object.entries(LEAD_MS) as readonly (readonly [LeadTime, number])[];

const LONGEST_LEAD_MS = DAY_MS;
/** A schedule is looked at again after this time at the latest. */
const LOOK_AHEAD_MS = DAY_MS;
/** What nobody could tell for longer than this is not told any more. */
const LATEST_MS = DAY_MS;

/** Rotations that a notice names at most. */
const MOST_NAMED = 10;

/** A notice that came too late to be of use, and why. */
interface PassedOver {
  readonly notice: ShiftNotice;
  readonly reason: string;
}

/** What a schedule has to tell of its shifts at one instant. */
export interface DueNotices {
  readonly notices: readonly ShiftNotice[];
  readonly passedOver: readonly PassedOver[];
  /** When there may be something to tell next; undefined where there is nothing to come unless the schedule is changed. */
  readonly nextAt: Date | undefined;
  readonly unknown: Stints['unknown'];
}

/**
 * Everything that falls due in `schedule` from `from` to `now`, both inclusive, as the schedule is now: a notice for each user
 * who comes on call or goes off, and for each lead time that one of their rules asks for (U6).
 *
 * Where `now` is well after `from`, because nobody could tell in time, only what still holds is told: a start while its stint
 * lasts, an end until the user is on call again, neither more than a day late. The work depends on the number of periods in
 * three days at most.
 */
export function dueNotices(
  snapshot: Snapshot,
  schedule: Schedule,
  { from: asked, now }: { readonly from: Date; readonly now: Date },
): DueNotices {
  const until = now.getTime();
  const from = Math.max(asked.getTime(), until - LATEST_MS);
  // Whatever begins or ends inside of this range, borders excluded, really begins or ends there.
  const range: Span = { from: from - 1, until: until + LONGEST_LEAD_MS + LOOK_AHEAD_MS + 1 };
  const { stints, unknown } = stintsOf(snapshot, schedule, range);
  const found: Found[] = [];
  let nextAt = until + LOOK_AHEAD_MS;
  for (const change of stints.flatMap((stint) => changesOf(stint, range))) {
    for (const [leadTime, leadMs] of LEADS) {
      const dueAt = change.changesAt - leadMs;
      if (dueAt > until) nextAt = Math.min(nextAt, dueAt);
      else if (dueAt >= from && asksFor(snapshot.user(change.stint.userId), change, leadTime, schedule.id))
        found.push({
          notice: noticeOf(schedule, change, { leadTime, dueAt, at: now }),
          reason: useless(change, stints, until),
        });
    }
  }
  return {
    notices: found.flatMap(({ notice, reason }) => (reason === undefined ? [notice] : [])),
    passedOver: found.flatMap(({ notice, reason }) => (reason === undefined ? [] : [{ notice, reason }])),
    nextAt: mayHaveStints(schedule, until) ? new Date(nextAt) : undefined,
    unknown,
  };
}

interface Found {
  readonly notice: ShiftNotice;
  /** Why it is of no use any more. */
  readonly reason: string | undefined;
}

/** The begin or the end of a stint. */
interface Change {
  readonly actionType: ShiftActionType;
  readonly changesAt: number;
  readonly rotations: readonly string[];
  readonly stint: Stint;
}

function changesOf(stint: Stint, range: Span): readonly Change[] {
  const changes: Change[] = [];
  if (stint.from > range.from)
    changes.push({ actionType: 'schedule-start', changesAt: stint.from, rotations: stint.beginsIn, stint });
  if (stint.until < range.until)
    changes.push({ actionType: 'schedule-end', changesAt: stint.until, rotations: stint.endsIn, stint });
  return changes;
}

/** Which of the rules that ask for it is taken, and whether any holds then, is decided where messages are made. */
function asksFor(user: UserState | undefined, { actionType }: Change, leadTime: LeadTime, scheduleId: string): boolean {
  return (user?.notificationRules ?? []).some(
    (rule) => rule.actionType === actionType && shiftMismatch(rule, { leadTime, scheduleId }) === undefined,
  );
}

function useless({ actionType, changesAt, stint }: Change, stints: readonly Stint[], now: number): string | undefined {
  if (actionType === 'schedule-start') return stint.until <= now ? 'their time on call is over' : undefined;
  const isOnCallAgain = stints.some(({ from, userId }) => userId === stint.userId && from >= changesAt && from <= now);
  return isOnCallAgain ? 'they have come on call again since' : undefined;
}

function noticeOf(
  { id, name, timezone }: Schedule,
  { actionType, changesAt: changesAtMs, rotations, stint: { userId } }: Change,
  { at, dueAt, leadTime }: { readonly leadTime: LeadTime; readonly dueAt: number; readonly at: Date },
): ShiftNotice {
  const changesAt = new Date(changesAtMs).toISOString();
  const what = actionType === 'schedule-start' ? 'start' : 'end';
  return {
    noticeId: `shift:${id}:${userId}:${what}:${changesAt}:${leadTime}`,
    userId,
    actionType,
    leadTime,
    schedule: { id, name, timezone },
    rotations: rotations.slice(0, MOST_NAMED),
    changesAt,
    dueAt: new Date(dueAt).toISOString(),
    at: at.toISOString(),
  };
}

/** Whether anybody may come on call or go off after `now` unless the schedule is changed. */
export function mayHaveStints({ enabled, overrides, rotations }: Schedule, now: number): boolean {
  const goesOn = ({ endAt }: { readonly endAt: Date | undefined }): boolean => (endAt?.getTime() ?? Infinity) > now;
  return enabled && (rotations.some(goesOn) || overrides.some(goesOn));
}
