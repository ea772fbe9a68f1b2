import type { Clock } from '@tocsin/core';
import type { ServiceContext } from '@tocsin/service';
import type { OpenIdFlowStore } from './openid-flow-store.ts';
import type { SessionStore } from './store.ts';

/** Real time between two removals of sessions that have ended. The gateway refuses them from their end on. */
const REMOVE_EVERY_MS = 60_000;

/** Adds a task that removes ended sessions, sessions of deleted or blocked users (K21), and sign-ins and links to a bot that ended. */
export function removeEndedSessions(
  { tasks }: Pick<ServiceContext, 'tasks'>,
  {
    clock,
    openIdFlows,
    sessions,
    telegramLinks,
  }: {
    readonly clock: Clock;
    readonly openIdFlows: Pick<OpenIdFlowStore, 'removeExpired'>;
    readonly sessions: Pick<SessionStore, 'removeEnded'>;
    readonly telegramLinks: { removeExpired(now: Date): Promise<void> };
  },
): void {
  tasks.add({
    name: 'remove-ended-sessions',
    everyMs: REMOVE_EVERY_MS,
    runsWhenClockMoves: true,
    activate: async (signal) => {
      await sessions.removeEnded(clock.now(), signal);
      await openIdFlows.removeExpired(clock.now());
      await telegramLinks.removeExpired(clock.now());
    },
  });
}
