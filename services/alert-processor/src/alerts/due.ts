import { type Alert, flows } from './alert.ts';

/** The kinds of scheduled actions of an open alert. */
export type ScheduledActionKind = 'auto-close' | 'snooze' | 'hold' | 'resolve' | 'restart';

export interface ScheduledAction {
  readonly kind: ScheduledActionKind;
  readonly dueAt: Date;
}

/**
 * When each action of an open alert is due; undefined if it is not scheduled. At the same instant the first in this order is done
 * first.
 */
const DUE: Readonly<Record<ScheduledActionKind, (alert: Alert) => Date | undefined>> = {
  'auto-close': ({ autoClose }) => autoClose?.dueAt,
  snooze: ({ snoozedUntil }) => snoozedUntil,
  hold: ({ hold }) => (hold?.kind === 'delay' && !hold.isOver ? hold.until : undefined),
  resolve: ({ unresolved }) => unresolved?.dueAt,
  // No restart is due while the alert is acknowledged or snoozed (P7), or has no responders (F4).
  restart: (alert) => {
    const { done, everyMs, since, times } = alert.autoRestart ?? NO_RESTARTS;
    const restarts = done < times && flows(alert) && alert.responders.length > 0;
    return restarts ? new Date(since.getTime() + everyMs) : undefined;
  },
};

const NO_RESTARTS = { done: 0, everyMs: 0, since: new Date(0), times: 0 };

const KINDS = Object.keys(DUE) as readonly ScheduledActionKind[];

/** The scheduled actions of an alert, the earliest first; none once it is closed. */
export function scheduledActions(alert: Alert): readonly ScheduledAction[] {
  if (alert.status !== 'open') return [];
  return KINDS.flatMap((kind): ScheduledAction[] => {
    const dueAt = DUE[kind](alert);
    return dueAt === undefined ? [] : [{ kind, dueAt }];
  }).toSorted((a, b) => a.dueAt.getTime() - b.dueAt.getTime());
}

/** When the next scheduled action of an alert is due; undefined where it only waits for commands. */
export const nextDueAt = (alert: Alert): Date | undefined => scheduledActions(alert)[0]?.dueAt;

/** Processing or a scheduled action later than this counts as late. */
const PUNCTUAL_SECONDS = 5;

/**
 * The instant from which an auto-close and restarts count: the acceptance at `at`, or the processing if that was late.
 * So neither is due before a user can have been notified.
 */
export const countedFrom = (at: Date, processedAt: Date): Date =>
  processedAt.getTime() - at.getTime() > PUNCTUAL_SECONDS * 1_000 ? processedAt : at;

const UNITS = [
  ['d', 86_400],
  ['h', 3_600],
  ['min', 60],
  ['s', 1],
] as const;

/** The delay from `dueAt` to `at` in words, as in `, 2 h 5 min late`; empty up to 5 seconds. */
export function lateness(dueAt: Date, at: Date): string {
  let left = Math.floor((at.getTime() - dueAt.getTime()) / 1_000);
  if (left <= PUNCTUAL_SECONDS) return '';
  const parts = UNITS.map(([unit, seconds]) => {
    const amount = Math.floor(left / seconds);
    left -= amount * seconds;
    return { amount, text: `${String(amount)} ${unit}` };
  });
  const first = parts.findIndex(({ amount }) => amount > 0);
  const said = parts.slice(first, first + 2).filter(({ amount }) => amount > 0);
  return `, ${said.map(({ text }) => text).join(' ')} late`;
}
