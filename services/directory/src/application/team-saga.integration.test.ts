import { afterAll } from '@jest/globals';
import type { Connection } from '@tocsin/persistence';
import { mongoDirectory, openMigrated } from '../storage/mongo-fixture.contract.ts';
import { describeTeamSaga } from '../storage/team-saga.contract.ts';

const opened: Connection[] = [];

afterAll(async () => {
  await Promise.all(opened.map((connection) => connection.dropDatabase().then(() => connection.close())));
});

describeTeamSaga('MongoDB', async () => {
  const connection = await openMigrated();
  opened.push(connection);
  return mongoDirectory(connection);
});
