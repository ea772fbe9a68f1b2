import { afterAll, jest } from '@jest/globals';
import type { Connection } from '@tocsin/persistence';
import { mongoDirectory, openMigrated } from '../storage/mongo-fixture.contract.ts';
import { describeTeamSaga } from '../storage/team-saga.contract.ts';

// Each test migrates a database of its own, which takes a while on a busy machine.
jest.setTimeout(30_000);

const opened: Connection[] = [];

afterAll(async () => {
  await Promise.all(opened.map((connection) => connection.dropDatabase().then(() => connection.close())));
}, 30_000);

describeTeamSaga('MongoDB', async () => {
  const connection = await openMigrated();
  opened.push(connection);
  return mongoDirectory(connection);
});
