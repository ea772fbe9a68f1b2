import type { TimerFired } from '@tocsin/contracts';
import { InvariantError } from '@tocsin/errors';
import { alarmKindOf, PUNCTUAL_SECONDS } from './alarms.ts';
import type { AlarmKind, Alert } from './alert.ts';
import { acceptedAt, DOES_NOT_EXIST, type Decided } from './decided.ts';
import type { DecisionContext } from './decision-context.ts';
import { autoClosed, autoRestarted, delayOver } from './flow-timers.ts';
import { lookedUpAgain } from './responders.ts';
import { snoozeEnded } from './transitions.ts';

type Due = (alert: Alert, command: TimerFired, late: string, context: DecisionContext) => Decided;

/** What happens when an alarm of each kind goes off. */
const DUE: Readonly<Record<AlarmKind, Due>> = {
  snooze: snoozeEnded,
  resolve: lookedUpAgain,
  hold: delayOver,
  'auto-close': autoClosed,
  restart: autoRestarted,
};

/**
 * A timer came due. A timer with a stale fence changes nothing: its alarm was set anew, was cancelled, or has gone off.
 *
 * @throws InvariantError for a kind of timer that this release does not know.
 */
export function timerFired(alert: Alert | undefined, command: TimerFired, context: DecisionContext): Decided {
  const kind = alarmKindOf(command.timerId);
  if (kind === undefined) throw new InvariantError(`A newer release has set timer ${command.timerId}.`);
  if (alert === undefined) return DOES_NOT_EXIST;
  const alarm = alert.alarms[kind];
  if (alarm === undefined || String(alarm.fence) !== command.fence)
    return { kind: 'unchanged', status: 'Timer is out of date' };
  return DUE[kind](alert, command, lateness(alarm.dueAt, acceptedAt(command)), context);
}

const UNITS = [
  ['d', 86_400],
  ['h', 3_600],
  ['min', 60],
  ['s', 1],
] as const;

/** How late a timer is that was due at `dueAt`, as in `, 2 h 5 min late`; empty up to 5 seconds. */
function lateness(dueAt: Date, at: Date): string {
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
