import type { ServiceContext } from '@tocsin/service';
import type { ShowOnCall } from './operations.ts';

/** How long the lease lasts, and how often a process renews it, or looks whether it is free. */
export const LEASE_MS = 6_000;
const RENEW_EVERY_MS = 2_000;
const LOOK_EVERY_MS = 30_000;
/** A thousand channels that have news, some of which do not answer. */
const RUN_TIMEOUT_MS = 300_000;

const SHOW = 'show-on-call';

/** Shows who is on call until the stop, while this process holds the lease. */
export function addOnCallTasks(
  { tasks }: Pick<ServiceContext, 'tasks'>,
  {
    lease,
    show,
  }: { readonly show: ShowOnCall; readonly lease: { readonly isHeld: boolean; take(): Promise<boolean> } },
): void {
  tasks.add({
    name: SHOW,
    everyMs: LOOK_EVERY_MS,
    timeoutMs: RUN_TIMEOUT_MS,
    activate: (stopping) => show.activate(stopping),
    runsWhenClockMoves: true,
  });
  tasks.add({
    name: 'lease-of-on-call',
    everyMs: RENEW_EVERY_MS,
    activate: async () => {
      const { isHeld } = lease;
      if ((await lease.take()) && !isHeld) tasks.wake(SHOW);
    },
  });
}
