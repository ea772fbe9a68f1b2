import { mayName, type Responder, type ResponderReference } from '@tocsin/events';
import { SYSTEM, type Writing } from '../alert-log/entry.ts';
import type { PolicyResult } from '../policies/policy-result.ts';
import type { Alert, UnresolvedResponder, UnresolvedResponders } from './alert.ts';
import { acceptedAt, type Cause, type Changed, type Resolution } from './decided.ts';

/** The input of a decision besides the command and the alert. */
export interface DecisionContext {
  readonly resolve: (reference: ResponderReference) => Resolution;
  readonly processedAt: Date;
  /** The tiny id of the alert, if the command makes one. */
  readonly tinyId: number;
  /** The plan of policies for the alert, if the command makes one. */
  readonly policyResult: Pick<PolicyResult, 'flow' | 'entry'>;
}

/** References, sorted by how they resolve. `known` has each responder once. */
export interface SortedOut<R extends ResponderReference = ResponderReference> {
  readonly known: readonly Responder[];
  readonly unknown: readonly R[];
  readonly unreachable: readonly R[];
}

export function sortedOut<R extends ResponderReference>(
  references: readonly R[],
  resolve: (reference: R) => Resolution,
): SortedOut<R> {
  const known = new Map<string, Responder>();
  const unknown: R[] = [];
  const unreachable: R[] = [];
  for (const reference of references) {
    const resolution = resolve(reference);
    if (resolution.kind === 'known')
      known.set(`${reference.type}:${resolution.id}`, { type: reference.type, id: resolution.id });
    else (resolution.kind === 'unknown' ? unknown : unreachable).push(reference);
  }
  return { known: [...known.values()], unknown, unreachable };
}

/** `found`, or unknown if it is an entity that a key of team `teamId` may not name (K9). */
export const nameable = (found: Resolution, teamId: string | undefined): Resolution =>
  found.kind === 'known' && !mayName(found, teamId) ? { kind: 'unknown' } : found;

/** References in words, for a log entry or a status. */
export function named(references: readonly ResponderReference[]): string {
  return references.map(({ type, id, name }) => `${type} [${name ?? id ?? ''}]`).join(', ');
}

/** Says that an alert is suppressed, for a log entry. */
export const suppressionText = (reason: string): string => `${reason}: no user is paged`;

const MAX_RETRY_MS = 60_000;

/**
 * When a look-up is retried after `attempt` failures (from 1): 2 s after `at`, then 4 s and so on, at most a minute.
 */
export function triedAgain(attempt: number, at: Date): Pick<UnresolvedResponders, 'attempt' | 'dueAt'> {
  const delayMs = Math.min(MAX_RETRY_MS, 1_000 * 2 ** Math.min(attempt, 10));
  return { attempt, dueAt: new Date(at.getTime() + delayMs) };
}

/** The unresolved responders of the alert with `reference`. */
export function awaiting(alert: Alert, reference: UnresolvedResponder, at: Date): UnresolvedResponders {
  const { responders = [], visibleTo = [] } = alert.unresolved ?? {};
  return { responders: [...responders, reference], visibleTo, ...triedAgain(1, at) };
}

/**
 * An alert's unresolved responders are looked up again. Found responders join, if the key that added them may name them, and a running
 * flow starts again so that they are paged. Responders whose owner still does not answer are looked up again later.
 */
export function lookedUpAgain(alert: Alert, cause: Cause, resolve: DecisionContext['resolve']): Changed {
  const { attempt, ...unresolved } = alert.unresolved ?? NO_RESPONDERS;
  const responders = sortedOut(unresolved.responders, (reference) =>
    nameable(resolve(reference), reference.addedByTeamId),
  );
  const visibleTo = sortedOut(unresolved.visibleTo, resolve);
  const still = { responders: responders.unreachable, visibleTo: visibleTo.unreachable };
  const waiting = still.responders.length + still.visibleTo.length > 0;
  return {
    change: {
      kind: 'looked-up',
      responders: responders.known,
      visibleTo: visibleTo.known,
      unresolved: waiting ? { ...still, ...triedAgain(attempt + 1, acceptedAt(cause)) } : undefined,
      at: acceptedAt(cause),
      requestId: cause.requestId,
      logs: entriesFor(responders, visibleTo),
    },
    fact: undefined,
  };
}

const NO_RESPONDERS = { responders: [], visibleTo: [], attempt: 0 };

function entriesFor(responders: SortedOut, visibleTo: SortedOut): Writing['logs'] {
  const unknown = [...responders.unknown, ...visibleTo.unknown];
  const known = responders.known.length + visibleTo.known.length;
  const said = [
    ...(known === 0 ? [] : [`${String(known)} responders that could not be looked up at first were found`]),
    ...(unknown.length === 0 ? [] : [`Unknown responders, left out: ${named(unknown)}`]),
  ];
  return said.map((log) => ({ log, type: 'system', owner: SYSTEM }) as const);
}
