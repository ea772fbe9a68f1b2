import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { pid } from 'node:process';
import { type Connection, type Lease, Leases } from '@tocsin/mongo';
import type { ServiceContext } from '@tocsin/service';

/** How long a lease of work lasts after the death of the process that has it. */
const LEASE_MS = 6_000;
/** How often a process renews its leases of work, or looks whether others are free. */
export const RENEW_LEASES_EVERY_MS = 2_000;

/** The leases of a group of work that one process does at a time. */
export const workLeases = (connection: Connection, group: string): Leases =>
  new Leases({ connection, group, holder: `${hostname()}/${pid}/${randomUUID()}`, durationMs: LEASE_MS });

/** Renews a lease until the stop, or looks whether it is free. Where this process takes it, the task of the work is woken. */
export function addLeaseTask(
  { tasks }: Pick<ServiceContext, 'tasks'>,
  {
    lease,
    name,
    work,
  }: { readonly lease: Pick<Lease, 'isHeld' | 'take'>; readonly name: string; readonly work: string },
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
