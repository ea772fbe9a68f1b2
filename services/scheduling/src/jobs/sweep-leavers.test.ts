import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { UserState } from '@tocsin/contracts';
import { MemoryReplica } from '@tocsin/messaging';
import { createLogger } from '@tocsin/observability';
import { Activity, Lifecycle } from '@tocsin/service-kit';
import { userOf } from '../testing/on-call-samples.ts';
import { sweepLeavers } from './sweep-leavers.ts';

let users: MemoryReplica<UserState>;
let sweeps: number;
let refusal: Error | undefined;
let activity: Activity;
let lifecycle: Lifecycle;

beforeEach(async () => {
  jest.useFakeTimers();
  users = new MemoryReplica();
  users.put('ada', userOf('ada'));
  [sweeps, refusal, activity, lifecycle] = [0, undefined, new Activity(), new Lifecycle()];
  const leavers = {
    sweep: () => {
      sweeps += 1;
      return refusal === undefined ? Promise.resolve() : Promise.reject(refusal);
    },
  };
  await sweepLeavers({ activity, lifecycle, logger: createLogger('scheduling', 'silent') }, { leavers, users });
});

afterEach(async () => {
  await lifecycle.stop();
  jest.useRealTimers();
});

const busy = async () => (await activity.busy()).get('leavers') ?? 0;

describe('the sweep of the overrides and forwarding rules of deleted users', () => {
  it('runs once at the start, for users who were deleted while the service was down', async () => {
    expect(await busy()).toBe(1);
    await jest.advanceTimersByTimeAsync(60_000);
    expect([sweeps, await busy()]).toEqual([1, 0]);
  });

  it('runs within a second when a user is deleted, and not when one is created or changed', async () => {
    await jest.advanceTimersByTimeAsync(1_000);
    users.put('bob', userOf('bob'));
    users.put('ada', userOf('ada'));
    await jest.advanceTimersByTimeAsync(10_000);
    expect(sweeps).toBe(1);
    users.remove('ada');
    expect(await busy()).toBe(1);
    await jest.advanceTimersByTimeAsync(1_000);
    expect([sweeps, await busy()]).toEqual([2, 0]);
  });

  it('runs again after a failure until it succeeds', async () => {
    refusal = new Error('The database is away.');
    await jest.advanceTimersByTimeAsync(3_000);
    expect([sweeps, await busy()]).toEqual([3, 1]);
    refusal = undefined;
    await jest.advanceTimersByTimeAsync(5_000);
    expect([sweeps, await busy()]).toEqual([4, 0]);
  });

  it('runs now and then by itself, for what was written while its user was deleted', async () => {
    await jest.advanceTimersByTimeAsync(602_000);
    expect(sweeps).toBe(2);
  });

  it('ends with the service', async () => {
    await jest.advanceTimersByTimeAsync(1_000);
    await lifecycle.stop();
    users.remove('ada');
    await jest.advanceTimersByTimeAsync(10_000);
    expect(sweeps).toBe(1);
  });
});
