import type { Clock } from '@tocsin/core';
import type { ServiceContext } from '@tocsin/service';
import type { SessionStore } from './store.ts';

/** Real time between two removals of sessions that have ended. The gateway refuses them from their end on. */
const REMOVE_EVERY_MS = 60_000;

/** Adds a task that removes sessions that have ended, and those of users who are gone or blocked (K21). */
export function removeEndedSessions(
  { tasks }: Pick<ServiceContext, 'tasks'>,
  { clock, sessions }: { readonly clock: Clock; readonly sessions: Pick<SessionStore, 'removeEnded'> },
): void {
  tasks.add({
    name: 'remove-ended-sessions',
    everyMs: REMOVE_EVERY_MS,
    runsWhenClockMoves: true,
    activate: (signal) => sessions.removeEnded(clock.now(), signal),
  });
}
