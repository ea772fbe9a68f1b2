import type { AcknowledgeAlert, AddNote, CloseAlert, ResetRecipientStates } from '@tocsin/contracts';
import type { Alert } from './alert.ts';
import { acceptedAt, factOf, later, sinceCreation, via, type Decided } from './decided.ts';
import { written } from './history.ts';

/** Escalation and repeats stop; the actor becomes the owner of an alert that has none (A4). */
export function acknowledged(alert: Alert, command: AcknowledgeAlert): Decided {
  const status = 'Acknowledged alert';
  if (alert.status === 'closed')
    return { kind: 'refused', status: 'Alert is closed, it can not be acknowledged', alert };
  if (alert.acknowledged) return { kind: 'unchanged', status, alert };
  const at = acceptedAt(command);
  const next: Alert = {
    ...alert,
    acknowledged: true,
    seen: true,
    owner: alert.owner === '' ? command.actor : alert.owner,
    report: { ...alert.report, ackTimeMs: sinceCreation(alert, at), acknowledgedBy: command.actor },
  };
  return changed(next, command, { status, log: `Alert acknowledged ${via(command, 'Acknowledge Alert')}` });
}

/** Ends everything, for good: nothing opens a closed alert again (A6). A close of another cycle does nothing (S9). */
export function closed(alert: Alert, command: CloseAlert): Decided {
  const status = 'Closed alert';
  if (alert.status === 'closed') return { kind: 'unchanged', status, alert };
  if (command.cycle !== undefined && command.cycle !== alert.cycle) return outOfDate(alert);
  const at = acceptedAt(command);
  const next: Alert = {
    ...alert,
    status: 'closed',
    snoozed: false,
    unresolved: undefined,
    report: { ...alert.report, closeTimeMs: sinceCreation(alert, at), closedBy: command.actor },
  };
  return changed(next, command, { status, log: `Alert closed ${via(command, 'Close Alert')}` });
}

/**
 * What was acknowledged and seen before a repetition is undone; the flow that repeats goes on (S9). Whoever acknowledged later
 * than the repetition was due has acknowledged that one: it stays.
 */
export function recipientStatesReset(alert: Alert, command: ResetRecipientStates): Decided {
  if (alert.status === 'closed' || command.cycle !== alert.cycle) return outOfDate(alert);
  const ackTimeMs = alert.report?.ackTimeMs ?? 0;
  const stays = alert.acknowledged && ackTimeMs > sinceCreation(alert, acceptedAt(command));
  const next: Alert = stays ? alert : { ...alert, acknowledged: false, seen: false };
  const undone = next.acknowledged !== alert.acknowledged;
  const log = undone
    ? 'The escalation repeats: the acknowledgement is undone'
    : 'The escalation repeats: no acknowledgement is to be undone';
  return changed(next, command, { status: 'Reset recipient states', log });
}

const outOfDate = (alert: Alert): Decided => ({ kind: 'unchanged', status: 'Order is out of date', alert });

/** Closed alerts take notes too. */
export function noted(alert: Alert, command: AddNote): Decided {
  return changed(alert, command, { status: 'Added note', log: `Note added ${via(command, 'Add Note')}` });
}

const FACTS = {
  acknowledge: 'acknowledged',
  close: 'closed',
  'add-note': 'noted',
  'reset-recipient-states': 'reset',
} as const;

function changed(
  alert: Alert,
  command: AcknowledgeAlert | CloseAlert | AddNote | ResetRecipientStates,
  { status, log }: { readonly status: string; readonly log: string },
): Decided {
  const at = acceptedAt(command);
  const { actor: owner, note, requestId } = command;
  const next: Alert = { ...alert, updatedAt: later(at, alert.updatedAt), version: alert.version + 1 };
  return {
    kind: 'changed',
    status,
    fact: factOf(command, FACTS[command.kind]),
    ...written(next, {
      at,
      requestId,
      logs: [{ log, type: 'alertAction', owner }],
      note: note === undefined ? undefined : { note, owner },
    }),
  };
}
