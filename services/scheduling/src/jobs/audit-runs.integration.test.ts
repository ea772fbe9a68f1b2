import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Pages } from '@tocsin/contracts';
import { RecordingPublisher } from '@tocsin/messaging';
import { collectionOf, connectMongo, migrate, persistenceIndexes, type Connection } from '@tocsin/persistence';
import { testMongo } from '@tocsin/testing';
import { timerIndexes, Timers } from '@tocsin/timers';
import { batchOf, engineFixture, start } from '../testing/engine-fixture.ts';
import { openRunEngine } from '../testing/killed-run-engine.ts';
import { RULE_TIMERS, RUNS, runIndexes } from '../storage/runs/documents.ts';
import { MongoOverdueRuns } from '../storage/runs/mongo-overdue-runs.ts';
import type { RuleDue } from '../storage/runs/mongo-run-store.ts';
import { runAudit } from './audit-runs.ts';

const silent = { warn: () => undefined, error: () => undefined };
const minute = (minutes: number, seconds = 0): Date => new Date(start.getTime() + minutes * 60_000 + seconds * 1_000);

let connection: Connection;

beforeEach(async () => {
  connection = await connectMongo(await testMongo());
  await migrate(connection, [...persistenceIndexes, ...runIndexes, ...timerIndexes(RULE_TIMERS)]);
});

afterEach(async () => {
  await connection.dropDatabase();
  await connection.close();
});

/** An alert has paged ada; grace follows after five minutes. */
async function paging() {
  const snapshot = await engineFixture();
  const publisher = new RecordingPublisher();
  const { engine, fireDue, outbox } = openRunEngine({ connection, publisher, snapshot });
  await engine.settleEvents(batchOf(0, { version: 1, facts: [] }));
  const timers = new Timers<RuleDue['payload']>({
    connection,
    collection: RULE_TIMERS,
    clock: snapshot.clock,
    logger: silent,
    fire: () => Promise.resolve(),
  });
  const paged = async () => {
    await outbox.flush();
    return publisher.published
      .filter(({ topic }) => topic === Pages.name)
      .map(({ message }) => Pages.schema.parse(message).userId);
  };
  const runs = new MongoOverdueRuns(connection);
  return { ...snapshot, audit: runAudit({ runs, timers }), engine, fireDue, paged, runs };
}

const timerRows = () => collectionOf(connection, RULE_TIMERS);

describe('the audit of runs', () => {
  it('gives a run its lost timer back, and its rule fires', async () => {
    const { audit, clock, fireDue, paged } = await paging();
    expect(await timerRows().deleteMany({})).toMatchObject({ deletedCount: 1 });
    expect(await audit.look(minute(5, 29))).toEqual([]);
    const found = await audit.look(minute(5, 30));
    expect(found).toMatchObject([{ id: 'a1' }]);
    clock.moveTo(minute(5, 30));
    await audit.redrive?.(['a1'], clock.now());
    await fireDue();
    expect(await paged()).toEqual(['ada', 'grace']);
    expect(await audit.look(minute(60))).toEqual([]);
  });

  it('does nothing twice where the timer was there all the time, and where it comes again after its rule fired', async () => {
    const { audit, clock, fireDue, paged } = await paging();
    clock.moveTo(minute(6));
    await audit.redrive?.(['a1'], clock.now());
    await fireDue();
    await audit.redrive?.(['a1'], clock.now());
    await fireDue();
    expect(await paged()).toEqual(['ada', 'grace']);
  });

  it('frees a timer that somebody holds and does not fire', async () => {
    const { audit, clock, fireDue, paged } = await paging();
    await timerRows().updateMany({}, { $set: { leaseUntil: new Date(Date.now() + 3_600_000) } });
    clock.moveTo(minute(6));
    await audit.redrive?.(['a1'], clock.now());
    await fireDue();
    expect(await paged()).toEqual(['ada', 'grace']);
  });

  it('is done with a run whose alert is closed, and reads runs by an index', async () => {
    const { audit, clock, engine, runs } = await paging();
    expect(await runs.countOpen()).toBe(1);
    clock.moveTo(minute(1));
    await engine.settleEvents(batchOf(1, { version: 2, facts: [] }, { status: 'closed' }));
    expect(await audit.look(minute(60))).toEqual([]);
    expect(await runs.countOpen()).toBe(0);
    const due = { nextDueAt: { $exists: true, $lte: minute(60) } };
    const plan = await collectionOf(connection, RUNS).find(due).sort({ nextDueAt: 1 }).explain('queryPlanner');
    expect(JSON.stringify(plan)).toContain('nextDueAt_1');
  });
});
