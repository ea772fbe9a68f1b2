import { testMongo } from '@tocsin/testkit';
import { connectMongo, migrate, type Connection, type IndexPlan } from '../index.ts';

/** Connects to a new database with the collections and indexes of `plans`. The test calls {@link dropDatabase} at its end. */
export async function openDatabase(plans: readonly IndexPlan[]): Promise<Connection> {
  const connection = await connectMongo(await testMongo());
  await migrate(connection, plans);
  return connection;
}

export async function dropDatabase(connection: Connection): Promise<void> {
  await connection.dropDatabase();
  await connection.close();
}
