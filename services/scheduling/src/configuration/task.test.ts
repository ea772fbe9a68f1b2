import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { systemClock } from '@tocsin/core';
import type { UserState } from '@tocsin/events';
import { MemoryReplica } from '@tocsin/kafka';
import { createLogger, Metrics, Activity, Lifecycle, TaskRunner } from '@tocsin/service';
import { userOf } from '../testing/on-call-samples.ts';
import { cleanUpDeletedUsers } from './task.ts';

let users: MemoryReplica<UserState>;
let sweeps: number;
let refusal: Error | undefined;
let activity: Activity;
let lifecycle: Lifecycle;
let tasks: TaskRunner;

beforeEach(async () => {
  jest.useFakeTimers();
  users = new MemoryReplica();
  users.put('ada', userOf('ada'));
  [sweeps, refusal, activity, lifecycle] = [0, undefined, new Activity(), new Lifecycle()];
  const deletedUserCleanup = {
    sweep: () => {
      sweeps += 1;
      return refusal === undefined ? Promise.resolve() : Promise.reject(refusal);
    },
  };
  const logger = createLogger('scheduling', 'silent');
  tasks = new TaskRunner({
    clock: systemClock,
    realClock: systemClock,
    logger,
    metrics: new Metrics('scheduling', { processMetrics: false }),
    onFatal: (error) => {
      throw error;
    },
  });
  await cleanUpDeletedUsers({ activity, lifecycle, logger, tasks }, { deletedUserCleanup, users });
});

afterEach(async () => {
  await tasks.stop();
  await lifecycle.stop();
  jest.useRealTimers();
});

const busy = async () => (await activity.busy()).get('deleted users') ?? 0;

describe('the sweep of the overrides and forwarding rules of deleted users', () => {
  it('runs once at the start, for users who were deleted while the service was down', async () => {
    await jest.advanceTimersByTimeAsync(60_000);
    expect([sweeps, await busy()]).toEqual([1, 0]);
  });

  it('runs at once when a user is deleted, and not when one is created or changed', async () => {
    await jest.advanceTimersByTimeAsync(1_000);
    users.put('bob', userOf('bob'));
    users.put('ada', userOf('ada'));
    await jest.advanceTimersByTimeAsync(10_000);
    expect(sweeps).toBe(1);
    users.remove('ada');
    expect(await busy()).toBe(1);
    await jest.advanceTimersByTimeAsync(0);
    expect([sweeps, await busy()]).toEqual([2, 0]);
  });

  it('runs again after a failure until it succeeds', async () => {
    refusal = new Error('The database is unavailable.');
    users.remove('ada');
    await jest.advanceTimersByTimeAsync(3_000);
    const failed = sweeps;
    expect([failed > 2, await busy()]).toEqual([true, 1]);
    refusal = undefined;
    await jest.advanceTimersByTimeAsync(5_000);
    expect([sweeps, await busy()]).toEqual([failed + 1, 0]);
  });

  it('runs now and then by itself, for what was written while its user was deleted', async () => {
    await jest.advanceTimersByTimeAsync(602_000);
    expect(sweeps).toBe(2);
  });

  it('ends with the service', async () => {
    await jest.advanceTimersByTimeAsync(1_000);
    await tasks.stop();
    users.remove('ada');
    await jest.advanceTimersByTimeAsync(10_000);
    expect(sweeps).toBe(1);
  });
});
