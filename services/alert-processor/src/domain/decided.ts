import type { AlertCommand, AlertFact, TimerFired } from '@tocsin/contracts';
import { ACTION_NAMES } from './action-names.ts';
import type { AlertChange, ChangeKind } from './alert-change.ts';
import { SYSTEM, type DecisionRecord, type Writing } from './history.ts';

/** What a reference of a command stands for, with its user name or name. `unreachable`: its owner could not be asked. */
export type Resolution =
  | {
      readonly kind: 'known';
      readonly id: string;
      readonly name: string;
      /** Of a schedule or escalation: the team that it belongs to. */
      readonly ownerTeamId?: string | undefined;
    }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'unreachable' };

/** What becomes of a command. `status` is the text of its request status (wire facts, section 3). */
export type Decided =
  | {
      readonly kind: 'changed';
      readonly status: string;
      readonly change: AlertChange;
      /** What others are told of it. */
      readonly fact: AlertFact | undefined;
    }
  /** A success that changes nothing: a repeat. */
  | { readonly kind: 'unchanged'; readonly status: string }
  /** A success that makes no alert: `status` names what dropped it (A8). */
  | { readonly kind: 'dropped'; readonly status: string }
  | { readonly kind: 'refused'; readonly status: string };

/** Any command on an alert that is not there or may not be seen (A7, K4). */
export const DOES_NOT_EXIST: Decided = { kind: 'refused', status: 'Alert does not exist' };

/** The instant of acceptance: what `createdAt`, reports and delays count from. */
export function acceptedAt(command: AlertCommand): Date {
  return new Date(command.acceptedAt);
}

/** By which way and integration something was done, as the log says it. */
export function via({ integration }: AlertCommand, action: string): string {
  return `via ${integration.type}[${integration.name}-${action}]`;
}

/** By which action of its integration a command came about; undefined where no action was asked (P1). */
export function actionMatched({ integration, matchedAction, requestId }: AlertCommand): DecisionRecord | undefined {
  if (matchedAction === undefined) return undefined;
  const facts = { integrationId: integration.id, action: matchedAction };
  const decisionId = `action:${requestId}`;
  return { decisionId, stage: 'ingest', subject: 'integration-action', outcome: 'matched', facts };
}

export function factOf(
  command: AlertCommand,
  kind: AlertFact['kind'],
  more: Pick<AlertFact, 'responder' | 'action'> = {},
): AlertFact {
  const fact = { factId: command.requestId, kind, actor: command.actor, at: command.acceptedAt, ...more };
  return command.note === undefined ? fact : { ...fact, note: command.note };
}

/** How a caller's change reads. */
export interface Told {
  readonly status: string;
  readonly log: string;
  readonly fact: AlertFact['kind'];
  /** What else others are told. */
  readonly more?: Pick<AlertFact, 'responder' | 'action'>;
  /** What the log says besides. */
  readonly besides?: readonly string[];
}

/** A change that a caller made, in their name, with their note. */
export function changed(
  command: AlertCommand,
  kind: ChangeKind,
  { status, log, fact, more, besides = [] }: Told,
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

/** A change that nobody made: something that the alert waited for came due. Others are told of a state without a fact where there is none. */
export function byItself(
  command: TimerFired,
  kind: ChangeKind,
  { status, log, fact }: { readonly status: string; readonly log: string; readonly fact?: AlertFact['kind'] },
): Decided {
  const change = changeOf(command, kind, { logs: [{ log, type: 'system', owner: SYSTEM }] });
  return { kind: 'changed', status, change, fact: fact && factOf(command, fact) };
}

const changeOf = (command: AlertCommand, kind: ChangeKind, written: Pick<Writing, 'logs' | 'note'>): AlertChange => ({
  ...kind,
  at: acceptedAt(command),
  requestId: command.requestId,
  ...written,
});
