import type { TimerFired } from '@tocsin/contracts';
import type { Alert } from './alert.ts';
import { byItself, type Decided } from './decided.ts';
import { SYSTEM } from './history.ts';

/** A delay is over: the flow starts, or waits for the acknowledgement to be taken back (P16). */
export function delayOver(alert: Alert, command: TimerFired, late: string): Decided {
  const delay = `The delay of ${asCreated(alert.hold)} is over${late}`;
  const status = 'Ended delay';
  return alert.acknowledged
    ? byItself(
        command,
        { kind: 'hold-over' },
        { status, log: `${delay}: the notification flow starts once the alert is unacknowledged` },
      )
    : byItself(
        command,
        { kind: 'released', occurred: false },
        { status, log: `${delay}: the notification flow starts`, fact: 'released' },
      );
}

/** Closes the alert, acknowledged, snoozed or not (P7). */
export function autoClosed(alert: Alert, command: TimerFired, late: string): Decided {
  const log = `Alert closed by ${asCreated(alert.autoClose)}${late}`;
  return byItself(command, { kind: 'closed', by: SYSTEM }, { status: 'Closed alert', log, fact: 'closed' });
}

/** The flow starts again from its beginning; the next time counts from now, so that late ones never bunch (P7). */
export function autoRestarted({ autoRestart }: Alert, command: TimerFired, late: string): Decided {
  const { done = 0, times = 0 } = autoRestart ?? {};
  const restart = `Restart ${String(done + 1)} of ${String(times)} by ${asCreated(autoRestart)}${late}`;
  const log = `${restart}: the notification flow starts again`;
  return byItself(command, { kind: 'restarted' }, { status: 'Restarted notification flow', log, fact: 'restarted' });
}

/** What an alert waits for stays as it was, whatever has become of the policy since. */
const asCreated = (waiting: { readonly policy: string } | undefined): string =>
  `policy ${waiting?.policy ?? ''} (as of the creation of the alert)`;
