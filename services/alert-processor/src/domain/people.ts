import { ALERT_LIMITS, type AddResponder, type AssignAlert, type EscalateAlert } from '@tocsin/contracts';
import type { Alert } from './alert.ts';
import { acceptedAt, changed, via, type Decided } from './decided.ts';
import type { DecisionContext } from './decision-context.ts';
import { awaiting, nameable, named, suppressionText } from './responders.ts';

const refused = (status: string): Decided => ({ kind: 'refused', status });

/** Assigns the owner and notifies them unless the alert is suppressed (A9, P11). */
export function assigned(alert: Alert, command: AssignAlert, { resolve }: DecisionContext): Decided {
  if (alert.status === 'closed') return refused('Alert is closed, it can not be assigned');
  const owner = resolve(command.owner);
  if (owner.kind !== 'known') return missing(owner.kind, named([command.owner]));
  return changed(
    command,
    { kind: 'assigned', owner: owner.name },
    {
      status: 'Assigned alert',
      log: `Alert assigned to ${owner.name} ${via(command, 'Assign Alert')}`,
      fact: 'assigned',
      more: { responder: { type: 'user', id: owner.id } },
      besides: alert.verdict.kind === 'suppressed' ? [suppressionText(alert.verdict.reason)] : [],
    },
  );
}

const ADDED = { 'add-responder': 'Added responder', 'add-team': 'Added team' } as const;

/**
 * Adds a responder, who is paged unless the alert is suppressed (A9, P11). One whose owner cannot be asked is looked up again
 * later and joins the flow. If an acknowledgement has stopped the flow for good, that would page nobody, so the command fails. One who
 * is there already is a success that changes nothing.
 */
export function responderAdded(alert: Alert, command: AddResponder, { resolve }: DecisionContext): Decided {
  const status = ADDED[command.kind];
  const { responder: reference } = command;
  const { type } = reference;
  if (alert.status === 'closed') return refused('Alert is closed, no responder can be added');
  const found = nameable(resolve(reference), command.integration.ownerTeamId);
  if (found.kind === 'unknown') return missing(found.kind, named([reference]));
  if (found.kind === 'known' && alert.responders.some((one) => one.type === type && one.id === found.id))
    return { kind: 'unchanged', status };
  const waiting = alert.unresolved?.responders.length ?? 0;
  if (alert.responders.length + waiting >= ALERT_LIMITS.responders)
    return refused(`The alert has ${ALERT_LIMITS.responders} responders already, it can not have more`);
  if (found.kind === 'unreachable') return lookedUpLater(alert, command);
  const responder = { type, id: found.id };
  return changed(
    command,
    { kind: 'responder-added', responder },
    {
      status,
      log: `Responder ${type} [${found.name}] added ${via(command, 'Add Responder')}`,
      fact: 'responder-added',
      more: { responder },
      besides: alert.verdict.kind === 'suppressed' ? [suppressionText(alert.verdict.reason)] : [],
    },
  );
}

function lookedUpLater(alert: Alert, command: AddResponder): Decided {
  const { integration, kind, responder: reference } = command;
  const { ownerTeamId: addedByTeamId } = integration;
  const unresolved = { ...reference, ...(addedByTeamId !== undefined && { addedByTeamId }) };
  if (alert.acknowledged && !alert.snoozed) return missing('unreachable', named([reference]));
  return changed(
    command,
    { kind: 'looked-up', responders: [], visibleTo: [], unresolved: awaiting(alert, unresolved, acceptedAt(command)) },
    { status: ADDED[kind], log: `Could not look up, will be tried again: ${named([reference])}`, fact: 'updated' },
  );
}

/**
 * Asks the escalation to go on with its next rule (A9). Only scheduling knows which rule that is, and whether the
 * escalation runs. If the alert has no responders, nothing runs: the escalation becomes a responder. A snooze stays,
 * and its end starts the flow anew.
 */
export function escalated(alert: Alert, command: EscalateAlert, { resolve }: DecisionContext): Decided {
  if (alert.status === 'closed') return refused('Alert is closed, it can not be escalated');
  if (alert.verdict.kind === 'suppressed') return refused('Alert is suppressed, it can not be escalated');
  const found = nameable(resolve(command.escalation), command.integration.ownerTeamId);
  if (found.kind !== 'known') return missing(found.kind, named([command.escalation]));
  const responder = { type: 'escalation', id: found.id } as const;
  return changed(command, alert.responders.length === 0 ? { kind: 'responder-added', responder } : { kind: 'noted' }, {
    status: 'Escalated alert',
    log: `Alert escalated to the next rule of [${found.name}] ${via(command, 'Escalate Alert')}`,
    fact: 'escalated',
    more: { responder },
  });
}

const missing = (kind: 'unknown' | 'unreachable', what: string): Decided =>
  refused(kind === 'unknown' ? `Unknown: ${what}` : `Could not be looked up, please try again: ${what}`);
