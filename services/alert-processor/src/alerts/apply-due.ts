import type { IntegrationReference } from '@tocsin/events';
import { SYSTEM } from '../alert-log/entry.ts';
import type { Alert } from './alert.ts';
import { ChangeCollector, type ChangeContext, type CollectedChanges } from './changes.ts';
import { byItself, type Cause, type Changed } from './decided.ts';
import { lateness, type ScheduledAction, type ScheduledActionKind, scheduledActions } from './due.ts';
import { type DecisionContext, lookedUpAgain } from './responders.ts';

export interface DueContext extends ChangeContext, Pick<DecisionContext, 'resolve'> {
  /** Work that is due up to this instant is done. Commands that were accepted before it are processed. */
  readonly until: Date;
  /** Whether only the first due item of each alert is done. */
  readonly onlyFirstItem?: boolean;
}

/** Does the due work of `alerts`, of each in the order of the instants, at `processedAt`. Pure. */
export function applyDueActions(
  alerts: readonly Alert[],
  { onlyFirstItem = false, ...context }: DueContext,
): CollectedChanges {
  const collector = new ChangeCollector(alerts, context);
  for (const alert of alerts) {
    let present: Alert | undefined = alert;
    for (let action = dueAction(present, context); action !== undefined; action = dueAction(present, context)) {
      const cause = causeOf(present, action, context.processedAt);
      present = collector.make(present, applyDue(present, action, cause, context), cause);
      if (onlyFirstItem || present === undefined) break;
    }
  }
  return collector.changes();
}

/** Leaves out the first due item of an alert, because it fails each time. */
export function skipFirstDue(alert: Alert, reason: string, processedAt: Date): CollectedChanges {
  const collector = new ChangeCollector([alert], { processedAt });
  const [action] = scheduledActions(alert);
  if (action !== undefined) {
    const cause = causeOf(alert, action, processedAt);
    collector.make(alert, leftOut(action, cause, reason), cause);
  }
  return collector.changes();
}

function dueAction(alert: Alert, { until }: Pick<DueContext, 'until'>): ScheduledAction | undefined {
  const [action] = scheduledActions(alert);
  return action !== undefined && action.dueAt <= until ? action : undefined;
}

/** The actor of scheduled actions. It is no integration and has no team. */
const OURSELVES: IntegrationReference = { id: 'alert-processor', name: 'Tocsin', type: 'System' };

/** The cause of a scheduled action of `alert` that is done `at`. Its request id is unique, because each action changes the version. */
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

/** The change of an alert by a scheduled action. The log says how late it is. */
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

/** Leaves out a scheduled action that fails each time. The log says why. */
function leftOut({ kind }: ScheduledAction, cause: Cause, reason: string): Changed {
  const log = `${NAMES[kind]} cannot be done and is left out: ${reason}`;
  return byItself(cause, { kind: 'left-out', action: kind }, { log });
}

/** Starts the flow as if the alert had just been received: it pages the users who are on call now (A5). */
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

/** Starts the flow again from its beginning. The next restart counts from now, so late restarts do not follow each other at once (P7). */
function autoRestarted({ autoRestart }: Alert, cause: Cause, late: string): Changed {
  const { done = 0, times = 0 } = autoRestart ?? {};
  const restart = `Restart ${String(done + 1)} of ${String(times)} by ${asCreated(autoRestart)}${late}`;
  const log = `${restart}: the notification flow starts again`;
  return byItself(cause, { kind: 'restarted' }, { log, fact: 'restarted' });
}

/** An alert keeps the policy as it was at its creation; later changes of the policy do not apply. */
const asCreated = (waiting: { readonly policy: string } | undefined): string =>
  `policy ${waiting?.policy ?? ''} (as of the creation of the alert)`;
