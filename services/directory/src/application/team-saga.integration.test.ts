import { jest } from '@jest/globals';
import { mongoDirectory, openMigrated } from '../testing/mongo-fixture.ts';
import { describeTeamSaga } from '../storage/team-saga.contract.ts';

// Each test migrates a database of its own, which takes a while on a busy machine.
jest.setTimeout(30_000);

describeTeamSaga('MongoDB', async () => mongoDirectory(await openMigrated()));
