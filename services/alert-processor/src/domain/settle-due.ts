import { applyDue, causeOf, leftOut } from './apply-due.ts';
import type { Alert } from './alert.ts';
import type { DecisionContext } from './decision-context.ts';
import { scheduledActions, type ScheduledAction } from './due.ts';
import { Settling, type SettledChanges, type SettlingContext } from './settling.ts';

export interface DueContext extends SettlingContext, Pick<DecisionContext, 'resolve'> {
  /** What is due up to this instant is done. Commands that were accepted before it are settled. */
  readonly until: Date;
  /** Whether only what is due first of each alert is done. */
  readonly isCareful?: boolean;
}

/** Does what is due of `alerts`, of each in the order of the instants, at `processedAt`. Pure. */
export function settleDue(alerts: readonly Alert[], { isCareful = false, ...context }: DueContext): SettledChanges {
  const settling = new Settling(alerts, context);
  for (const alert of alerts) {
    let present: Alert | undefined = alert;
    for (let action = dueAction(present, context); action !== undefined; action = dueAction(present, context)) {
      const cause = causeOf(present, action, context.processedAt);
      present = settling.make(present, applyDue(present, action, cause, context), cause);
      if (isCareful || present === undefined) break;
    }
  }
  return settling.changes();
}

/** Leaves out what is due first of an alert, because it fails each time. */
export function leaveOutDue(alert: Alert, reason: string, processedAt: Date): SettledChanges {
  const settling = new Settling([alert], { processedAt });
  const [action] = scheduledActions(alert);
  if (action !== undefined) {
    const cause = causeOf(alert, action, processedAt);
    settling.make(alert, leftOut(action, cause, reason), cause);
  }
  return settling.changes();
}

function dueAction(alert: Alert, { until }: Pick<DueContext, 'until'>): ScheduledAction | undefined {
  const [action] = scheduledActions(alert);
  return action !== undefined && action.dueAt <= until ? action : undefined;
}
