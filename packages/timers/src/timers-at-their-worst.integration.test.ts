import { once } from 'node:events';
import { spawn, type ChildProcessByStdio } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { systemClock } from '@tocsin/clock';
import { eventually, startMongo } from '@tocsin/testing';
import { createConnection } from 'mongoose';
import { COLLECTION, FIRE_WITHIN_MS, inMs, MAX_READS_PER_POLL, row, TimersStage } from './testing/timers-stage.ts';

let stage: TimersStage;

beforeEach(async () => {
  stage = await TimersStage.open();
});

afterEach(() => stage.close());

describe('Timers at their worst moment', () => {
  it('fires once, when the lease has run out, what a killed process held', async () => {
    const timers = await stage.replica(systemClock);
    await timers.schedule(undefined, [row('held', inMs(-1))]);
    const owner = await otherOwner(2_000);
    owner.kill('SIGKILL');

    timers.start();
    await eventually(() => {
      expect(stage.ids()).toEqual(['held']);
    });
    expect(stage.fired[0]?.attempts).toBe(2);
    expect(await timers.due()).toBe(0);
  });

  it('fires nothing twice that takes longer than its lease, while the process that fires it lives', async () => {
    const leaseMs = 6_000;
    const { promise: done, resolve: finish } = Promise.withResolvers<undefined>();
    const held: string[] = [];
    const slow = await stage.replica(systemClock, {
      leaseMs,
      fire: async (due) => {
        held.push(...due.map(({ id }) => id));
        await done;
        await slow.remove(due);
      },
    });
    await slow.schedule(undefined, [row('slow', inMs(-2)), row('behind', inMs(-1))]);
    slow.start();
    await eventually(() => {
      expect(held).toEqual(['slow', 'behind']);
    });
    const first = await stage.leaseEnds();
    const other = await stage.replica(systemClock, { leaseMs, pollMs: 20 });
    other.start();
    // Renewed after the first lease was over.
    await eventually(async () => {
      const now = await stage.leaseEnds();
      for (const id of ['slow', 'behind']) expect(now.get(id)).toBeGreaterThan((first.get(id) ?? 0) + leaseMs);
    });
    expect(await other.due()).toBe(2);
    finish(undefined);
    await eventually(async () => {
      expect(await other.due()).toBe(0);
    });
    expect(stage.fired).toEqual([]);
    expect(held).toEqual(['slow', 'behind']);
  });

  it('takes from a process that was frozen for longer than its lease what it held, so that it removes nothing', async () => {
    const timers = await stage.replica(systemClock);
    await timers.schedule(undefined, [row('held', inMs(-1))]);
    const owner = await otherOwner(1_000);
    owner.kill('SIGSTOP');
    timers.start();
    await eventually(() => {
      expect(stage.fired).toMatchObject([{ id: 'held', attempts: 2 }]);
    });
    await timers.schedule(undefined, [row('held', inMs(60_000))]);

    owner.kill('SIGCONT');
    owner.stdin.write('remove\n');
    const [said] = (await once(owner.stdout, 'data')) as [Buffer];
    expect(said.toString()).toBe('removed 0\n');
    expect(await timers.nextDueAt()).toBeDefined();
    owner.kill('SIGKILL');
  });

  /** Resolves when it holds something. */
  async function otherOwner(leaseMs: number): Promise<ChildProcessByStdio<Writable, Readable, null>> {
    const fixture = fileURLToPath(new URL('./testing/killed-owner.ts', import.meta.url));
    const { uri, database } = stage.mongo;
    const owner = spawn(
      process.execPath,
      ['--conditions=source', fixture, uri, database, COLLECTION, String(leaseMs)],
      { stdio: ['pipe', 'pipe', 'inherit'] },
    );
    await once(owner.stdout, 'data');
    return owner;
  }

  it('fires each of 6 000 timers once when two replicas race for them', async () => {
    const first = await stage.replica(systemClock, { leaseMs: 60_000 });
    const second = await stage.replica(systemClock, { leaseMs: 60_000 });
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
      { everyMs: 100 },
    );
    expect(stage.fired).toHaveLength(6_000);
    expect(new Set(stage.ids()).size).toBe(6_000);
    expect(stage.fired.every((timer) => timer.attempts === 1)).toBe(true);
  });

  it('fires one that is due within a second while 100 000 are pending', async () => {
    const timers = await stage.replica(systemClock);
    for (let from = 0; from < 100_000; from += 10_000) {
      await timers.schedule(
        undefined,
        Array.from({ length: 10_000 }, (_, index) => row(`pending${from + index}`, inMs(3_600_000 + index))),
      );
    }
    timers.start();
    await timers.schedule(undefined, [row('due', inMs(500))]);
    const delayMs = await stage.slowestReadUntil(() => {
      expect(stage.ids()).toEqual(['due']);
    });
    expect(stage.lags[0]).toBeLessThan((FIRE_WITHIN_MS + MAX_READS_PER_POLL * delayMs) / 1_000);
  });

  it('fires what fell due while the database was away, by itself, once it is back', async () => {
    const own = await startMongo();
    const connection = await createConnection(own.uri, { dbName: 'test', serverSelectionTimeoutMS: 500 }).asPromise();
    const timers = await stage.replica(systemClock, { connection, leaseMs: 1_000 });
    try {
      await timers.schedule(undefined, [row('meanwhile', inMs(1_500))]);
      timers.start();
      await own.kill();
      await eventually(() => {
        expect(stage.errors).toContain('timers cannot be read; they fire late');
      });
      await own.restart();
      await eventually(() => {
        expect(new Set(stage.ids())).toEqual(new Set(['meanwhile']));
      });
    } finally {
      await timers.stop();
      await connection.close();
      await own.stop();
    }
  });
});
