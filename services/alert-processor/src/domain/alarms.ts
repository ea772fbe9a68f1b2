import { flows, type Alarm, type AlarmKind, type Alert } from './alert.ts';

/** When an open alert goes on by itself; undefined where it does not wait for that. */
const DUE: Readonly<Record<AlarmKind, (alert: Alert) => Date | undefined>> = {
  snooze: ({ snoozedUntil }) => snoozedUntil,
  resolve: ({ unresolved }) => unresolved?.dueAt,
  hold: ({ hold }) => (hold?.kind === 'delay' && !hold.isOver ? hold.until : undefined),
  'auto-close': ({ autoClose }) => autoClose?.dueAt,
  // An acknowledgement or a snooze ends the counting, so nothing is due meanwhile (P7). Nor is anything while there is nobody to
  // be told (F4).
  restart: (alert) => {
    const { done, everyMs, since, times } = alert.autoRestart ?? NO_RESTARTS;
    const restarts = done < times && flows(alert) && alert.responders.length > 0;
    return restarts ? new Date(since.getTime() + everyMs) : undefined;
  },
};

const NO_RESTARTS = { done: 0, everyMs: 0, since: new Date(0), times: 0 };

const KINDS = Object.keys(DUE) as readonly AlarmKind[];

/**
 * `alert` with the alarms that its state asks for. One that is due at another instant than before gets a fence of its own: the
 * version of the alert. The others keep theirs, whatever else happens to the alert.
 */
export function withAlarms(alert: Alert): Alert {
  const due = KINDS.map((kind) => [kind, alert.status === 'open' ? DUE[kind](alert) : undefined] as const);
  if (due.every(([kind, dueAt]) => dueAt?.getTime() === alert.alarms[kind]?.dueAt.getTime())) return alert;
  const alarms = due.flatMap(([kind, dueAt]) => (dueAt === undefined ? [] : [[kind, alarmOf(alert, kind, dueAt)]]));
  return { ...alert, alarms: Object.fromEntries(alarms) as Alert['alarms'] };
}

function alarmOf({ alarms, version }: Alert, kind: AlarmKind, dueAt: Date): Alarm {
  const before = alarms[kind];
  return before?.dueAt.getTime() === dueAt.getTime() ? before : { dueAt, fence: version };
}

/** What is settled, or goes off, by more than this after its time is late. */
export const PUNCTUAL_SECONDS = 5;

/**
 * From when an auto-close and restarts count that begin with what was accepted at `at`: from its settling where that is late, so
 * that neither is due before people can have been told.
 */
export const countedFrom = (at: Date, settledAt: Date): Date =>
  settledAt.getTime() - at.getTime() > PUNCTUAL_SECONDS * 1_000 ? settledAt : at;

/** The id of the timer of an alarm. */
export const timerIdOf = (kind: AlarmKind, alertId: string): string => `${kind}:${alertId}`;

/** The kind of the alarm that a timer belongs to; undefined where this version knows none such. */
export function alarmKindOf(timerId: string): AlarmKind | undefined {
  const name = timerId.slice(0, timerId.indexOf(':'));
  return KINDS.find((kind) => kind === name);
}

/** A timer that is to publish the command `timer:<timerId>:<fence>` at `dueAt`. */
export interface TimerRow {
  readonly timerId: string;
  readonly fence: number;
  readonly dueAt: Date;
  readonly alertId: string;
}

/** The request id of the command that a timer publishes: it settles once. */
export const timerRequestId = (timerId: string, fence: number): string => `timer:${timerId}:${String(fence)}`;

/** What a timer carries. */
export type TimerPayload = Pick<TimerRow, 'alertId'>;

/** The timers of an alert: one for each of its alarms. */
export function timersOf({ alarms, id: alertId }: Alert): readonly TimerRow[] {
  return KINDS.flatMap((kind) => {
    const alarm = alarms[kind];
    return alarm === undefined ? [] : [{ timerId: timerIdOf(kind, alertId), ...alarm, alertId }];
  });
}

/** What a transaction does to timers. */
export interface TimerChanges {
  readonly timers: readonly TimerRow[];
  /** The ids of those that are needless now. */
  readonly cancelled: readonly string[];
}

/**
 * What makes of the timers of `before` those of `after`; both are the same alerts, `after` without the ones that are gone. `fired`
 * tells of a timer whether its command is among those that made the difference: whoever published that removes the row.
 */
export function timerChanges(
  before: readonly Alert[],
  after: readonly Alert[],
  fired: (timer: TimerRow) => boolean,
): TimerChanges {
  const known = new Map(before.map((alert) => [alert.id, alert]));
  const moved = after.filter(({ alarms, id }) => alarms !== known.get(id)?.alarms);
  const staying = new Set(after.filter((alert) => !moved.includes(alert)).map(({ id }) => id));
  const former = before.filter(({ id }) => !staying.has(id)).flatMap(timersOf);
  const fences = new Map(former.map(({ fence, timerId }) => [timerId, fence]));
  const wanted = moved.flatMap(timersOf);
  const kept = new Set(wanted.map(({ timerId }) => timerId));
  return {
    timers: wanted.filter(({ fence, timerId }) => fences.get(timerId) !== fence),
    cancelled: former.filter((timer) => !kept.has(timer.timerId) && !fired(timer)).map(({ timerId }) => timerId),
  };
}
