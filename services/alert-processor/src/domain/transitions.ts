import type { AcknowledgeAlert, AddNote, CloseAlert } from '@tocsin/contracts';
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

/** Ends everything, for good: nothing opens a closed alert again (A6). */
export function closed(alert: Alert, command: CloseAlert): Decided {
  const status = 'Closed alert';
  if (alert.status === 'closed') return { kind: 'unchanged', status, alert };
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

/** Closed alerts take notes too. */
export function noted(alert: Alert, command: AddNote): Decided {
  return changed(alert, command, { status: 'Added note', log: `Note added ${via(command, 'Add Note')}` });
}

const FACTS = { acknowledge: 'acknowledged', close: 'closed', 'add-note': 'noted' } as const;

function changed(
  alert: Alert,
  command: AcknowledgeAlert | CloseAlert | AddNote,
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
