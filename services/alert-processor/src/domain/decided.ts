import type { AlertCommand, AlertFact, ResponderReference } from '@tocsin/contracts';
import type { Alert } from './alert.ts';
import type { LogEntry, Note } from './history.ts';

/** What a reference of a command stands for. `unreachable`: its owner could not be asked. */
export type Resolution =
  { readonly kind: 'known'; readonly id: string } | { readonly kind: 'unknown' } | { readonly kind: 'unreachable' };

/** What a decision may use besides the command and the alert. */
export interface Circumstances {
  readonly resolve: (reference: ResponderReference) => Resolution;
  /** The short number of the alert, should the command make one. */
  readonly tinyId: number;
}

/** What became of a command. `status` is the text of its request status (wire facts, section 3). */
export type Decided =
  | {
      readonly kind: 'changed';
      readonly status: string;
      readonly alert: Alert;
      readonly logs: readonly LogEntry[];
      readonly notes: readonly Note[];
      readonly fact: AlertFact | undefined;
      /** When to try again to resolve `alert.unresolved`. */
      readonly retryAt?: Date | undefined;
    }
  /** A success that changes nothing: a repeat. */
  | { readonly kind: 'unchanged'; readonly status: string; readonly alert: Alert }
  /** A success that makes no alert: `status` names what dropped it (A8). */
  | { readonly kind: 'dropped'; readonly status: string }
  | { readonly kind: 'refused'; readonly status: string; readonly alert: Alert | undefined };

/** Any command on an alert that is not there or may not be seen (A7, K4). */
export const DOES_NOT_EXIST: Decided = { kind: 'refused', status: 'Alert does not exist', alert: undefined };

/** The instant of acceptance: what `createdAt`, reports and delays count from. */
export function acceptedAt(command: AlertCommand): Date {
  return new Date(command.stamp.acceptedAt);
}

/** The later of the two, so that commands accepted out of order never move an alert's times backwards. */
export function later(a: Date, b: Date): Date {
  return a > b ? a : b;
}

/** Whole milliseconds from the alert's creation, at least 0. */
export function sinceCreation(alert: Alert, at: Date): number {
  return Math.max(0, at.getTime() - alert.createdAt.getTime());
}

/** By which way and integration something was done, as the log says it. */
export function via({ integration }: AlertCommand, action: string): string {
  return `via ${integration.type}[${integration.name}-${action}]`;
}

export function factOf(command: AlertCommand, kind: AlertFact['kind']): AlertFact {
  const fact = { factId: command.requestId, kind, actor: command.actor, at: command.stamp.acceptedAt };
  return command.note === undefined ? fact : { ...fact, note: command.note };
}
