import { once } from 'node:events';
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { systemClock } from '@tocsin/clock';
import { eventually, startMongo } from '@tocsin/testing';
import { createConnection } from 'mongoose';
import { COLLECTION, FIRE_WITHIN_MS, inMs, row, TimersStage } from './timers-stage.contract.ts';

let stage: TimersStage;

beforeEach(async () => {
  stage = await TimersStage.open();
});

afterEach(() => stage.close());

describe('Timers at their worst moment', () => {
  it('fires once, when the lease has run out, what a killed process held', async () => {
    const leaseMs = 2_000;
    const timers = await stage.replica(systemClock);
    await timers.schedule(undefined, [row('held', inMs(-1))]);
    const fixture = fileURLToPath(new URL('killed-owner.contract.ts', import.meta.url));
    const owner = spawn(
      process.execPath,
      ['--conditions=source', fixture, stage.mongo.uri, stage.mongo.database, COLLECTION, String(leaseMs)],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    );
    await once(owner.stdout, 'data');
    owner.kill('SIGKILL');

    timers.start();
    await eventually(
      () => {
        expect(stage.ids()).toEqual(['held']);
      },
      { timeoutMs: leaseMs + 5_000 },
    );
    expect(stage.fired[0]?.attempts).toBe(2);
    expect(await timers.due()).toBe(0);
  }, 20_000);

  it('fires each of 6 000 timers once when two replicas race for them', async () => {
    const first = await stage.replica(systemClock);
    const second = await stage.replica(systemClock);
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
    expect(stage.fired).toHaveLength(6_000);
    expect(new Set(stage.ids()).size).toBe(6_000);
    expect(stage.fired.every((timer) => timer.attempts === 1)).toBe(true);
  }, 30_000);

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
    await eventually(() => {
      expect(stage.ids()).toEqual(['due']);
    });
    expect(stage.lags[0]).toBeLessThan(FIRE_WITHIN_MS / 1_000);
  }, 60_000);

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
  }, 60_000);
});
