import type { Session } from './connection.ts';

interface Listener {
  readonly committed: () => void;
  readonly unknown: () => void;
}

const listeners = new WeakMap<Session, Listener[]>();

/**
 * Calls `committed` once the transaction of `session` is committed, and `unknown` where the answer to the commit was lost. Calls
 * neither when it is aborted, or when the process dies. Only for sessions of `inTransaction`, where each try has its own.
 */
export function whenCommitted(session: Session, committed: () => void, unknown: () => void = () => undefined): void {
  const known = listeners.get(session);
  if (known === undefined) listeners.set(session, [{ committed, unknown }]);
  else known.push({ committed, unknown });
}

/** Calls the listeners of a transaction with the outcome of its commit, once. */
export function callListeners(session: Session, outcome: keyof Listener): void {
  const known = listeners.get(session) ?? [];
  listeners.delete(session);
  for (const listener of known) listener[outcome]();
}
