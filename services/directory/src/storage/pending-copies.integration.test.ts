import { describe, expect, it } from '@jest/globals';
import { ManualClock } from '@tocsin/clock';
import { migrate, type Connection } from '@tocsin/persistence';
import { emptiedDatabase, eventually } from '@tocsin/testing';
import { timerIndexes, Timers } from '@tocsin/timers';
import { emptyRule } from '../domain/notification-rule.ts';
import type { PendingCopy } from '../ports/pending-copies.ts';
import { COPY_TIMERS } from './index-plans.ts';
import { openMigrated } from '../testing/mongo-fixture.ts';
import { MongoPendingCopies, type CopyPayload } from './mongo-pending-copies.ts';
import { describePendingCopies } from './pending-copies.contract.ts';

const clock = new ManualClock(new Date('2026-01-01T00:00:00Z'));

type Resume = (copy: PendingCopy) => Promise<PendingCopy | undefined>;

/** One process: its timers fire between `start` and `stop`. */
function processOn(connection: Connection, resume: Resume) {
  const timers: Timers<CopyPayload> = new Timers<CopyPayload>({
    connection,
    collection: COPY_TIMERS,
    clock,
    batch: 1,
    leaseMs: 500,
    pollMs: 20,
    logger: { error: () => undefined },
    fire: (due) => copies.settle(due, resume),
  });
  const copies = new MongoPendingCopies(timers, clock);
  const finish = async () => {
    timers.start();
    await eventually(async () => {
      expect(await timers.due()).toBe(0);
    });
    await timers.stop();
  };
  return { copies, finish };
}

const openEmptied = emptiedDatabase(async () => {
  const connection = await openMigrated();
  await migrate(connection, timerIndexes(COPY_TIMERS));
  return connection;
});

describePendingCopies('MongoPendingCopies', async () => {
  const connection = await openEmptied();
  const { copies } = processOn(connection, () => Promise.resolve(undefined));
  return { copies, finish: (resume) => processOn(connection, resume).finish() };
});

describe('a copy that fails in one process', () => {
  it('goes on from where it was', async () => {
    const connection = await openEmptied();
    const seen: (string | undefined)[] = [];
    const failing: Resume = ({ after, ...copy }) => {
      seen.push(after);
      if (seen.length === 2) return Promise.reject(new Error('scheduling is away'));
      return Promise.resolve(after === undefined ? { ...copy, after: 'bob' } : undefined);
    };
    const { copies, finish } = processOn(connection, failing);
    const rules = [emptyRule({ id: 'r', name: 'Nights', actionType: 'create-alert', enabled: true })];
    await copies.keep({
      id: 'c',
      sourceId: 'ada',
      rules,
      actionTypes: ['create-alert'],
      among: undefined,
      after: undefined,
    });
    await finish();
    expect(seen).toEqual([undefined, 'bob', 'bob']);
  });
});
