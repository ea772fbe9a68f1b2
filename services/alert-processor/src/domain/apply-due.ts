import type { IntegrationReference } from '@tocsin/contracts';
import type { Alert } from './alert.ts';
import { byItself, type Cause, type Changed } from './decided.ts';
import type { DecisionContext } from './decision-context.ts';
import { lateness, type ScheduledAction, type ScheduledActionKind } from './due.ts';
import { SYSTEM } from './history.ts';
import { lookedUpAgain } from './responders.ts';

/** Who does what is scheduled. It is no integration and has no team. */
const OURSELVES: IntegrationReference = { id: 'alert-processor', name: 'Tocsin', type: 'System' };

/** The cause of a scheduled action of `alert` that is done `at`. No other has its request id: each changes the version. */
export const causeOf = ({ id, version }: Alert, { kind }: ScheduledAction, at: Date): Cause => ({
  requestId: `due:${kind}:${id}:${String(version)}`,
  integration: OURSELVES,
  actor: SYSTEM,
  acceptedAt: at.toISOString(),
});

type Context = Pick<DecisionContext, 'resolve'>;
type Apply = (alert: Alert, cause: Cause, late: string, context: Context) => Changed;

const APPLY: Readonly<Record<ScheduledActionKind, Apply>> = {
  'auto-close': autoClosed,
  snooze: snoozeEnded,
  hold: delayOver,
  resolve: (alert, cause, _, { resolve }) => lookedUpAgain(alert, cause, resolve),
  restart: autoRestarted,
};

/** What a scheduled action does to its alert. The log says how late it is. */
export function applyDue(alert: Alert, { dueAt, kind }: ScheduledAction, cause: Cause, context: Context): Changed {
  return APPLY[kind](alert, cause, lateness(dueAt, new Date(cause.acceptedAt)), context);
}

const NAMES: Readonly<Record<ScheduledActionKind, string>> = {
  'auto-close': 'The close by a policy',
  snooze: 'The end of the snooze',
  hold: 'The end of the delay',
  resolve: 'The look-up of responders',
  restart: 'The restart by a policy',
};

/** The alert stops to wait for a scheduled action that fails each time. Its log says why. */
export function leftOut({ kind }: ScheduledAction, cause: Cause, reason: string): Changed {
  const log = `${NAMES[kind]} cannot be done and is left out: ${reason}`;
  return byItself(cause, { kind: 'left-out', action: kind }, { log });
}

/** Starts the flow as if the alert had just been received: it pages those who are on call now (A5). */
function snoozeEnded(_: Alert, cause: Cause, late: string): Changed {
  const log = `The snooze ended${late}: the notification flow starts again`;
  return byItself(cause, { kind: 'snooze-ended' }, { log, fact: 'snooze-ended' });
}

/** A delay is over: the flow starts, or waits for an unacknowledge (P16). */
function delayOver(alert: Alert, cause: Cause, late: string): Changed {
  const delay = `The delay of ${asCreated(alert.hold)} is over${late}`;
  const starts = 'the notification flow starts';
  return alert.acknowledged
    ? byItself(cause, { kind: 'hold-over' }, { log: `${delay}: ${starts} once the alert is unacknowledged` })
    : byItself(cause, { kind: 'released', occurred: false }, { log: `${delay}: ${starts}`, fact: 'released' });
}

/** Closes the alert, even if it is acknowledged or snoozed (P7). */
function autoClosed(alert: Alert, cause: Cause, late: string): Changed {
  const log = `Alert closed by ${asCreated(alert.autoClose)}${late}`;
  return byItself(cause, { kind: 'closed', by: SYSTEM }, { log, fact: 'closed' });
}

/** Starts the flow again from its beginning. The next restart counts from now, so late restarts never bunch up (P7). */
function autoRestarted({ autoRestart }: Alert, cause: Cause, late: string): Changed {
  const { done = 0, times = 0 } = autoRestart ?? {};
  const restart = `Restart ${String(done + 1)} of ${String(times)} by ${asCreated(autoRestart)}${late}`;
  const log = `${restart}: the notification flow starts again`;
  return byItself(cause, { kind: 'restarted' }, { log, fact: 'restarted' });
}

/** An alert keeps the policy as it was at its creation; later changes of the policy do not apply. */
const asCreated = (waiting: { readonly policy: string } | undefined): string =>
  `policy ${waiting?.policy ?? ''} (as of the creation of the alert)`;
