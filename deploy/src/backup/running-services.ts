import { LEASES } from '@tocsin/mongo';
import type { mongo } from 'mongoose';
import { TroubleError } from '../trouble.ts';

interface Lease {
  readonly holder: string;
  readonly until: Date;
}

/** A lease that lasts longer was taken by a primary whose clock was ahead, and is free. */
const MAX_LEASE_MS = 10_000;

/**
 * Each service with a database holds leases there while it runs, and renews them each second. A lease ends 3 s after its process was killed,
 * and at once when it was stopped. A frozen process holds none.
 *
 * @throws TroubleError when a lease of one of `databases` is held; the message names the processes.
 */
export async function requireStopped(client: mongo.MongoClient, databases: readonly string[]): Promise<void> {
  const running = new Set<string>();
  for (const database of databases) {
    const leases = client.db(database).collection(LEASES);
    const pipeline = [{ $set: { now: '$$NOW' } }];
    for await (const { now, ...entries } of leases.aggregate<{ readonly now: Date }>(pipeline))
      for (const lease of Object.values(entries).filter(isLease)) {
        const leftMs = lease.until.getTime() - now.getTime();
        if (leftMs > 0 && leftMs <= MAX_LEASE_MS) running.add(`${database} (${processOf(lease)})`);
      }
  }
  if (running.size === 0) return;
  throw new TroubleError(
    `Services run on these databases, by host and process: ${[...running].join(', ')}. Stop all services first. A killed one counts for 3 s more.`,
  );
}

const isLease = (entry: unknown): entry is Lease =>
  typeof entry === 'object' && entry !== null && 'until' in entry && entry.until instanceof Date && 'holder' in entry;

/** The host and the number of the process. */
const processOf = ({ holder }: Lease): string => holder.split('/').slice(0, 2).join(', ');
