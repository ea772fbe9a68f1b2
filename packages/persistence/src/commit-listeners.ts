import type { Session } from './connection.ts';

const listeners = new WeakMap<Session, (() => void)[]>();

/**
 * Calls `listener` once the transaction of `session` is committed, and never when it is not. Only for sessions of
 * `inTransaction`, whose every try has a session of its own. A process that dies in between calls nobody.
 */
export function whenCommitted(session: Session, listener: () => void): void {
  const known = listeners.get(session);
  if (known === undefined) listeners.set(session, [listener]);
  else known.push(listener);
}

/** Calls the listeners of a transaction that was committed. */
export function settleListeners(session: Session): void {
  const known = listeners.get(session) ?? [];
  listeners.delete(session);
  for (const listener of known) listener();
}
