import {
  type AcknowledgeAlert,
  type AddResponder,
  ALERT_LIMITS,
  type AlertCommand,
  type AssignAlert,
  type CloseAlert,
  type DeleteAlert,
  type EscalateAlert,
  type ResetRecipientStates,
  type SnoozeAlert,
  type UnacknowledgeAlert,
} from '@tocsin/events';
import { sinceCreation } from './alert-change.ts';
import { type Alert, isHeld, maySee } from './alert.ts';
import * as content from './content.ts';
import { created, repeated } from './create.ts';
import { raised, raises } from './raise.ts';
import { acceptedAt, changed, type Decided, DOES_NOT_EXIST, via } from './decided.ts';
import { awaiting, type DecisionContext, nameable, named, suppressionText } from './responders.ts';

/**
 * The outcome of a command for the alert that it names; `alert` is undefined if there is none.
 *
 * The caller finds the alert: for a create the open one with its alias in the scope of its key (A16), for other commands the one that
 * their identifier names.
 */
export function decide(alert: Alert | undefined, command: AlertCommand, context: DecisionContext): Decided {
  if (command.kind === 'create') {
    if (command.dropped !== undefined) return { kind: 'dropped', status: command.dropped };
    if (alert === undefined) return created(command, context);
    if (command.recovery === true) return RECOVERED;
    return raises(alert, command) ? raised(alert, command, context) : repeated(alert, command);
  }
  if (alert === undefined || !maySee(alert, command.integration.ownerTeamId)) return withoutAlert(command);
  const decider = DECIDERS[command.kind] as (alert: Alert, command: AlertCommand, context: DecisionContext) => Decided;
  return withItsNote(decider(alert, command, context), command);
}

/** The outcome of a command that names no alert which its key may see. */
function withoutAlert({ hook, identifier, kind }: Acting): Decided {
  if (kind !== 'close' || hook === undefined) return DOES_NOT_EXIST;
  return { kind: 'nothing-to-close', status: `No open alert has the alias [${identifier.value}]: nothing to close` };
}

/** A recovery mail, where no action closes the alert, is no further occurrence (P10). */
const RECOVERED: Decided = { kind: 'unchanged', status: 'Recovery mail: no action closes the alert, which stays open' };

/** Stores the note of a command that changes nothing else, because its caller is answered that it was processed (A4). */
function withItsNote(decided: Decided, command: AlertCommand): Decided {
  if (decided.kind !== 'unchanged' || command.note === undefined) return decided;
  const log = `Note added ${via(command, 'Add Note')}`;
  return changed(command, { kind: 'noted' }, { status: decided.status, log, fact: 'noted' });
}

type Acting = Exclude<AlertCommand, { kind: 'create' }>;
type Deciders = {
  readonly [K in Acting['kind']]: (
    alert: Alert,
    command: Extract<Acting, { kind: K }> & Acting,
    context: DecisionContext,
  ) => Decided;
};

const DECIDERS = {
  acknowledge: acknowledged,
  unacknowledge: unacknowledged,
  snooze: snoozed,
  close: closed,
  delete: deleted,
  'reset-recipient-states': recipientStatesReset,
  assign: assigned,
  'add-responder': responderAdded,
  'add-team': responderAdded,
  escalate: escalated,
  'add-note': content.noted,
  'add-tags': content.tagsAdded,
  'remove-tags': content.tagsRemoved,
  'add-details': content.detailsAdded,
  'remove-details': content.detailsRemoved,
  'execute-action': content.actionExecuted,
  'update-message': content.messageUpdated,
  'update-description': content.descriptionUpdated,
  'update-priority': content.priorityUpdated,
} satisfies Partial<Deciders>;

const refused = (status: string): Decided => ({ kind: 'refused', status });
const unchanged = (status: string): Decided => ({ kind: 'unchanged', status });

/** Stops escalation and repeats, and ends a snooze. The actor becomes the owner of an alert that has none (A4, A5). */
function acknowledged(alert: Alert, command: AcknowledgeAlert): Decided {
  const status = 'Acknowledged alert';
  if (alert.status === 'closed') return refused('Alert is closed, it can not be acknowledged');
  if (alert.acknowledged && !alert.snoozed) return unchanged(status);
  return changed(
    command,
    { kind: 'acknowledged', by: command.actor },
    { status, log: `Alert acknowledged ${via(command, 'Acknowledge Alert')}`, fact: 'acknowledged' },
  );
}

/**
 * Starts the flow again from its beginning. That of a snoozed alert starts at the end of the snooze (A5). A held flow starts at the
 * end of its hold, which is now if it has passed (P16).
 */
function unacknowledged(alert: Alert, command: UnacknowledgeAlert): Decided {
  if (alert.status === 'closed') return refused('Alert is closed, it can not be unacknowledged');
  if (!alert.acknowledged) return refused('Alert is not acknowledged, it can not be unacknowledged');
  return changed(
    command,
    { kind: 'unacknowledged' },
    {
      status: 'Unacknowledged alert',
      log: `Alert unacknowledged ${via(command, 'Unacknowledge Alert')}`,
      fact: 'unacknowledged',
      besides:
        alert.hold !== undefined && isHeld(alert, acceptedAt(command))
          ? [`Policy ${alert.hold.policy} still holds the notification flow back`]
          : [],
    },
  );
}

/** Stops the flow until the snooze ends. A further snooze replaces the end (A5); any snooze replaces a hold (P16). */
function snoozed(alert: Alert, command: SnoozeAlert): Decided {
  if (alert.status === 'closed') return refused('Alert is closed, it can not be snoozed');
  return changed(
    command,
    { kind: 'snoozed', until: new Date(command.endTime) },
    {
      status: 'Snoozed alert',
      log: `Alert snoozed until ${command.endTime} ${via(command, 'Snooze Alert')}`,
      fact: 'snoozed',
      besides:
        alert.hold === undefined
          ? []
          : [`The notification flow starts at the end of the snooze, and not when policy ${alert.hold.policy} says`],
    },
  );
}

/** Closes the alert for good: nothing reopens it (A6). A close that names another cycle changes nothing (S9). */
function closed(alert: Alert, command: CloseAlert): Decided {
  const status = 'Closed alert';
  if (alert.status === 'closed') return unchanged(status);
  if (command.cycle !== undefined && command.cycle !== alert.cycle) return OUT_OF_DATE;
  return changed(
    command,
    { kind: 'closed', by: command.actor },
    { status, log: `Alert closed ${via(command, 'Close Alert')}`, fact: 'closed' },
  );
}

/** Deletes the alert with its notes and its log (A6). */
function deleted(_: Alert, command: DeleteAlert): Decided {
  return changed(command, { kind: 'deleted' }, { status: 'Deleted alert', log: 'Alert deleted', fact: 'deleted' });
}

/**
 * Undoes `acknowledged` and `seen`, because the escalation repeats; its flow goes on (S9). An acknowledgement that came
 * after the repetition was due counts for the repetition, so it stays.
 */
function recipientStatesReset(alert: Alert, command: ResetRecipientStates): Decided {
  if (alert.status === 'closed' || command.cycle !== alert.cycle) return OUT_OF_DATE;
  const ackTimeMs = alert.report?.ackTimeMs ?? 0;
  const stays = alert.acknowledged && ackTimeMs > sinceCreation(alert, acceptedAt(command));
  const log =
    alert.acknowledged && !stays
      ? 'The escalation repeats: the acknowledgement is undone'
      : 'The escalation repeats: no acknowledgement is to be undone';
  return changed(command, { kind: 'reset', undone: !stays }, { status: 'Reset recipient states', log, fact: 'reset' });
}

const OUT_OF_DATE: Decided = unchanged('Order is out of date');

/** Assigns the owner and notifies them unless the alert is suppressed (A9, P11). */
function assigned(alert: Alert, command: AssignAlert, { resolve }: DecisionContext): Decided {
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
      besides: alert.notifications.kind === 'suppressed' ? [suppressionText(alert.notifications.reason)] : [],
    },
  );
}

const ADDED = { 'add-responder': 'Added responder', 'add-team': 'Added team' } as const;

/**
 * Adds a responder, who is paged unless the alert is suppressed (A9, P11). A responder whose owner does not answer is looked up again
 * later and joins the flow. If an acknowledgement has stopped the flow for good, that would page no user, so the command fails. To add
 * a present responder is a success that changes nothing.
 */
function responderAdded(alert: Alert, command: AddResponder, { resolve }: DecisionContext): Decided {
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
      besides: alert.notifications.kind === 'suppressed' ? [suppressionText(alert.notifications.reason)] : [],
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
 * Requests the next rule of the escalation (A9). Only scheduling knows which rule that is, and whether the escalation is active. If the
 * alert has no responders, no escalation is active: the escalation becomes a responder. A snooze stays, and its end starts the flow
 * again.
 */
function escalated(alert: Alert, command: EscalateAlert, { resolve }: DecisionContext): Decided {
  if (alert.status === 'closed') return refused('Alert is closed, it can not be escalated');
  if (alert.notifications.kind === 'suppressed') return refused('Alert is suppressed, it can not be escalated');
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
