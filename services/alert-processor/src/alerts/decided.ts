import type { AlertCommand, AlertFact } from '@tocsin/events';
import { type DecisionRecord, SYSTEM, type Writing } from '../alert-log/entry.ts';
import type { AlertChange, ChangeKind } from './alert-change.ts';

/** The entity of a reference. `name`: the user name of a user. `unreachable`: its owner did not answer. */
export type Resolution =
  | {
      readonly kind: 'known';
      readonly id: string;
      readonly name: string;
      /** The team that owns a schedule or escalation. */
      readonly ownerTeamId?: string | undefined;
    }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'unreachable' };

/** The cause of a change: a command, or a scheduled action of the alert. */
export type Cause = Pick<AlertCommand, 'requestId' | 'integration' | 'actor' | 'acceptedAt' | 'note' | 'trace'>;

/** A change of an alert. */
export interface Changed {
  readonly change: AlertChange;
  /** The fact in the event; undefined if the event carries the state alone. */
  readonly fact: AlertFact | undefined;
}

/** The outcome of a command. `status` is the text of its request status (wire facts, section 3). */
export type Decided =
  | ({ readonly kind: 'changed'; readonly status: string } & Changed)
  /** A success that changes nothing, such as a second acknowledge. */
  | { readonly kind: 'unchanged'; readonly status: string }
  /** A success that makes no alert: `status` names what dropped it (A8). */
  | { readonly kind: 'dropped'; readonly status: string }
  /** A success: a tool repeats its close, or closes what was never opened (Q3). */
  | { readonly kind: 'nothing-to-close'; readonly status: string }
  | { readonly kind: 'refused'; readonly status: string };

/** The outcome for an alert that does not exist, or that the key may not see (A7, K4). */
export const DOES_NOT_EXIST: Decided = { kind: 'refused', status: 'Alert does not exist' };

/** The moment of acceptance; `createdAt`, reports and delays count from it. */
export function acceptedAt({ acceptedAt: at }: Pick<Cause, 'acceptedAt'>): Date {
  return new Date(at);
}

/** The integration and the action of a command, in the words of the log. */
export function via({ integration }: AlertCommand, action: string): string {
  return `via ${integration.type}[${integration.name}-${action}]`;
}

/** The action of the integration that made the command; undefined if no actions were evaluated (P1). */
export function actionMatched({ integration, matchedAction, requestId }: AlertCommand): DecisionRecord | undefined {
  if (matchedAction === undefined) return undefined;
  const facts = { integrationId: integration.id, action: matchedAction };
  const decisionId = `action:${requestId}`;
  return { decisionId, stage: 'ingest', subject: 'integration-action', outcome: 'matched', facts };
}

export function factOf(
  { acceptedAt: at, actor, note, requestId: factId }: Cause,
  kind: AlertFact['kind'],
  more: Pick<AlertFact, 'responder' | 'action'> = {},
): AlertFact {
  return { factId, kind, actor, at, ...more, ...(note !== undefined && { note }) };
}

/** The texts and the fact of a caller's change. */
export interface ChangeTexts {
  readonly status: string;
  readonly log: string;
  readonly fact: AlertFact['kind'];
  /** Further fields of the fact. */
  readonly more?: Pick<AlertFact, 'responder' | 'action'>;
  /** Further log entries. */
  readonly besides?: readonly string[];
}

/** A change by a caller, logged in their name, with their note. */
export function changed(
  command: AlertCommand,
  kind: ChangeKind,
  { status, log, fact, more, besides = [] }: ChangeTexts,
): Decided {
  const { actor: owner, note } = command;
  const decision = actionMatched(command);
  const logs: Writing['logs'] = [
    { log, type: 'alertAction', owner, action: ACTION_NAMES[command.kind], ...(decision && { decision }) },
    ...besides.map((text) => ({ log: text, type: 'alertAction', owner }) as const),
  ];
  const written = { logs, note: note === undefined ? undefined : { note, owner } };
  return { kind: 'changed', status, change: changeOf(command, kind, written), fact: factOf(command, fact, more) };
}

/** The change by a scheduled action. Without `fact` the event carries the state alone. */
export function byItself(
  cause: Cause,
  kind: ChangeKind,
  { log, fact }: { readonly log: string; readonly fact?: AlertFact['kind'] },
): Changed {
  const change = changeOf(cause, kind, { logs: [{ log, type: 'system', owner: SYSTEM }] });
  return { change, fact: fact && factOf(cause, fact) };
}

const changeOf = (cause: Cause, kind: ChangeKind, written: Pick<Writing, 'logs' | 'note'>): AlertChange => ({
  ...kind,
  at: acceptedAt(cause),
  requestId: cause.requestId,
  ...written,
});

/** The names of commands in request statuses and recipient lists (wire facts, section 3). */
export const ACTION_NAMES = {
  create: 'Create',
  acknowledge: 'Acknowledge',
  close: 'Close',
  'add-note': 'Add Note',
  'reset-recipient-states': 'Reset Recipient States',
  unacknowledge: 'Unacknowledge',
  snooze: 'Snooze',
  delete: 'Delete',
  assign: 'Assign',
  'add-responder': 'Add Responder',
  'add-team': 'Add Team',
  escalate: 'Escalate',
  'add-tags': 'Add Tags',
  'remove-tags': 'Remove Tags',
  'add-details': 'Add Details',
  'remove-details': 'Remove Details',
  'execute-action': 'Custom Action',
  'update-message': 'Update Message',
  'update-description': 'Update Description',
  'update-priority': 'Update Priority',
} as const satisfies Record<AlertCommand['kind'], string>;

export type ActionName = (typeof ACTION_NAMES)[AlertCommand['kind']];
