import type { Session } from './connection.ts';

/** Called when a transaction has ended. */
interface Listener {
  readonly committed: () => void;
  readonly unknown: () => void;
}

const listeners = new WeakMap<Session, Listener[]>();

/**
 * Calls `committed` once the transaction of `session` is committed, and never when it is not; `unknown` where the answer to
 * the commit was lost, so that it may be either. Only for sessions of `inTransaction`, whose every try has a session of its
 * own. A process that dies in between calls nobody.
 */
export function whenCommitted(session: Session, committed: () => void, unknown: () => void = () => undefined): void {
  const known = listeners.get(session);
  if (known === undefined) listeners.set(session, [{ committed, unknown }]);
  else known.push({ committed, unknown });
}

/** Calls the listeners of a transaction that ended so, once. */
export function settleListeners(session: Session, ended: keyof Listener): void {
  const known = listeners.get(session) ?? [];
  listeners.delete(session);
  for (const listener of known) listener[ended]();
}
