import {
  shiftMismatch,
  type LeadTime,
  type ShiftActionType,
  type ShiftNotice,
  type UserState,
} from '@tocsin/contracts';
import type { Forwardings } from '../on-call/forwardings.ts';
import { MOST_PERIODS, mostPeriods } from '../on-call/row.ts';
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

/** So far ahead is looked at least, unless even that is too much. */
const LEAST_AHEAD_MS = HOUR_MS / 2;
/** Notices of one firing, about: they are written within the 5 s of a transaction. */
const MOST_NOTICES = 2_000;

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
 * three days at most. A schedule that has too many is looked at less far ahead, so that nobody is told at the longest lead times.
 */
export function dueNotices(
  snapshot: Snapshot,
  schedule: Schedule,
  { from: asked, now }: { readonly from: Date; readonly now: Date },
): DueNotices {
  const until = now.getTime();
  const from = Math.max(asked.getTime(), until - LATEST_MS);
  const seen = rangeOf(schedule, snapshot.forwardings, from, until);
  const goesOn = mayHaveStints(schedule, until);
  if (seen === undefined)
    return { notices: [], passedOver: [], nextAt: goesOn ? new Date(until + HOUR_MS) : undefined, unknown: [] };
  const { leads, range } = seen;
  const { stints, unknown } = stintsOf(snapshot, schedule, range);
  const onCallAgain = latestStarts(stints, until);
  const found: Found[] = [];
  let nextAt = range.until - 1 - longestOf(leads);
  for (const change of stints.flatMap((stint) => changesOf(stint, range))) {
    for (const [leadTime, leadMs] of leads) {
      const dueAt = change.changesAt - leadMs;
      if (dueAt > until) nextAt = Math.min(nextAt, dueAt);
      else if (dueAt >= from && asksFor(snapshot.user(change.stint.userId), change, leadTime, schedule.id))
        found.push({
          dueAt,
          notice: noticeOf(schedule, change, { leadTime, dueAt, at: now }),
          reason: useless(change, onCallAgain, until),
        });
    }
  }
  const { goesOnAt, told } = firstDue(found);
  return {
    notices: told.flatMap(({ notice, reason }) => (reason === undefined ? [notice] : [])),
    passedOver: told.flatMap(({ notice, reason }) => (reason === undefined ? [] : [{ notice, reason }])),
    nextAt: goesOnAt ?? (goesOn ? new Date(nextAt) : undefined),
    unknown,
  };
}

type Leads = typeof LEADS;

const longestOf = (leads: Leads): number => leads.reduce((most, [, ms]) => Math.max(most, ms), 0);

/**
 * The range to look at, and the lead times that it is long enough for: as far ahead as there is room for its periods. Undefined
 * where there is no room at all.
 */
function rangeOf(
  schedule: Schedule,
  forwardings: Forwardings,
  from: number,
  until: number,
): { range: Span; leads: Leads } | undefined {
  for (let aheadMs = LONGEST_LEAD_MS + LOOK_AHEAD_MS; aheadMs >= LEAST_AHEAD_MS; aheadMs /= 2) {
    // Whatever begins or ends inside of this range, borders excluded, really begins or ends there.
    const range: Span = { from: from - 1, until: until + aheadMs + 1 };
    if (mostPeriods(schedule, range, forwardings) <= MOST_PERIODS)
      return { range, leads: LEADS.filter(([, ms]) => ms < aheadMs) };
  }
  // After an outage what fell due in the meantime may be what is too much.
  return from < until ? rangeOf(schedule, forwardings, until, until) : undefined;
}

/** The first of what fell due, and when the rest did, which is told by the next firing. What fell due together stays together. */
function firstDue(found: readonly Found[]): { readonly told: readonly Found[]; readonly goesOnAt?: Date } {
  if (found.length <= MOST_NOTICES) return { told: found };
  const inOrder = found.toSorted((a, b) => a.dueAt - b.dueAt);
  const last = inOrder[MOST_NOTICES - 1]?.dueAt ?? 0;
  const next = inOrder.find(({ dueAt }) => dueAt > last);
  const told = inOrder.filter(({ dueAt }) => dueAt <= last);
  return next === undefined ? { told } : { told, goesOnAt: new Date(next.dueAt) };
}

interface Found {
  readonly dueAt: number;
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

/** When each user came on call last, by now. */
function latestStarts(stints: readonly Stint[], now: number): ReadonlyMap<string, number> {
  const latest = new Map<string, number>();
  for (const { from, userId } of stints)
    if (from <= now) latest.set(userId, Math.max(from, latest.get(userId) ?? from));
  return latest;
}

function useless(
  { actionType, changesAt, stint }: Change,
  latest: ReadonlyMap<string, number>,
  now: number,
): string | undefined {
  if (actionType === 'schedule-start') return stint.until <= now ? 'their time on call is over' : undefined;
  const isOnCallAgain = (latest.get(stint.userId) ?? -Infinity) >= changesAt;
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
    rotations: [...rotations],
    changesAt,
    dueAt: new Date(dueAt).toISOString(),
    at: at.toISOString(),
  };
}

/** Whether anybody may come on call or go off after `now` unless the schedule is changed. */
function mayHaveStints({ enabled, overrides, rotations }: Schedule, now: number): boolean {
  const goesOn = ({ endAt }: { readonly endAt: Date | undefined }): boolean => (endAt?.getTime() ?? Infinity) > now;
  return enabled && (rotations.some(goesOn) || overrides.some(goesOn));
}
