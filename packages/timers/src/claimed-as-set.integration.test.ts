import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ManualClock, systemClock } from '@tocsin/clock';
import { inTransaction } from '@tocsin/persistence';
import { eventually } from '@tocsin/testing';
import { mongo } from 'mongoose';
import { TimerRows } from './timer-rows.ts';
import { COLLECTION, inMs, row, start, TimersStage, type Page } from './timers-stage.contract.ts';

const NEVER_MS = 1e6;

let stage: TimersStage;

beforeEach(async () => {
  stage = await TimersStage.open();
});

afterEach(() => stage.close());

describe('Timers that are due as they are set', () => {
  it('fires what is due as it is set after the commit, without looking for it, and never what was not committed', async () => {
    const connection = await stage.connect();
    const timers = await stage.replica(systemClock, { connection, pollMs: NEVER_MS });
    timers.start();
    await timers.schedule(undefined, [row('first', inMs(-1))]);
    await eventually(() => {
      expect(stage.ids()).toEqual(['first']);
    });
    const refused = inTransaction(connection, async (session) => {
      await timers.schedule(session, [row('aborted', inMs(-1))]);
      throw new Error('The rest of the transaction failed.');
    });
    await expect(refused).rejects.toThrow('The rest');
    await inTransaction(connection, (session) =>
      timers.schedule(session, [row('committed', inMs(-1)), row('soon', inMs(200))]),
    );
    await eventually(() => {
      expect(stage.ids()).toEqual(['first', 'committed', 'soon']);
    });
    expect(stage.fired.map((timer) => timer.attempts)).toEqual([1, 1, 1]);
    await eventually(async () => {
      expect(await connection.collection(COLLECTION).countDocuments()).toBe(0);
    });
  });

  it('fires what was set by a transaction of which nobody learns that it was committed, long before its lease is over', async () => {
    const connection = await stage.connect();
    const timers = await stage.replica(systemClock, { connection, leaseMs: NEVER_MS });
    timers.start();
    await timers.schedule(undefined, [row('before', inMs(-1))]);
    await eventually(async () => {
      expect(await timers.due()).toBe(0);
    });
    const lost = inTransaction(connection, async (session) => {
      await timers.schedule(session, [row('doubtful', inMs(-1))]);
      const commit = session.commitTransaction.bind(session);
      session.commitTransaction = async () => {
        await commit();
        throw new mongo.MongoNetworkError('connection closed');
      };
    });
    await expect(lost).rejects.toThrow();
    await eventually(() => {
      expect(stage.ids()).toEqual(['before', 'doubtful']);
    });
    expect(stage.fired.map(({ attempts }) => attempts)).toEqual([1, 1]);
  });

  it('are fired by another process where this one does not come to it', async () => {
    const connection = await stage.connect();
    const { promise: sent, resolve: send } = Promise.withResolvers<undefined>();
    const busy: string[] = [];
    const first = await stage.replica(systemClock, {
      ...{ connection, leaseMs: NEVER_MS, pollMs: NEVER_MS },
      fire: async (due) => {
        busy.push(...due.map(({ id }) => id));
        if (busy.includes('slow')) await sent;
        await first.remove(due);
      },
    });
    first.start();
    await first.schedule(undefined, [row('before', inMs(-1))]);
    await eventually(async () => {
      expect(await first.due()).toBe(0);
    });
    await inTransaction(connection, async (session) => {
      await first.schedule(session, [row('waiting', inMs(-1))]);
      await first.schedule(undefined, [row('slow', inMs(-1))]);
      await eventually(() => {
        expect(busy).toEqual(['before', 'slow']);
      });
    });
    (await stage.replica(systemClock)).start();
    await eventually(() => {
      expect(stage.fired).toMatchObject([{ id: 'waiting', attempts: 1 }]);
    });
    send(undefined);
    await eventually(async () => {
      expect(await first.due()).toBe(0);
    });
    expect(busy).toEqual(['before', 'slow']);
  });

  it('says how late a timer is when it is fired, though it was claimed before', async () => {
    const connection = await stage.connect();
    const clock = new ManualClock(start);
    const timers = await stage.replica(clock, { connection, pollMs: NEVER_MS });
    timers.start();
    await timers.schedule(undefined, [row('before', start)]);
    await eventually(() => {
      expect(stage.lags).toEqual([0]);
    });
    await inTransaction(connection, async (session) => {
      await timers.schedule(session, [row('slow', start)]);
      clock.moveTo(new Date(start.getTime() + 5_000));
    });
    await eventually(() => {
      expect(stage.lags).toEqual([0, 5]);
    });
  });

  it('gives back, and looks for like anybody, what it claimed in a transaction that took long', async () => {
    const connection = await stage.connect();
    const leaseMs = 2_000;
    const timers = await stage.replica(systemClock, { connection, leaseMs, pollMs: NEVER_MS });
    timers.start();
    await timers.schedule(undefined, [row('before', inMs(-1))]);
    await eventually(() => {
      expect(stage.ids()).toEqual(['before']);
    });
    await inTransaction(connection, async (session) => {
      const began = performance.now();
      await timers.schedule(session, [row('slow', inMs(-1))]);
      await eventually(() => {
        expect(performance.now() - began).toBeGreaterThan(leaseMs / 5);
      });
    });
    await eventually(() => {
      expect(stage.fired.map(({ attempts, id }) => [id, attempts])).toEqual([
        ['before', 1],
        ['slow', 1],
      ]);
    });
  });

  it('gives what was claimed as it was set to somebody else when the lease is over, with its payload as it was', async () => {
    const payload = { page: '$page', note: '$$NOW' };
    const rows = new TimerRows<Page>(await stage.connect(), COLLECTION);
    await rows.put([{ ...row('left', inMs(-1)), payload }], undefined, { now: new Date(), leaseMs: 1_000 });
    const timers = await stage.replica(systemClock);
    timers.start();
    await eventually(() => {
      expect(stage.fired).toMatchObject([{ id: 'left', attempts: 2, payload }]);
    });
  });
});
