import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { pid } from 'node:process';
import { type Connection, Leases } from '@tocsin/mongo';

/** How long a lease of work lasts after the death of the process that has it: three times what passes between two renewals. */
const LEASE_MS = 6_000;

/** The leases of a group of work that one process does at a time. */
export const workLeases = (connection: Connection, group: string): Leases =>
  new Leases({ connection, group, holder: `${hostname()}/${pid}/${randomUUID()}`, durationMs: LEASE_MS });
