import { CallError } from '../api/call-error.ts';
import { newTask, type OverrideTask } from '../schedules/override-draft.ts';
import type { Schedule } from '../schedules/queries.ts';
import { timeText } from '../schedules/time-text.ts';
import { fieldOf, instantOfField, type WallField } from '../schedules/wall-field.ts';
import type { Span } from '../schedules/zone.ts';
import type { CalendarShift } from './calendar.ts';
import type { OnCallTimes } from './my-shifts.ts';
import type { ForwardingRule, Timeline } from './queries.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** The part of a shift that can be handed over: from this minute on where it has begun. */
export const spanLeft = ({ from, until }: Span, now: number): Span => ({
  from: Math.max(from, Math.floor(now / MINUTE_MS) * MINUTE_MS),
  until,
});

/**
 * The rotations that have a user on call at an instant, by id, to override them alone; none, which means all, where no one else is on call
 * by another rotation.
 */
export function rotationsOf({ finalTimeline, _parent }: Timeline, username: string, at: number): readonly string[] {
  const on = finalTimeline.rotations.flatMap(({ id, periods }) => {
    const period = periods.find(({ endDate, startDate }) => Date.parse(startDate) <= at && at < Date.parse(endDate));
    if (period === undefined || period.recipient.type === 'none') return [];
    const { name, type } = period.recipient;
    return [{ id, isOwn: type === 'user' && name === username }];
  });
  const own = on.filter(({ id, isOwn }) => isOwn && id !== _parent.id).map(({ id }) => id);
  return on.every(({ isOwn }) => isOwn) ? [] : own;
}

/**
 * The part of a span from its start on in which the same rotations have the user on call: one override can hand that over. Another
 * rotation of the user, or one that another user takes over, ends it.
 */
export function spanOfRotations(timeline: Timeline, username: string, span: Span): Span {
  const rotationsAt = (at: number) => rotationsOf(timeline, username, at).join();
  const first = rotationsAt(span.from);
  const changes = timeline.finalTimeline.rotations
    .flatMap(({ periods }) => periods.flatMap(({ endDate, startDate }) => [Date.parse(startDate), Date.parse(endDate)]))
    .filter((at) => at > span.from && at < span.until && rotationsAt(at) !== first);
  return { from: span.from, until: Math.min(span.until, ...changes) };
}

interface HandedOver {
  readonly schedule: Pick<Schedule, 'name' | 'timezone'>;
  readonly span: Span;
  /** Who hands over. */
  readonly username: string;
  readonly rotations: readonly string[];
}

/** The override that puts another person, who is to be chosen, on call for a shift. */
export function handOverTask({ rotations, schedule, span, username }: HandedOver): OverrideTask {
  const task = newTask(`Hand over ${schedule.name}`, { span, zone: schedule.timezone, username, rotations });
  return {
    ...task,
    note: `An override in ${schedule.name}: in this time the person below is on call in place of you. Pages that reach you in another way, such as those that name you, still do.`,
    form: { ...task.form, alias: `${task.form.alias} handed over`, username: '' },
  };
}

/** A forwarding rule as its form has it. Times are in the zone of this device. */
export interface ForwardingForm {
  readonly username: string;
  readonly from: WallField;
  readonly until: WallField;
}

/** From now on, until the shifts that have begun end; else until the next shift ends. */
export function newForwarding({ next, now: on }: OnCallTimes, now: number, zone: string): ForwardingForm {
  const from = Math.floor(now / MINUTE_MS) * MINUTE_MS;
  const ends = on.length > 0 ? Math.max(...on.map(({ until }) => until)) : (next?.until ?? from + 24 * HOUR_MS);
  return { username: '', from: fieldOf(from, zone), until: fieldOf(ends, zone) };
}

export interface ForwardingBody {
  readonly fromUser: { readonly username: string };
  readonly toUser: { readonly username: string };
  readonly startDate: string;
  readonly endDate: string;
}

export type ForwardingFaults = Partial<Record<'username' | 'from' | 'until', string>>;

export type ReadForwarding =
  | { readonly body: ForwardingBody; readonly span: Span; readonly faults?: undefined }
  | { readonly faults: ForwardingFaults };

/** Reads the form of `me`. */
export function readForwarding(form: ForwardingForm, zone: string, me: string): ReadForwarding {
  const [from, until] = [instantOfField(form.from, zone), instantOfField(form.until, zone)];
  const username = form.username.trim();
  const faults: ForwardingFaults = {
    ...(username === '' && { username: 'Type a user name.' }),
    ...(username.toLowerCase() === me.toLowerCase() && { username: 'Choose another person than yourself.' }),
    ...(from.at === undefined && { from: from.fault }),
    ...(until.at === undefined
      ? { until: until.fault }
      : until.at <= (from.at ?? 0) && { until: 'This is not after the start.' }),
  };
  if (Object.keys(faults).length > 0 || from.at === undefined || until.at === undefined) return { faults };
  return {
    span: { from: from.at, until: until.at },
    body: {
      fromUser: { username: me },
      toUser: { username },
      startDate: new Date(from.at).toISOString(),
      endDate: new Date(until.at).toISOString(),
    },
  };
}

const FIELDS: Readonly<Record<string, keyof ForwardingFaults>> = {
  toUser: 'username',
  startDate: 'from',
  endDate: 'until',
};

/** What the server refuses of a rule, at the field that it is about. */
export function refusedForwarding(error: unknown): ForwardingFaults {
  if (!(error instanceof CallError)) return {};
  if (error.status === 404 && error.message.startsWith('User ')) return { username: error.message };
  const entries = Object.entries(error.fields).map(([name, fault]) => [FIELDS[name.split(/[.[]/, 1)[0] ?? ''], fault]);
  return Object.fromEntries(
    entries.filter(([field]) => field !== undefined).map(([field, fault]) => [field, `This ${fault}.`]),
  ) as ForwardingFaults;
}

/** The parts of shifts that are in a span. */
export const shiftsWithin = (shifts: readonly CalendarShift[], { from, until }: Span): readonly CalendarShift[] =>
  shifts
    .filter((shift) => shift.until > from && shift.from < until)
    .map((shift) => ({ ...shift, from: Math.max(shift.from, from), until: Math.min(shift.until, until) }));

const spanOfRule = ({ endDate, startDate }: ForwardingRule): Span => ({
  from: Date.parse(startDate),
  until: Date.parse(endDate),
});

/** The rules that are not over at `at`, and where `until` is given, that have begun before it. */
export const rulesWithin = (
  rules: readonly ForwardingRule[],
  { from, until = Infinity }: { readonly from: number; readonly until?: number },
): readonly ForwardingRule[] =>
  rules.filter((rule) => {
    const span = spanOfRule(rule);
    return span.until > from && span.from < until;
  });

/** A rule in a few words. */
export function ruleText(rule: ForwardingRule, zone: string): string {
  const { from, until } = spanOfRule(rule);
  return `to ${rule.toUser.username ?? 'a deleted user'}, ${timeText(from, zone)} to ${timeText(until, zone)}`;
}

interface ForwardingCalls {
  /** Reads the rules; the read begins when it is called. */
  readonly read: () => Promise<readonly ForwardingRule[]>;
  readonly send: () => Promise<void>;
}

/** The rules that another person or page wrote since, with which nothing was sent. */
export interface ForwardingResult {
  readonly added: readonly ForwardingRule[];
  readonly rules: readonly ForwardingRule[];
}

/**
 * Creates a rule, unless there are rules that its person has not seen: of rules that overlap the newest counts. One that its
 * person has not seen and that is the same, such as one whose answer was lost, is not sent again.
 */
export async function forwardUnlessChanged(
  body: ForwardingBody,
  seen: readonly ForwardingRule[],
  { read, send }: ForwardingCalls,
): Promise<ForwardingResult> {
  const rules = await read();
  const known = new Set(seen.map(({ id }) => id));
  const added = rules.filter(({ id }) => !known.has(id));
  if (added.some((rule) => isWritten(rule, body))) return { added: [], rules };
  if (added.length === 0) await send();
  return { added, rules };
}

const isWritten = ({ endDate, startDate, toUser }: ForwardingRule, body: ForwardingBody): boolean =>
  toUser.username?.toLowerCase() === body.toUser.username.toLowerCase() &&
  Date.parse(startDate) === Date.parse(body.startDate) &&
  Date.parse(endDate) === Date.parse(body.endDate);
