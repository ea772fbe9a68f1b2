import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { FollowingClock, ManualClock, systemClock } from '@tocsin/core';
import { createHttpServer } from '@tocsin/http';
import { createLogger, Metrics } from './observability/index.ts';
import { eventually, freePort } from '@tocsin/testkit';
import { followClock } from './follow-clock.ts';
import { Lifecycle } from './lifecycle.ts';
import { followServices } from './parts/clock.ts';
import { serviceConfig } from './service-config.ts';
import type { TaskRunner } from './tasks/task-runner.ts';
import { testTasks } from './testing/test-tasks.ts';

const HOUR_MS = 3_600_000;

let lifecycle: Lifecycle;
let tasks: TaskRunner;
let logged: string[];

beforeEach(() => {
  lifecycle = new Lifecycle();
  tasks = testTasks(systemClock);
  logged = [];
});

afterEach(async () => {
  await tasks.stop();
  await lifecycle.stop();
});

/** A service on a machine whose clock is an hour ahead. */
function contextAhead() {
  const logger = createLogger('scheduling', 'silent');
  return {
    lifecycle,
    logger: Object.assign(logger, { warn: (_: object, text: string) => void logged.push(text) }),
    metrics: new Metrics('scheduling', { processMetrics: false }),
    realClock: new FollowingClock({ systemMs: () => Date.now() + HOUR_MS }),
    tasks,
  };
}

const errorMs = ({ realClock }: { realClock: FollowingClock }): number =>
  Math.abs(realClock.now().getTime() - Date.now());

describe('a service on a machine whose clock is wrong', () => {
  it('waits for the first reading, however often MongoDB does not answer, and then works by its clock', async () => {
    const context = contextAhead();
    const answer = Promise.withResolvers<Date>();
    let asked = 0;
    const happened: string[] = [];
    const ask = (): Promise<Date> => {
      asked += 1;
      return asked === 1 ? Promise.reject(new Error('no primary')) : answer.promise;
    };
    const following = followClock(context, { ask, readings: 1 }).then(() => happened.push('consumers start'));
    await eventually(() => {
      expect(asked).toBe(2);
    });
    expect(happened).toEqual([]);
    answer.resolve(new Date());
    await following;
    expect(errorMs(context)).toBeLessThan(60_000);
    expect(logged).toEqual([
      'The time cannot be read yet. This service tries again.',
      'The clock of this machine is wrong. This service uses the clock of MongoDB.',
    ]);
    const [, shown] = /^tocsin_clock_ahead_seconds\S* (\S+)$/m.exec((await context.metrics.text()).body) ?? [];
    expect(Math.abs(Number(shown))).toBeLessThan(60);
  });

  it('is set without a database by the dates of the other services that answer', async () => {
    const server = createHttpServer({ clock: new ManualClock(new Date()) }, (_, response) => response.end());
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const urls = { DIRECTORY_URL: server.address() as AddressInfo, NOTIFIER_URL: { port: await freePort() } };
    const config = serviceConfig({}).parse({
      KAFKA_BROKERS: 'k:1',
      MONGODB_URI: 'mongodb://m:1',
      INTERNAL_SIGNING_KEY: 'k'.repeat(32),
      ...Object.fromEntries(Object.entries(urls).map(([name, { port }]) => [name, `http://127.0.0.1:${port}`])),
    });
    const context = contextAhead();
    followServices({ ...context, config, name: 'gateway', onFatal: () => undefined });
    await eventually(() => {
      expect(context.realClock.isSet).toBe(true);
    });
    expect(errorMs(context)).toBeLessThan(60_000);
    server.closeAllConnections();
    server.close();
  });
});
