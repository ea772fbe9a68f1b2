import { once } from 'node:events';
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ManualClock, systemClock, type Clock } from '@tocsin/clock';
import { eventually, startMongo, testMongo, type TestMongo } from '@tocsin/testing';
import { createConnection, type Connection } from 'mongoose';
import { TimerRows } from './timer-rows.ts';
import { timerIndexes, Timers, type DueTimer, type TimersOptions } from './index.ts';

interface Page {
  readonly page: string;
  readonly note?: string | undefined;
}

const COLLECTION = 'timers';
const FIRE_WITHIN_MS = 1_000;
const start = new Date('2026-03-01T08:00:00Z');

let mongo: TestMongo;
let connections: Connection[] = [];
let running: Timers<Page>[] = [];
let fired: DueTimer<Page>[] = [];
const errors: string[] = [];

async function connect(): Promise<Connection> {
  const connection = await createConnection(mongo.uri, { dbName: mongo.database, autoCreate: false }).asPromise();
  connections.push(connection);
  return connection;
}

async function replica(clock: Clock, options: Partial<TimersOptions<Page>> = {}): Promise<Timers<Page>> {
  const timers: Timers<Page> = new Timers<Page>({
    connection: await connect(),
    collection: COLLECTION,
    clock,
    logger: { error: (_, message) => errors.push(message) },
    fire: async (due) => {
      fired.push(...due);
      await timers.remove(due);
    },
    ...options,
  });
  running.push(timers);
  return timers;
}

function row(id: string, dueAt: Date, fence = 1): { id: string; dueAt: Date; fence: number; payload: Page } {
  return { id, dueAt, fence, payload: { page: `page of ${id}` } };
}

const inMs = (milliseconds: number): Date => new Date(Date.now() + milliseconds);
const ids = (): string[] => fired.map((timer) => timer.id);

beforeEach(async () => {
  mongo = await testMongo();
  [connections, running, fired] = [[], [], []];
  errors.length = 0;
  const connection = await connect();
  for (const { collection, keys } of timerIndexes(COLLECTION)) {
    await connection.collection(collection).createIndex({ ...keys }, {}, {});
  }
});

afterEach(async () => {
  await Promise.all(running.map((timers) => timers.stop()));
  await connections[0]?.dropDatabase();
  await Promise.all(connections.map((connection) => connection.close()));
});

describe('Timers', () => {
  it('fires what is due by the clock, with its payload and fence, and nothing before', async () => {
    const clock = new ManualClock(start);
    const timers = await replica(clock);
    await timers.schedule(undefined, [
      row('early', new Date('2026-03-01T08:05:00Z'), 7),
      row('late', new Date('2026-03-01T09:00:00Z')),
    ]);
    timers.start();
    expect(await timers.due()).toBe(0);
    expect(await timers.nextDueAt()).toEqual(new Date('2026-03-01T08:05:00Z'));

    clock.moveTo(new Date('2026-03-01T08:05:00Z'));
    await eventually(() => {
      expect(ids()).toEqual(['early']);
    });
    expect(fired[0]).toMatchObject({ fence: 7, payload: { page: 'page of early' }, attempts: 1, lateMs: 0 });
    expect(await timers.nextDueAt()).toEqual(new Date('2026-03-01T09:00:00Z'));
  });

  it('fires a timer that is late once, and says by how much', async () => {
    const clock = new ManualClock(start);
    const timers = await replica(clock);
    await timers.schedule(undefined, [row('missed', new Date('2026-03-01T07:58:30Z'))]);
    timers.start();
    await eventually(() => {
      expect(fired.map((timer) => timer.lateMs)).toEqual([90_000]);
    });
    expect(await timers.due()).toBe(0);
  });

  it('keeps one row of an id: what was set last is what fires', async () => {
    const clock = new ManualClock(start);
    const timers = await replica(clock);
    await timers.schedule(undefined, [row('moved', new Date('2026-03-01T08:01:00Z'), 1)]);
    await timers.schedule(undefined, [row('moved', new Date('2026-03-01T08:02:00Z'), 2)]);
    timers.start();
    clock.advance(60_000);
    expect(await timers.due()).toBe(0);
    clock.advance(60_000);
    await eventually(() => {
      expect(fired.map((timer) => timer.fence)).toEqual([2]);
    });
  });

  it('gives back a payload as it was, without what was absent', async () => {
    const timers = await replica(new ManualClock(start));
    await timers.schedule(undefined, [
      { id: 'absent', dueAt: start, fence: 1, payload: { page: 'p', note: undefined } },
    ]);
    timers.start();
    await eventually(() => {
      expect(fired.map((timer) => Object.keys(timer.payload))).toEqual([['page']]);
    });
  });

  it('does not remove a row that was set again while it fired', async () => {
    const clock = new ManualClock(start);
    const removed: number[] = [];
    const timers: Timers<Page> = await replica(clock, {
      fire: async (due) => {
        fired.push(...due);
        if (fired.length === 1) await timers.schedule(undefined, [row('again', new Date('2026-03-01T08:10:00Z'), 2)]);
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
    const connection = await connect();
    const timers = await replica(new ManualClock(start), { connection });
    const session = await connection.startSession();
    session.startTransaction();
    await timers.schedule(session, [row('aborted', start)]);
    await session.abortTransaction();
    expect(await timers.nextDueAt()).toBeUndefined();

    await session.withTransaction(() => timers.schedule(session, [row('committed', start)]));
    await session.endSession();
    expect(await timers.nextDueAt()).toEqual(start);
  });

  it('fires a timer of another process within a second of its due instant', async () => {
    const firing = await replica(systemClock);
    const scheduling = await replica(systemClock);
    firing.start();
    await scheduling.schedule(undefined, [row('soon', inMs(300))]);
    await eventually(() => {
      expect(ids()).toEqual(['soon']);
    });
    expect(fired[0]?.lateMs).toBeLessThan(FIRE_WITHIN_MS);
  });

  it('fires again, after a pause, what failed; the others are not held up by it', async () => {
    const timers: Timers<Page> = await replica(systemClock, {
      fire: async (due) => {
        if (due.some((timer) => timer.id === 'poison')) throw new Error('This page cannot be made.');
        fired.push(...due);
        await timers.remove(due);
      },
    });
    await timers.schedule(undefined, [row('poison', inMs(-1_000)), row('good', inMs(-500)), row('better', inMs(-500))]);
    timers.start();
    await eventually(
      async () => {
        expect(ids().toSorted()).toEqual(['better', 'good']);
        expect(await timers.due()).toBe(1);
      },
      { timeoutMs: 15_000 },
    );
    expect(errors).toContain('timers failed; they are fired again later');
  }, 20_000);

  it('leaves to its successor what falls due after it was stopped', async () => {
    const timers = await replica(systemClock);
    await timers.schedule(undefined, [row('kept', inMs(60_000))]);
    timers.start();
    await timers.stop();
    await timers.schedule(undefined, [row('kept', inMs(-1))]);
    const successor = await replica(systemClock);
    successor.start();
    await eventually(() => {
      expect(ids()).toEqual(['kept']);
    });
  });
});

describe('TimerRows', () => {
  it('gives back a claim as if it had never been made', async () => {
    const rows = new TimerRows<Page>(await connect(), COLLECTION);
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
});

describe('Timers at their worst moment', () => {
  it('fires once, when the lease has run out, what a killed process held', async () => {
    const leaseMs = 2_000;
    const timers = await replica(systemClock);
    await timers.schedule(undefined, [row('held', inMs(-1))]);
    const fixture = fileURLToPath(new URL('killed-owner.contract.ts', import.meta.url));
    const owner = spawn(
      process.execPath,
      ['--conditions=source', fixture, mongo.uri, mongo.database, COLLECTION, String(leaseMs)],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    );
    await once(owner.stdout, 'data');
    owner.kill('SIGKILL');

    timers.start();
    await eventually(
      () => {
        expect(ids()).toEqual(['held']);
      },
      { timeoutMs: leaseMs + 5_000 },
    );
    expect(fired[0]?.attempts).toBe(2);
    expect(await timers.due()).toBe(0);
  }, 20_000);

  it('fires each of 6 000 timers once when two replicas race for them', async () => {
    const first = await replica(systemClock);
    const second = await replica(systemClock);
    await first.schedule(
      undefined,
      Array.from({ length: 6_000 }, (_, index) => row(`t${index}`, inMs(-1_000))),
    );
    first.start();
    second.start();
    await eventually(
      async () => {
        expect(await first.due()).toBe(0);
      },
      { timeoutMs: 15_000, everyMs: 100 },
    );
    expect(fired).toHaveLength(6_000);
    expect(new Set(ids()).size).toBe(6_000);
    expect(fired.every((timer) => timer.attempts === 1)).toBe(true);
  }, 30_000);

  it('fires one that is due within a second while 100 000 are pending', async () => {
    const timers = await replica(systemClock);
    for (let from = 0; from < 100_000; from += 10_000) {
      await timers.schedule(
        undefined,
        Array.from({ length: 10_000 }, (_, index) => row(`pending${from + index}`, inMs(3_600_000 + index))),
      );
    }
    timers.start();
    await timers.schedule(undefined, [row('due', inMs(500))]);
    await eventually(() => {
      expect(ids()).toEqual(['due']);
    });
    expect(fired[0]?.lateMs).toBeLessThan(FIRE_WITHIN_MS);
  }, 60_000);

  it('fires what fell due while the database was away, by itself, once it is back', async () => {
    const own = await startMongo();
    const connection = await createConnection(own.uri, { dbName: 'test', serverSelectionTimeoutMS: 500 }).asPromise();
    const timers = await replica(systemClock, { connection, leaseMs: 1_000 });
    try {
      await timers.schedule(undefined, [row('meanwhile', inMs(1_500))]);
      timers.start();
      await own.kill();
      await eventually(() => {
        expect(errors).toContain('timers cannot be read; they fire late');
      });
      await own.restart();
      await eventually(
        () => {
          expect(new Set(ids())).toEqual(new Set(['meanwhile']));
        },
        { timeoutMs: 15_000 },
      );
    } finally {
      await timers.stop();
      await connection.close();
      await own.stop();
    }
  }, 60_000);
});
