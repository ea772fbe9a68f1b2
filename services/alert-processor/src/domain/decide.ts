import type { AlertCommand } from '@tocsin/contracts';
import { maySee, type Alert } from './alert.ts';
import * as content from './content.ts';
import { created, repeated } from './create.ts';
import { changed, DOES_NOT_EXIST, via, type Decided } from './decided.ts';
import type { DecisionContext } from './decision-context.ts';
import * as people from './people.ts';
import * as transitions from './transitions.ts';

/**
 * What a command does to the alert that it names; `alert` is undefined if there is none.
 *
 * The caller finds the alert: for a create the open one with its alias in the scope of its key (A16), for other
 * commands the one that their identifier names.
 */
export function decide(alert: Alert | undefined, command: AlertCommand, context: DecisionContext): Decided {
  if (command.kind === 'create') {
    if (command.dropped !== undefined) return { kind: 'dropped', status: command.dropped };
    if (alert === undefined) return created(command, context);
    return command.recovery === true ? RECOVERED : repeated(alert, command);
  }
  if (alert === undefined) return DOES_NOT_EXIST;
  if (!maySee(alert, command.integration.ownerTeamId)) return DOES_NOT_EXIST;
  const decider = DECIDERS[command.kind] as (alert: Alert, command: AlertCommand, context: DecisionContext) => Decided;
  return withItsNote(decider(alert, command, context), command);
}

/** A mail says that the trouble is over, and no action closes the alert. That is no further occurrence (P10). */
const RECOVERED: Decided = { kind: 'unchanged', status: 'Recovery mail: no action closes the alert, which stays open' };

/** Keeps the note of a command that changes nothing else: its caller is told that it was processed (A4). */
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
  acknowledge: transitions.acknowledged,
  unacknowledge: transitions.unacknowledged,
  snooze: transitions.snoozed,
  close: transitions.closed,
  delete: transitions.deleted,
  'reset-recipient-states': transitions.recipientStatesReset,
  assign: people.assigned,
  'add-responder': people.responderAdded,
  'add-team': people.responderAdded,
  escalate: people.escalated,
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
