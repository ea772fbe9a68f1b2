import type { ServiceContext } from '@tocsin/service';

/** How often a process renews its leases of work, or looks whether others are free. */
export const RENEW_LEASES_EVERY_MS = 2_000;

/** The lease of work that one process does at a time. */
export interface WorkLease {
  /** Whether this process holds it, as far as it knows without asking again. */
  readonly isHeld: boolean;
  /** Takes or renews it. Resolves with whether this process holds it. */
  take(): Promise<boolean>;
}

/** Renews a lease until the stop, or looks whether it is free. Where this process takes it, the task of the work is woken. */
export function addLeaseTask(
  { tasks }: Pick<ServiceContext, 'tasks'>,
  { lease, name, work }: { readonly lease: WorkLease; readonly name: string; readonly work: string },
): void {
  tasks.add({
    name,
    everyMs: RENEW_LEASES_EVERY_MS,
    activate: async () => {
      const { isHeld } = lease;
      if ((await lease.take()) && !isHeld) tasks.wake(work);
    },
  });
}
