import { emptiedDatabase } from '@tocsin/testing';
import { mongoDirectory, openMigrated } from '../testing/mongo-fixture.ts';
import { describeTeamSaga } from '../storage/team-saga.contract.ts';

const openEmptied = emptiedDatabase(openMigrated);

describeTeamSaga('MongoDB', async () => mongoDirectory(await openEmptied()));
