import type {
  AcknowledgeAlert,
  CloseAlert,
  DeleteAlert,
  ResetRecipientStates,
  SnoozeAlert,
  TimerFired,
  UnacknowledgeAlert,
} from '@tocsin/contracts';
import type { Alert } from './alert.ts';
import { acceptedAt, changed, factOf, via, type Decided } from './decided.ts';
import { sinceCreation } from './alert-change.ts';
import { SYSTEM } from './history.ts';

const refused = (status: string): Decided => ({ kind: 'refused', status });
const unchanged = (status: string): Decided => ({ kind: 'unchanged', status });

/** Escalation and repeats stop, and so does a snooze; the actor becomes the owner of an alert that has none (A4, A5). */
export function acknowledged(alert: Alert, command: AcknowledgeAlert): Decided {
  const status = 'Acknowledged alert';
  if (alert.status === 'closed') return refused('Alert is closed, it can not be acknowledged');
  if (alert.acknowledged && !alert.snoozed) return unchanged(status);
  return changed(
    command,
    { kind: 'acknowledged', by: command.actor },
    { status, log: `Alert acknowledged ${via(command, 'Acknowledge Alert')}`, fact: 'acknowledged' },
  );
}

/** The flow starts again from its beginning, after the snooze where there is one (A5). */
export function unacknowledged(alert: Alert, command: UnacknowledgeAlert): Decided {
  if (alert.status === 'closed') return refused('Alert is closed, it can not be unacknowledged');
  if (!alert.acknowledged) return refused('Alert is not acknowledged, it can not be unacknowledged');
  return changed(
    command,
    { kind: 'unacknowledged' },
    {
      status: 'Unacknowledged alert',
      log: `Alert unacknowledged ${via(command, 'Unacknowledge Alert')}`,
      fact: 'unacknowledged',
    },
  );
}

/** The flow stops until the end of the snooze; a further snooze replaces the end (A5). */
export function snoozed(alert: Alert, command: SnoozeAlert): Decided {
  if (alert.status === 'closed') return refused('Alert is closed, it can not be snoozed');
  return changed(
    command,
    { kind: 'snoozed', until: new Date(command.endTime) },
    {
      status: 'Snoozed alert',
      log: `Alert snoozed until ${command.endTime} ${via(command, 'Snooze Alert')}`,
      fact: 'snoozed',
    },
  );
}

/** The timer at the end of a snooze; each alert has one at most. */
export const snoozeTimerId = (alertId: string): string => `snooze:${alertId}`;

/**
 * The alert behaves as if it had just been received: whoever is on call now is paged (A5). A timer of a snooze that was
 * ended or replaced does nothing.
 */
export function snoozeEnded(alert: Alert, command: TimerFired): Decided {
  const at = acceptedAt(command);
  if (alert.snoozedUntil === undefined || alert.snoozedUntil > at) return unchanged('Timer is out of date');
  return {
    kind: 'changed',
    status: 'Ended snooze',
    change: {
      kind: 'snooze-ended',
      at,
      requestId: command.requestId,
      logs: [{ log: 'The snooze ended: the notification flow starts again', type: 'system', owner: SYSTEM }],
    },
    fact: factOf(command, 'snooze-ended'),
  };
}

/** Ends everything, for good: nothing opens a closed alert again (A6). A close of another cycle does nothing (S9). */
export function closed(alert: Alert, command: CloseAlert): Decided {
  const status = 'Closed alert';
  if (alert.status === 'closed') return unchanged(status);
  if (command.cycle !== undefined && command.cycle !== alert.cycle) return OUT_OF_DATE;
  return changed(
    command,
    { kind: 'closed', by: command.actor },
    { status, log: `Alert closed ${via(command, 'Close Alert')}`, fact: 'closed' },
  );
}

/** The alert is gone with its notes and its log (A6). */
export function deleted(_: Alert, command: DeleteAlert): Decided {
  return changed(command, { kind: 'deleted' }, { status: 'Deleted alert', log: 'Alert deleted', fact: 'deleted' });
}

/**
 * What was acknowledged and seen before a repetition is undone; the flow that repeats goes on (S9). Whoever acknowledged later
 * than the repetition was due has acknowledged that one: it stays.
 */
export function recipientStatesReset(alert: Alert, command: ResetRecipientStates): Decided {
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
