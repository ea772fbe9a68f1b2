import type { TimerFired } from '@tocsin/contracts';
import type { Alert } from './alert.ts';
import { byItself, type Decided } from './decided.ts';
import { SYSTEM } from './history.ts';

/** A delay is over: the flow starts, or waits for an unacknowledge (P16). */
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

/** Closes the alert, even if it is acknowledged or snoozed (P7). */
export function autoClosed(alert: Alert, command: TimerFired, late: string): Decided {
  const log = `Alert closed by ${asCreated(alert.autoClose)}${late}`;
  return byItself(command, { kind: 'closed', by: SYSTEM }, { status: 'Closed alert', log, fact: 'closed' });
}

/** Starts the flow again from its beginning. The next restart counts from now, so late restarts never bunch up (P7). */
export function autoRestarted({ autoRestart }: Alert, command: TimerFired, late: string): Decided {
  const { done = 0, times = 0 } = autoRestart ?? {};
  const restart = `Restart ${String(done + 1)} of ${String(times)} by ${asCreated(autoRestart)}${late}`;
  const log = `${restart}: the notification flow starts again`;
  return byItself(command, { kind: 'restarted' }, { status: 'Restarted notification flow', log, fact: 'restarted' });
}

/** An alert keeps the policy as it was at its creation; later changes of the policy do not apply. */
const asCreated = (waiting: { readonly policy: string } | undefined): string =>
  `policy ${waiting?.policy ?? ''} (as of the creation of the alert)`;
