import { shiftMismatch, type LeadTime, type ShiftActionType, type ShiftNotice, type UserState } from '@tocsin/events';
import type { Forwardings } from '../forwarding/forwarding.ts';
import { MAX_SHIFTS, maxShifts } from '../on-call/shift-count.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS, type Span } from '../on-call/span.ts';
import type { Schedule } from '../schedules/schedule.ts';
import type { Snapshot } from '../configuration/snapshot.ts';
import { userShiftsOf, type UserShift, type UserShifts } from './user-shifts.ts';

/** How long before the start or the end of a shift its notice is due, in elapsed time: changes of wall clocks do not count. */
const LEAD_MS: Readonly<Record<LeadTime, number>> = {
  'just-before': MINUTE_MS,
  '15-minutes-ago': 15 * MINUTE_MS,
  '1-hour-ago': HOUR_MS,
  '1-day-ago': DAY_MS,
};
const LEADS = Object.entries(LEAD_MS) as readonly (readonly [LeadTime, number])[];

const MAX_LEAD_MS = DAY_MS;
/** A schedule is due again after this time at the latest. */
const LOOK_AHEAD_MS = DAY_MS;
/** A notice that is later than this is dropped. */
const MAX_DELAY_MS = DAY_MS;

/** The shortest time ahead for which shifts are computed. Where even this has too many shifts, none are. */
const MIN_AHEAD_MS = HOUR_MS / 2;
/** Roughly how many notices one transaction writes, which may last 5 s. */
export const MAX_NOTICES = 2_000;

/** A notice that is too late to be sent, and why. */
interface LateNotice {
  readonly notice: ShiftNotice;
  readonly reason: string;
}

/** The notices of shifts of a schedule that are due at one instant: those to send, and those that are too late. */
export interface DueNotices {
  readonly notices: readonly ShiftNotice[];
  readonly late: readonly LateNotice[];
  /** When the next notices may be due; undefined where none will be due before the schedule changes. */
  readonly nextAt: Date | undefined;
  readonly unknown: UserShifts['unknown'];
}

/**
 * The notices that are due in `schedule` from `from` to `now`, both inclusive, as the schedule is now: one for each user who comes
 * on call or goes off, and for each lead time that one of their rules selects (U6). The first about
 * 2 000 of them; the next call has the others.
 *
 * Where `now` is well after `from`, because of an outage, a notice of a start is returned while its shift lasts, a notice of an end
 * until the user is on call again, and neither more than a day late. The work depends on the number of shifts in three days at
 * most. Of a schedule that has too many shifts, shifts are computed less far ahead, and the longest lead times have no notices.
 */
export function dueNotices(
  snapshot: Snapshot,
  schedule: Schedule,
  { from: dueFrom, now }: { readonly from: Date; readonly now: Date },
): DueNotices {
  const until = now.getTime();
  const from = Math.max(dueFrom.getTime(), until - MAX_DELAY_MS);
  const computed = rangeOf(schedule, snapshot.forwardings, from, until);
  const mayHaveMore = mayHaveShifts(schedule, until);
  if (computed === undefined)
    return { notices: [], late: [], nextAt: mayHaveMore ? new Date(until + HOUR_MS) : undefined, unknown: [] };
  const { leads, range } = computed;
  const { shifts, unknown } = userShiftsOf(snapshot, schedule, range);
  const onCallAgain = latestStarts(shifts, until);
  const found: FoundNotice[] = [];
  let nextAt = range.until - 1 - longestOf(leads);
  for (const change of shifts.flatMap((shift) => changesOf(shift, range))) {
    for (const [leadTime, leadMs] of leads) {
      const dueAt = change.changesAt - leadMs;
      if (dueAt > until) nextAt = Math.min(nextAt, dueAt);
      else if (dueAt >= from && selects(snapshot.user(change.shift.userId), change, leadTime, schedule.id))
        found.push({
          dueAt,
          notice: noticeOf(schedule, change, { leadTime, dueAt, at: now }),
          reason: whyTooLate(change, onCallAgain, until),
        });
    }
  }
  const { restDueAt, first } = firstDue(found);
  return {
    notices: first.flatMap(({ notice, reason }) => (reason === undefined ? [notice] : [])),
    late: first.flatMap(({ notice, reason }) => (reason === undefined ? [] : [{ notice, reason }])),
    nextAt: restDueAt ?? (mayHaveMore ? new Date(nextAt) : undefined),
    unknown,
  };
}

type Leads = typeof LEADS;

const longestOf = (leads: Leads): number => leads.reduce((most, [, ms]) => Math.max(most, ms), 0);

/**
 * The range in which shifts are computed, and the lead times for which it is long enough: as far ahead as the bound of shifts
 * allows. Undefined where even the shortest range has too many shifts.
 */
function rangeOf(
  schedule: Schedule,
  forwardings: Forwardings,
  from: number,
  until: number,
): { range: Span; leads: Leads } | undefined {
  for (let aheadMs = MAX_LEAD_MS + LOOK_AHEAD_MS; aheadMs >= MIN_AHEAD_MS; aheadMs /= 2) {
    // A shift that begins or ends inside of this range, borders excluded, really begins or ends there.
    const range: Span = { from: from - 1, until: until + aheadMs + 1 };
    if (maxShifts(schedule, range, forwardings) <= MAX_SHIFTS)
      return { range, leads: LEADS.filter(([, ms]) => ms < aheadMs) };
  }
  // After an outage the time since `from` may have too many shifts.
  return from < until ? rangeOf(schedule, forwardings, until, until) : undefined;
}

/** The notices that were due first, and when the others were due, which the next call returns. Notices due at one instant stay together. */
function firstDue(found: readonly FoundNotice[]): {
  readonly first: readonly FoundNotice[];
  readonly restDueAt?: Date;
} {
  if (found.length <= MAX_NOTICES) return { first: found };
  const inOrder = found.toSorted((a, b) => a.dueAt - b.dueAt);
  const last = inOrder[MAX_NOTICES - 1]?.dueAt ?? 0;
  const next = inOrder.find(({ dueAt }) => dueAt > last);
  const first = inOrder.filter(({ dueAt }) => dueAt <= last);
  return next === undefined ? { first } : { first, restDueAt: new Date(next.dueAt) };
}

interface FoundNotice {
  readonly dueAt: number;
  readonly notice: ShiftNotice;
  /** Why it is too late to be sent; undefined where it is not. */
  readonly reason: string | undefined;
}

/** The start or the end of a shift. */
interface Change {
  readonly actionType: ShiftActionType;
  readonly changesAt: number;
  readonly rotations: readonly string[];
  readonly shift: UserShift;
}

function changesOf(shift: UserShift, range: Span): readonly Change[] {
  const changes: Change[] = [];
  if (shift.from > range.from)
    changes.push({ actionType: 'schedule-start', changesAt: shift.from, rotations: shift.beginsIn, shift });
  if (shift.until < range.until)
    changes.push({ actionType: 'schedule-end', changesAt: shift.until, rotations: shift.endsIn, shift });
  return changes;
}

/** Whether a rule of the user selects the notice. notifier decides which rule it runs, and whether it applies then. */
function selects(user: UserState | undefined, { actionType }: Change, leadTime: LeadTime, scheduleId: string): boolean {
  return (user?.notificationRules ?? []).some(
    (rule) => rule.actionType === actionType && shiftMismatch(rule, { leadTime, scheduleId }) === undefined,
  );
}

/** When each user last came on call before `now`. */
function latestStarts(shifts: readonly UserShift[], now: number): ReadonlyMap<string, number> {
  const latest = new Map<string, number>();
  for (const { from, userId } of shifts)
    if (from <= now) latest.set(userId, Math.max(from, latest.get(userId) ?? from));
  return latest;
}

function whyTooLate(
  { actionType, changesAt, shift }: Change,
  latest: ReadonlyMap<string, number>,
  now: number,
): string | undefined {
  if (actionType === 'schedule-start') return shift.until <= now ? 'their time on call is over' : undefined;
  const isOnCallAgain = (latest.get(shift.userId) ?? -Infinity) >= changesAt;
  return isOnCallAgain ? 'they have come on call again since' : undefined;
}

function noticeOf(
  { id, name, timezone }: Schedule,
  { actionType, changesAt: changesAtMs, rotations, shift: { userId } }: Change,
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
    rotations: [...rotations],
    changesAt,
    dueAt: new Date(dueAt).toISOString(),
    at: at.toISOString(),
  };
}

/** Whether a user may come on call or go off after `now` unless the schedule is changed. */
function mayHaveShifts({ enabled, overrides, rotations }: Schedule, now: number): boolean {
  const hasNotEnded = ({ endAt }: { readonly endAt: Date | undefined }): boolean =>
    (endAt?.getTime() ?? Infinity) > now;
  return enabled && (rotations.some(hasNotEnded) || overrides.some(hasNotEnded));
}
