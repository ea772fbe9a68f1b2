import type {
  AcknowledgeAlert,
  CloseAlert,
  DeleteAlert,
  ResetRecipientStates,
  SnoozeAlert,
  UnacknowledgeAlert,
} from '@tocsin/contracts';
import { isHeld, type Alert } from './alert.ts';
import { acceptedAt, changed, via, type Decided } from './decided.ts';
import { sinceCreation } from './alert-change.ts';

const refused = (status: string): Decided => ({ kind: 'refused', status });
const unchanged = (status: string): Decided => ({ kind: 'unchanged', status });

/** Stops escalation and repeats, and ends a snooze. The actor becomes the owner of an alert that has none (A4, A5). */
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

/**
 * Starts the flow again from its beginning. That of a snoozed alert starts at the end of the snooze (A5). A held flow starts at the
 * end of its hold, which is now if it has passed (P16).
 */
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
      besides:
        alert.hold !== undefined && isHeld(alert, acceptedAt(command))
          ? [`Policy ${alert.hold.policy} still holds the notification flow back`]
          : [],
    },
  );
}

/** Stops the flow until the snooze ends. A further snooze replaces the end (A5); any snooze replaces a hold (P16). */
export function snoozed(alert: Alert, command: SnoozeAlert): Decided {
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

/** Deletes the alert with its notes and its log (A6). */
export function deleted(_: Alert, command: DeleteAlert): Decided {
  return changed(command, { kind: 'deleted' }, { status: 'Deleted alert', log: 'Alert deleted', fact: 'deleted' });
}

/**
 * Undoes `acknowledged` and `seen`, because the escalation repeats; its flow goes on (S9). An acknowledgement that came
 * after the repetition was due counts for the repetition, so it stays.
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
