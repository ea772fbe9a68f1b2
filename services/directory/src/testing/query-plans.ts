import { collectionOf, type Connection } from '@tocsin/mongo';

interface Profiled {
  readonly ns: string;
  readonly planSummary: string;
}

/**
 * How the database looked up what `work` asked of it, read from its profiler: `collection: plan`, each once, sorted. A test
 * that calls this must have the database to itself.
 */
export async function plansOf(connection: Connection, work: () => Promise<unknown>): Promise<readonly string[]> {
  const { db } = connection;
  if (db === undefined) throw new Error('The connection is not open.');
  await db.command({ profile: 2 });
  try {
    await work();
  } finally {
    await db.command({ profile: 0 });
  }
  const profile = collectionOf<Profiled>(connection, 'system.profile');
  const looked = await profile.find({ planSummary: { $exists: true } }).toArray();
  await profile.drop();
  return [...new Set(looked.map(({ ns, planSummary }) => `${ns.split('.').at(-1) ?? ''}: ${planSummary}`))].sort();
}
