import type { Connection } from 'mongoose';

/** The time of the primary, by its own clock. @throws where it does not answer. */
export async function serverTime(connection: Connection): Promise<Date> {
  const hello = await connection.db?.command({ hello: 1 }, { readPreference: 'primary' });
  return (hello as { readonly localTime: Date }).localTime;
}
