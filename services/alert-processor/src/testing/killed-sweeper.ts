/**
 * A separate process that removes what has been kept long enough, and kills itself at one point. Its only argument is a
 * {@link KilledSweeper} in JSON.
 */
import { connectMongo } from '@tocsin/mongo';
import { dieAt, monitoredUri, type PointOfDeath } from '@tocsin/testkit';
import { KEPT } from '../alerts/retention.ts';
import { RetentionStore } from '../alerts/retention-store.ts';

export interface KilledSweeper {
  readonly mongoUri: string;
  readonly database: string;
  /** Whatever dates from this instant or earlier is removed. */
  readonly until: string;
  readonly dieAt: PointOfDeath;
}

async function sweepUntilDeath({ database, dieAt: point, mongoUri, until }: KilledSweeper): Promise<void> {
  const connection = await connectMongo({ uri: monitoredUri(mongoUri), database });
  dieAt(connection.getClient(), point);
  const rows = new RetentionStore(connection);
  const now = new Date(until);
  for (const kind of KEPT) for (let removed = 1; removed > 0;) removed = await rows.remove(kind, now, now);
  await connection.close();
}

const [, script = '', options] = process.argv;
if (script.endsWith('killed-sweeper.ts') && options !== undefined)
  await sweepUntilDeath(JSON.parse(options) as KilledSweeper);
