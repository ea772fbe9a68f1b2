import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { RecordingPublisher } from '@tocsin/messaging';
import { collectionOf, connectMongo, migrate, persistenceIndexes, type Connection } from '@tocsin/persistence';
import { docsExamined, monitoredUri, sentFinds, testMongo } from '@tocsin/testing';
import { batchOf, engineFixture, start } from '../testing/engine-fixture.ts';
import { openRunEngine } from '../testing/killed-run-engine.ts';
import { RUNS, runIndexes } from '../storage/runs/documents.ts';
import { MongoOverdueRuns } from '../storage/runs/mongo-overdue-runs.ts';
import { runAudit } from './audit-runs.ts';

const minute = (minutes: number, seconds = 0): Date => new Date(start.getTime() + minutes * 60_000 + seconds * 1_000);

let connection: Connection;

beforeEach(async () => {
  const { database, uri } = await testMongo();
  connection = await connectMongo({ uri: monitoredUri(uri), database });
  await migrate(connection, [...persistenceIndexes, ...runIndexes]);
});

afterEach(async () => {
  await connection.dropDatabase();
  await connection.close();
});

/** An alert has paged ada; grace follows after five minutes. */
async function paging() {
  const snapshot = await engineFixture();
  const { engine, processDue } = openRunEngine({ connection, publisher: new RecordingPublisher(), snapshot });
  await engine.settleEvents(batchOf(0, { version: 1, facts: [] }));
  const runs = new MongoOverdueRuns(connection);
  return { ...snapshot, audit: runAudit(runs), engine, processDue, runs };
}

describe('the audit of runs', () => {
  it('finds a run of which a rule is due for half a minute, until that fires', async () => {
    const { audit, clock, processDue } = await paging();
    expect(await audit.look(minute(5, 29))).toEqual([]);
    expect(await audit.look(minute(5, 30))).toMatchObject([{ id: 'a1' }]);
    clock.moveTo(minute(5, 30));
    await processDue();
    expect(await audit.look(minute(15))).toEqual([]);
  });

  it('forgets a run whose alert is closed', async () => {
    const { audit, clock, engine, runs } = await paging();
    expect(await runs.countOpen()).toBe(1);
    clock.moveTo(minute(1));
    await engine.settleEvents(batchOf(1, { version: 2, facts: [] }, { status: 'closed' }));
    expect(await audit.look(minute(60))).toEqual([]);
    expect(await runs.countOpen()).toBe(0);
  });

  it('reads only the runs that are overdue', async () => {
    const { audit } = await paging();
    const waiting = Array.from({ length: 500 }, (_, n) => ({ _id: `waits ${n}`, nextDueAt: minute(600) }));
    await collectionOf<{ readonly _id: string }>(connection, RUNS).insertMany(waiting);
    const finds = sentFinds(connection.getClient(), RUNS);
    expect(await audit.look(minute(60))).toHaveLength(1);
    expect(await Promise.all(finds.map((find) => docsExamined(connection, find)))).toEqual([1]);
  });
});
