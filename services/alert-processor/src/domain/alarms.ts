import { flows, type Alarm, type AlarmKind, type Alert } from './alert.ts';

/** When the alarm of an open alert is due; undefined if none is set. */
const DUE: Readonly<Record<AlarmKind, (alert: Alert) => Date | undefined>> = {
  snooze: ({ snoozedUntil }) => snoozedUntil,
  resolve: ({ unresolved }) => unresolved?.dueAt,
  hold: ({ hold }) => (hold?.kind === 'delay' && !hold.isOver ? hold.until : undefined),
  'auto-close': ({ autoClose }) => autoClose?.dueAt,
  // No restart is due while the alert is acknowledged or snoozed (P7), or has no responders (F4).
  restart: (alert) => {
    const { done, everyMs, since, times } = alert.autoRestart ?? NO_RESTARTS;
    const restarts = done < times && flows(alert) && alert.responders.length > 0;
    return restarts ? new Date(since.getTime() + everyMs) : undefined;
  },
};

const NO_RESTARTS = { done: 0, everyMs: 0, since: new Date(0), times: 0 };

/** The kinds of alarms that this release knows. */
export const ALARM_KINDS = Object.keys(DUE) as readonly AlarmKind[];

/**
 * `alert` with the alarms that its state asks for. An alarm whose due time changed gets a new fence: the version of the
 * alert. The other alarms keep their fences.
 */
export function withAlarms(alert: Alert): Alert {
  const due = ALARM_KINDS.map((kind) => [kind, alert.status === 'open' ? DUE[kind](alert) : undefined] as const);
  if (due.every(([kind, dueAt]) => dueAt?.getTime() === alert.alarms[kind]?.dueAt.getTime())) return alert;
  const alarms = due.flatMap(([kind, dueAt]) => (dueAt === undefined ? [] : [[kind, alarmOf(alert, kind, dueAt)]]));
  return { ...alert, alarms: { ...unknownAlarms(alert), ...(Object.fromEntries(alarms) as Alert['alarms']) } };
}

/** The alarms that a newer release has set and this release does not know. */
function unknownAlarms({ alarms, status }: Alert): Alert['alarms'] {
  const known: readonly string[] = ALARM_KINDS;
  return status === 'open' ? Object.fromEntries(Object.entries(alarms).filter(([kind]) => !known.includes(kind))) : {};
}

function alarmOf({ alarms, version }: Alert, kind: AlarmKind, dueAt: Date): Alarm {
  const before = alarms[kind];
  return before?.dueAt.getTime() === dueAt.getTime() ? before : { dueAt, fence: version };
}

/** A settlement or timer later than this counts as late. */
export const PUNCTUAL_SECONDS = 5;

/**
 * The instant from which an auto-close and restarts count: the acceptance at `at`, or the settlement if that was late.
 * So neither is due before anybody can have been told.
 */
export const countedFrom = (at: Date, settledAt: Date): Date =>
  settledAt.getTime() - at.getTime() > PUNCTUAL_SECONDS * 1_000 ? settledAt : at;

/** The id of the timer of an alarm. */
export const timerIdOf = (kind: AlarmKind, alertId: string): string => `${kind}:${alertId}`;

/** The name of the kind of alarm that a timer belongs to; this release may not know it. */
export const kindNameOf = (timerId: string): string => timerId.slice(0, timerId.indexOf(':'));

/** The kind of alarm that a timer belongs to; undefined if this release knows no such kind. */
export function alarmKindOf(timerId: string): AlarmKind | undefined {
  const name = kindNameOf(timerId);
  return ALARM_KINDS.find((kind) => kind === name);
}

/** A timer that publishes the command `timer:<timerId>:<fence>` at `dueAt`. */
export interface TimerRow {
  readonly timerId: string;
  readonly fence: number;
  readonly dueAt: Date;
  readonly alertId: string;
}

/** The request id of a timer's command. It is deterministic, so a command that is published twice settles once. */
export const timerRequestId = (timerId: string, fence: number): string => `timer:${timerId}:${String(fence)}`;

/** The payload of a timer. */
export type TimerPayload = Pick<TimerRow, 'alertId'>;

/** The timers of an alert: one for each of its alarms. */
export function timersOf({ alarms, id: alertId }: Alert): readonly TimerRow[] {
  return ALARM_KINDS.flatMap((kind) => {
    const alarm = alarms[kind];
    return alarm === undefined ? [] : [{ timerId: timerIdOf(kind, alertId), ...alarm, alertId }];
  });
}

/** The timer writes of one transaction. */
export interface TimerChanges {
  readonly timers: readonly TimerRow[];
  /** The ids of timers to delete. */
  readonly cancelled: readonly string[];
}

/**
 * The timer writes that turn `before`'s timers into `after`'s. Deleted alerts are missing from `after`. `fired` says
 * whether this transaction settles the timer's command: its publisher deletes that row.
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
