import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ManualClock, systemClock } from '@tocsin/clock';
import { inTransaction } from '@tocsin/persistence';
import { eventually } from '@tocsin/testing';
import { mongo } from 'mongoose';
import type { DueTimer, Timers } from './index.ts';
import { TimerRows } from './timer-rows.ts';
import {
  COLLECTION,
  FIRE_WITHIN_MS,
  inMs,
  MAX_READS_PER_POLL,
  row,
  start,
  TimersStage,
  type Page,
} from './testing/timers-stage.ts';

const NEVER_MS = 1e6;

let stage: TimersStage;

beforeEach(async () => {
  stage = await TimersStage.open();
});

afterEach(() => stage.close());

describe('Timers', () => {
  it('fires what is due by the clock, with its payload and fence, and nothing before', async () => {
    const clock = new ManualClock(start);
    const timers = await stage.replica(clock);
    await timers.schedule(undefined, [
      row('early', new Date('2026-03-01T08:05:00Z'), 7),
      row('late', new Date('2026-03-01T09:00:00Z')),
    ]);
    timers.start();
    expect(await timers.due()).toBe(0);
    expect(await timers.nextDueAt()).toEqual(new Date('2026-03-01T08:05:00Z'));

    clock.moveTo(new Date('2026-03-01T08:05:00Z'));
    await eventually(() => {
      expect(stage.ids()).toEqual(['early']);
    });
    expect(stage.fired[0]).toMatchObject({ fence: 7, payload: { page: 'page of early' }, attempts: 1 });
    expect(stage.lags).toEqual([0]);
    expect(await timers.nextDueAt()).toEqual(new Date('2026-03-01T09:00:00Z'));
  });

  it('brings a timer forward, and leaves one that is due earlier where it is', async () => {
    const timers = await stage.replica(new ManualClock(start));
    const due = (minute: number) => new Date(start.getTime() + minute * 60_000);
    await timers.schedule(undefined, [row('late', due(30)), row('early', due(5))]);
    await timers.bringForward(undefined, [row('late', due(10), 2), row('early', due(10), 2), row('new', due(20), 2)]);
    timers.start();
    expect(await timers.nextDueAt()).toEqual(due(5));
    await timers.cancel(undefined, ['early']);
    expect(await timers.nextDueAt()).toEqual(due(10));
    await timers.cancel(undefined, ['late']);
    expect(await timers.nextDueAt()).toEqual(due(20));
    expect(stage.ids()).toEqual([]);
  });

  it('fires a timer that is late once, and says by how much', async () => {
    const clock = new ManualClock(start);
    const timers = await stage.replica(clock);
    await timers.schedule(undefined, [row('missed', new Date('2026-03-01T07:58:30Z'))]);
    timers.start();
    await eventually(async () => {
      expect(stage.ids()).toEqual(['missed']);
      expect(await timers.due()).toBe(0);
    });
    expect(stage.lags).toEqual([90]);
  });

  it('knows since when the oldest has been due, while it is being fired too', async () => {
    const clock = new ManualClock(start);
    const fired = Promise.withResolvers<undefined>();
    const timers = await stage.replica(clock, { fire: () => fired.promise });
    expect(await timers.oldest()).toBeUndefined();
    await timers.schedule(undefined, [row('stuck', new Date('2026-03-01T07:58:30Z'))]);
    timers.start();
    await eventually(async () => {
      expect(await timers.nextDueAt()).toBeUndefined();
    });
    await timers.schedule(undefined, [row('next', new Date('2026-03-01T07:59:00Z'))]);
    expect(await timers.oldest()).toEqual(new Date('2026-03-01T07:58:30Z'));
    await timers.cancel(undefined, ['stuck']);
    expect(await timers.oldest()).toEqual(new Date('2026-03-01T07:59:00Z'));
    fired.resolve(undefined);
  });

  it('keeps one row of an id: what was set last is what fires', async () => {
    const clock = new ManualClock(start);
    const timers = await stage.replica(clock);
    await timers.schedule(undefined, [row('moved', new Date('2026-03-01T08:01:00Z'), 1)]);
    await timers.schedule(undefined, [row('moved', new Date('2026-03-01T08:02:00Z'), 2)]);
    timers.start();
    clock.advance(60_000);
    expect(await timers.due()).toBe(0);
    clock.advance(60_000);
    await eventually(() => {
      expect(stage.fired.map((timer) => timer.fence)).toEqual([2]);
    });
  });

  it('leaves a kind that only a newer release knows to that release, and fires the others meanwhile', async () => {
    const clock = new ManualClock(start);
    const newer = await stage.replica(clock, { kinds: ['old', 'new'] });
    const older = await stage.replica(clock, { kinds: ['old'], batch: 2 });
    const minutesAgo = (minutes: number): Date => new Date(start.getTime() - minutes * 60_000);
    await newer.schedule(undefined, [
      ...[9, 8, 7].map((ago) => ({ ...row(`new${ago}`, minutesAgo(ago)), kind: 'new' })),
      { ...row('old', minutesAgo(1)), kind: 'old' },
      row('of the one kind', minutesAgo(1)),
    ]);
    expect(await older.oldest()).toEqual(minutesAgo(1));
    expect(await older.nextDueAt()).toEqual(minutesAgo(1));
    expect(await older.due()).toBe(1);
    expect(await older.countUnknown()).toEqual(
      new Map([
        ['new', 3],
        ['null', 1],
      ]),
    );
    older.start();
    await eventually(() => {
      expect(stage.ids()).toEqual(['old']);
    });
    await older.stop();
    expect(stage.fired[0]).toMatchObject({ kind: 'old', attempts: 1 });
    newer.start();
    await eventually(() => {
      expect(stage.ids()).toEqual(['old', 'new9', 'new8', 'new7']);
    });
    expect(stage.fired.map(({ attempts }) => attempts)).toEqual([1, 1, 1, 1]);
  });

  it('gives back a payload as it was, without what was absent', async () => {
    const timers = await stage.replica(new ManualClock(start));
    await timers.schedule(undefined, [
      { id: 'absent', dueAt: start, fence: 1, payload: { page: '$$NOW', note: undefined } },
    ]);
    timers.start();
    await eventually(() => {
      expect(stage.fired.map((timer) => Object.entries(timer.payload))).toEqual([[['page', '$$NOW']]]);
    });
  });

  it('fires what is due as it is set at once after the commit, and never what was not committed', async () => {
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
  });

  it('fires as many at a time as there is room for, and more as soon as it is told that there is more', async () => {
    const connection = await stage.connect();
    let room = 2;
    const begun: DueTimer<Page>[] = [];
    const { promise: done, resolve: finish } = Promise.withResolvers<undefined>();
    const timers = await stage.replica(systemClock, {
      connection,
      pollMs: NEVER_MS,
      room: () => room,
      fire: async (due) => {
        begun.push(...due);
        room -= due.length;
        await done;
      },
    });
    await timers.schedule(
      undefined,
      ['a', 'b', 'c', 'd', 'e'].map((id, index) => row(id, inMs(index - 10))),
    );
    timers.start();
    await eventually(() => {
      expect(begun.map(({ id }) => id)).toEqual(['a', 'b']);
    });
    await timers.remove(begun.slice(0, 1));
    room += 1;
    timers.wake();
    await eventually(() => {
      expect(begun.map(({ id }) => id)).toEqual(['a', 'b', 'c']);
    });
    expect(room).toBe(0);
    finish(undefined);
  });

  it('lets another process have at once what was given back, as if it had never been claimed', async () => {
    const { promise: done, resolve: finish } = Promise.withResolvers<undefined>();
    const first = await stage.replica(systemClock, {
      leaseMs: NEVER_MS,
      fire: async (due) => {
        await first.giveBack(due.filter(({ id }) => id === 'given back'));
        await done;
      },
    });
    await first.schedule(undefined, [row('kept', inMs(-1)), row('given back', inMs(-1))]);
    first.start();
    await eventually(async () => {
      expect(await first.nextDueAt()).toBeDefined();
    });
    const second = await stage.replica(systemClock);
    second.start();
    await eventually(() => {
      expect(stage.fired).toMatchObject([{ id: 'given back', attempts: 1 }]);
    });
    finish(undefined);
  });

  it('does not remove a row that was set again while it fired', async () => {
    const clock = new ManualClock(start);
    const removed: number[] = [];
    const timers: Timers<Page> = await stage.replica(clock, {
      fire: async (due) => {
        stage.fired.push(...due);
        if (stage.fired.length === 1)
          await timers.schedule(undefined, [row('again', new Date('2026-03-01T08:10:00Z'), 2)]);
        removed.push(await timers.remove(due));
      },
    });
    await timers.schedule(undefined, [row('again', start)]);
    timers.start();
    await eventually(() => {
      expect(removed).toEqual([0]);
    });
    expect(await timers.nextDueAt()).toEqual(new Date('2026-03-01T08:10:00Z'));
  });

  it('sets and removes timers only if the transaction is committed', async () => {
    const connection = await stage.connect();
    const timers = await stage.replica(new ManualClock(start), { connection });
    const session = await connection.startSession();
    session.startTransaction();
    await timers.schedule(session, [row('aborted', start)]);
    await session.abortTransaction();
    expect(await timers.nextDueAt()).toBeUndefined();

    await session.withTransaction(() => timers.schedule(session, [row('committed', start)]));
    await session.endSession();
    expect(await timers.nextDueAt()).toEqual(start);
  });

  it('cancels timers only if the transaction is committed, claimed ones too', async () => {
    const connection = await stage.connect();
    const { promise: done, resolve: finish } = Promise.withResolvers<undefined>();
    const removed: number[] = [];
    const timers: Timers<Page> = await stage.replica(new ManualClock(start), {
      connection,
      fire: async (due) => {
        stage.fired.push(...due);
        await done;
        removed.push(await timers.remove(due));
      },
    });
    const later = new Date('2026-03-01T08:10:00Z');
    await timers.schedule(undefined, [row('claimed', start), row('waits', later), row('stays', inMs(1e9))]);
    timers.start();
    await eventually(() => {
      expect(stage.ids()).toEqual(['claimed']);
    });
    const refused = inTransaction(connection, async (session) => {
      await timers.cancel(session, ['claimed', 'waits']);
      throw new Error('The rest of the transaction failed.');
    });
    await expect(refused).rejects.toThrow('The rest');
    expect(await timers.nextDueAt()).toEqual(later);
    expect(await timers.due()).toBe(1);
    await inTransaction(connection, (session) => timers.cancel(session, ['claimed', 'waits', 'never set']));
    expect(await timers.due()).toBe(0);
    expect((await timers.nextDueAt())?.getTime()).toBeGreaterThan(later.getTime());
    finish(undefined);
    await eventually(() => {
      expect(removed).toEqual([0]);
    });
  });

  it('fires a timer of another process within a second of its due instant', async () => {
    const firing = await stage.replica(systemClock);
    const scheduling = await stage.replica(systemClock);
    firing.start();
    await scheduling.schedule(undefined, [row('soon', inMs(300))]);
    const delayMs = await stage.slowestReadUntil(() => {
      expect(stage.ids()).toEqual(['soon']);
    });
    expect(stage.lags[0]).toBeLessThan((FIRE_WITHIN_MS + MAX_READS_PER_POLL * delayMs) / 1_000);
  });

  it('fires again, after a pause, what failed; the others are not held up by it', async () => {
    const timers: Timers<Page> = await stage.replica(systemClock, {
      fire: async (due) => {
        if (due.some((timer) => timer.id === 'poison')) throw new Error('This page cannot be made.');
        stage.fired.push(...due);
        await timers.remove(due);
      },
    });
    await timers.schedule(undefined, [row('poison', inMs(-1_000)), row('good', inMs(-500)), row('better', inMs(-500))]);
    timers.start();
    await eventually(async () => {
      expect(stage.ids().toSorted()).toEqual(['better', 'good']);
      expect(await timers.due()).toBe(1);
    });
    expect(stage.errors).toContain('timers failed; they are fired again later');
  });

  it('counts no try that an engine which was away stopped, so that everything due fires once it is back', async () => {
    const away = new mongo.MongoNetworkError('MongoDB is away.');
    const due = Array.from({ length: 20 }, (_, index) => row(`t${index}`, inMs(-1_000)));
    const tries: number[] = [];
    let failures = 0;
    const timers: Timers<Page> = await stage.replica(systemClock, {
      leaseMs: 2_000,
      pollMs: 20,
      fire: async (claimed) => {
        tries.push(...claimed.map(({ attempts }) => attempts));
        failures += 1;
        if (failures <= 8) throw away;
        stage.fired.push(...claimed);
        await timers.remove(claimed);
      },
    });
    await timers.schedule(undefined, due);
    timers.start();
    await eventually(() => {
      expect(stage.ids()).toHaveLength(due.length);
    });
    expect(new Set(tries)).toEqual(new Set([1]));
  });

  it('fires fewer together after a try that took too long for its transaction, and more again later', async () => {
    const batches: number[] = [];
    const timers: Timers<Page> = await stage.replica(systemClock, {
      batch: 8,
      pollMs: 20,
      fire: async (claimed) => {
        batches.push(claimed.length);
        if (claimed.length > 4) throw new mongo.MongoNetworkError('The deadline of the transaction passed.');
        stage.fired.push(...claimed);
        await timers.remove(claimed);
      },
    });
    const due = Array.from({ length: 12 }, (_, index) => row(`t${index}`, inMs(-1_000)));
    await timers.schedule(undefined, due);
    timers.start();
    await eventually(() => {
      expect(stage.ids()).toHaveLength(due.length);
    });
    expect(batches.slice(0, 3)).toEqual([8, 4, 8]);
  });

  it('leaves to its successor what falls due after it was stopped', async () => {
    const timers = await stage.replica(systemClock);
    await timers.schedule(undefined, [row('kept', inMs(60_000))]);
    timers.start();
    await timers.stop();
    await timers.schedule(undefined, [row('kept', inMs(-1))]);
    const successor = await stage.replica(systemClock);
    successor.start();
    await eventually(() => {
      expect(stage.ids()).toEqual(['kept']);
    });
  });
});

describe('TimerRows', () => {
  it('gives back a claim as if it had never been made', async () => {
    const rows = new TimerRows<Page>(await stage.connect(), COLLECTION);
    await rows.put([row('given back', start)], undefined);
    const claim = { limit: 10, skip: 0, leaseMs: 60_000 };
    const { won } = await rows.claim(start, claim);
    expect(won.map((timer) => timer.attempts)).toEqual([1]);
    expect((await rows.claim(start, claim)).won).toEqual([]);

    await rows.release(won);
    const again = (await rows.claim(start, claim)).won;
    expect(again.map((timer) => timer.attempts)).toEqual([1]);
    expect(await rows.remove(won, undefined)).toBe(0);
    expect(await rows.remove(again, undefined)).toBe(1);
  });

  it('renews no lease that has expired: MongoDB may run the renewal late, after it was frozen', async () => {
    const rows = new TimerRows<Page>(await stage.connect(), COLLECTION);
    await rows.put([row('left', start)], undefined);
    const { won } = await rows.claim(start, { limit: 10, skip: 0, leaseMs: -1 });
    await rows.renew(won, 60_000);
    await rows.freeExpired();
    expect(await rows.earliest()).toEqual(start);
  });
});
