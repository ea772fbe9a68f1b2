import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { ManualClock } from '@tocsin/core';
import { createLogger, Metrics } from '../observability/index.ts';
import { mongo } from 'mongoose';
import { TaskRunner } from './task-runner.ts';

const EVERY_MS = 10_000;
const SECRET = 'correct-horse';

let clock: ManualClock;
let metrics: Metrics;
let fatal: string[];
let tasks: TaskRunner;
/** When runs started, in milliseconds since the start of the test. */
let starts: number[];
let running: number;
let mostRunning: number;
let begin: number;

beforeEach(() => {
  jest.useFakeTimers();
  clock = new ManualClock(new Date('2026-03-01T08:00:00Z'));
  metrics = new Metrics('scheduling', { processMetrics: false });
  [fatal, starts, running, mostRunning, begin] = [[], [], 0, 0, performance.now()];
  tasks = new TaskRunner({
    clock,
    realClock: { now: () => new Date() },
    logger: createLogger('scheduling', 'silent'),
    metrics,
    onFatal: (error) => fatal.push(error.message),
    secrets: [SECRET],
  });
});

afterEach(async () => {
  const stopped = tasks.stop().catch(() => undefined);
  await jest.advanceTimersByTimeAsync(60_000);
  await stopped;
  jest.useRealTimers();
});

/** Notes when each run of `work` starts, and how many run at a time. */
function noted<R>(work: (signal: AbortSignal) => Promise<R>) {
  return async (signal: AbortSignal): Promise<R> => {
    starts.push(Math.round(performance.now() - begin));
    running += 1;
    mostRunning = Math.max(mostRunning, running);
    try {
      return await work(signal);
    } finally {
      running -= 1;
    }
  };
}

const wait = (milliseconds: number) => new Promise<void>((resolve) => void setTimeout(resolve, milliseconds));
const statusOf = async (name: string) => (await tasks.statuses()).find((status) => status.name === name);
const runs = async (result: 'succeeded' | 'failed') => {
  const { body } = await metrics.text();
  const line = new RegExp(`^tocsin_task_runs_total\\{task="work",result="${result}",.*\\} (\\d+)$`, 'm').exec(body);
  return Number(line?.[1]);
};

describe('a task', () => {
  it('runs at once, and then a pause after the end of each run', async () => {
    tasks.add({ name: 'work', everyMs: EVERY_MS, activate: noted(() => wait(3_000)) });
    await jest.advanceTimersByTimeAsync(27_000);
    expect(starts).toEqual([0, 13_000, 26_000]);
  });

  it('runs first after the pause that it names', async () => {
    tasks.add({ name: 'work', everyMs: EVERY_MS, startAfterMs: 4_000, activate: noted(() => Promise.resolve()) });
    await jest.advanceTimersByTimeAsync(5_000);
    expect(starts).toEqual([4_000]);
  });

  it('runs again earlier where a run says so, and never later than its pause', async () => {
    const pauses = [2_000, 0, 60_000];
    const activate = noted(() => Promise.resolve({ pauseMs: pauses.shift() ?? EVERY_MS }));
    tasks.add({ name: 'work', everyMs: EVERY_MS, activate });
    await jest.advanceTimersByTimeAsync(12_500);
    expect(starts).toEqual([0, 2_000, 2_001, 12_001]);
  });

  it('runs at once when it is woken, and once more after the run where it was woken during it, however often', async () => {
    tasks.add({ name: 'work', everyMs: EVERY_MS, activate: noted(() => wait(1_000)) });
    await jest.advanceTimersByTimeAsync(5_000);
    tasks.wake('work');
    await jest.advanceTimersByTimeAsync(500);
    for (let times = 0; times < 3; times += 1) tasks.wake('work');
    await jest.advanceTimersByTimeAsync(10_000);
    expect([starts, mostRunning]).toEqual([[0, 5_000, 6_001], 1]);
  });

  it('that wakes itself neither runs twice at a time nor starves the process', async () => {
    let left = 3;
    const activate = noted(() => {
      if (left-- > 0) tasks.wake('work');
      return Promise.resolve();
    });
    tasks.add({ name: 'work', everyMs: EVERY_MS, activate });
    await jest.advanceTimersByTimeAsync(1_000);
    expect([starts.length, mostRunning]).toEqual([4, 1]);
  });

  it('runs when the clock of the service jumps, where it asks for that', async () => {
    tasks.add({ name: 'work', everyMs: EVERY_MS, activate: noted(() => Promise.resolve()), runsWhenClockMoves: true });
    tasks.add({ name: 'other', everyMs: EVERY_MS, activate: noted(() => Promise.resolve()) });
    await jest.advanceTimersByTimeAsync(1_000);
    clock.advance(3_600_000);
    await jest.advanceTimersByTimeAsync(1_000);
    expect(starts).toEqual([0, 0, 1_000]);
  });

  it('has a name of its own', () => {
    tasks.add({ name: 'work', everyMs: EVERY_MS, activate: () => Promise.resolve() });
    expect(() => {
      tasks.add({ name: 'work', everyMs: EVERY_MS, activate: () => Promise.resolve() });
    }).toThrow('There are two tasks work.');
  });
});

describe('a task that fails', () => {
  it('is retried after a back-off, through 30 s without DNS, and goes on as before afterwards', async () => {
    const outage = wait(30_000);
    let isUnavailable = true;
    void outage.then(() => (isUnavailable = false));
    const lookUp = () =>
      isUnavailable ? Promise.reject(new Error('getaddrinfo ENOTFOUND mongodb')) : Promise.resolve();
    tasks.add({ name: 'work', everyMs: EVERY_MS, activate: noted(lookUp) });
    await jest.advanceTimersByTimeAsync(29_000);
    expect(await statusOf('work')).toMatchObject({
      lastError: 'getaddrinfo ENOTFOUND mongodb',
    });
    const failed = starts.length;
    // From 100 ms to 5 s, each at least halved: more than a retry each 5 s, and less than one each 2.5 s and the six short ones.
    expect([failed >= 9, failed <= 18]).toEqual([true, true]);
    await jest.advanceTimersByTimeAsync(6_000);
    expect(await statusOf('work')).toMatchObject({ failures: 0 });
    const [last = 0] = starts.slice(-1);
    expect(last).toBeGreaterThanOrEqual(30_000);
    await jest.advanceTimersByTimeAsync(30_000);
    expect(starts.slice(-3)).toEqual([1, 2, 3].map((runs) => last + runs * EVERY_MS));
    expect(fatal).toEqual([]);
  });

  it('is retried within a second while an engine is unavailable, however often it has failed', async () => {
    const unavailable = () => Promise.reject(new mongo.MongoNetworkError('MongoDB is unavailable.'));
    tasks.add({ name: 'work', everyMs: EVERY_MS, activate: noted<undefined>(unavailable) });
    await jest.advanceTimersByTimeAsync(60_000);
    const gaps = starts.slice(1).map((start, index) => start - (starts[index] ?? 0));
    expect(Math.max(...gaps)).toBeLessThanOrEqual(1_000);
  });

  it('is never retried later than it would have run, nor earlier because it is woken', async () => {
    tasks.add({
      name: 'work',
      everyMs: 250,
      activate: noted<undefined>(() => Promise.reject(new Error('unavailable'))),
    });
    await jest.advanceTimersByTimeAsync(20_000);
    const gaps = starts.slice(10).map((start, index) => start - (starts[index + 9] ?? 0));
    expect(new Set(gaps)).toEqual(new Set([250]));
    const before = starts.length;
    for (let times = 0; times < 3; times += 1) tasks.wake('work');
    await jest.advanceTimersByTimeAsync(0);
    expect(starts).toHaveLength(before);
  });

  it('is retried too where it throws before it has a promise', async () => {
    const activate = () => {
      starts.push(0);
      throw new TypeError('not a function');
    };
    tasks.add({ name: 'work', everyMs: EVERY_MS, activate });
    await jest.advanceTimersByTimeAsync(1_000);
    expect(starts.length).toBeGreaterThan(2);
  });

  it('shows the message of its failure without secrets, and counts it', async () => {
    const error = new Error('MongoDB is unavailable', { cause: new Error(`login as ${SECRET}`) });
    tasks.add({ name: 'work', everyMs: EVERY_MS, activate: () => Promise.reject<undefined>(error) });
    // The next run comes 50 ms later at the earliest.
    await jest.advanceTimersByTimeAsync(20);
    expect(await statusOf('work')).toMatchObject({
      lastError: 'MongoDB is unavailable: login as [redacted]',
      failures: 1,
    });
    expect([await runs('succeeded'), await runs('failed')]).toEqual([0, 1]);
  });
});

describe('the status of a task', () => {
  it('has the last run, the next one, and how long the oldest work has been due', async () => {
    const due = new Date('2026-03-01T07:00:00.000Z');
    const startedAt = new Date().toISOString();
    tasks.add({
      name: 'work',
      everyMs: EVERY_MS,
      activate: () => wait(2_000),
      oldestDueAt: () => Promise.resolve(due),
    });
    await jest.advanceTimersByTimeAsync(1_000);
    expect(await statusOf('work')).toEqual({
      name: 'work',
      isRunning: true,
      startedAt,
      failures: 0,
      oldestDueAt: due.toISOString(),
    });
    await jest.advanceTimersByTimeAsync(1_000);
    const succeededAt = new Date().toISOString();
    const nextRunAt = new Date(Date.now() + EVERY_MS).toISOString();
    expect(await statusOf('work')).toMatchObject({ isRunning: false, durationMs: 2_000, succeededAt, nextRunAt });
    expect(await runs('succeeded')).toBe(1);
  });

  it('comes without the age of due work where that is not known within two seconds', async () => {
    tasks.add({
      name: 'work',
      everyMs: EVERY_MS,
      activate: () => Promise.resolve(),
      oldestDueAt: () => new Promise(() => undefined),
    });
    tasks.add({
      name: 'other',
      everyMs: EVERY_MS,
      activate: () => Promise.resolve(),
      oldestDueAt: () => Promise.reject(new Error('unavailable')),
    });
    const statuses = tasks.statuses();
    // It shares the look that is under way.
    expect(tasks.statuses()).toBe(statuses);
    await jest.advanceTimersByTimeAsync(2_000);
    expect((await statuses).map(({ name, oldestDueAt }) => [name, oldestDueAt])).toEqual([
      ['other', undefined],
      ['work', undefined],
    ]);
  });
});

describe('a run that takes too long', () => {
  it('is aborted, counts as failed, and is retried', async () => {
    const aborted = (signal: AbortSignal) =>
      new Promise<void>((resolve) => {
        signal.addEventListener('abort', () => {
          resolve();
        });
      });
    tasks.add({ name: 'work', everyMs: EVERY_MS, timeoutMs: 5_000, activate: noted(aborted) });
    await jest.advanceTimersByTimeAsync(5_500);
    expect([starts.length, fatal]).toEqual([2, []]);
    expect(await statusOf('work')).toMatchObject({
      failures: 1,
      lastError: 'work took longer than 5 s and was aborted.',
    });
  });

  it('ends the process where it does not end within 20 s of its abort, and the stop does not wait for it', async () => {
    tasks.add({ name: 'work', everyMs: EVERY_MS, activate: noted(() => new Promise<void>(() => undefined)) });
    await jest.advanceTimersByTimeAsync(79_000);
    expect(fatal).toEqual([]);
    await jest.advanceTimersByTimeAsync(1_000);
    expect(fatal).toEqual(['work has not ended 20 s after it was aborted.']);
    expect([starts.length, (await statusOf('work'))?.isRunning]).toEqual([1, true]);
    const stopped = tasks.stop().catch((error: unknown) => (error as Error).message);
    await jest.advanceTimersByTimeAsync(1);
    expect(await stopped).toContain('Tasks have not ended');
  });
});

describe('the stop', () => {
  it('aborts the runs, waits for their end, and starts no other', async () => {
    let ended = 0;
    const activate = noted(async (signal) => {
      await new Promise((resolve) => {
        signal.addEventListener('abort', resolve);
      });
      tasks.wake('work');
      await wait(3_000);
      ended += 1;
      throw signal.reason;
    });
    tasks.add({ name: 'work', everyMs: EVERY_MS, activate });
    tasks.add({ name: 'resting', everyMs: EVERY_MS, activate: noted(() => Promise.resolve()) });
    await jest.advanceTimersByTimeAsync(1_000);
    const stopped = tasks.stop().then(() => ended);
    await jest.advanceTimersByTimeAsync(3_000);
    expect(await stopped).toBe(1);
    await jest.advanceTimersByTimeAsync(60_000);
    expect([starts.length, await runs('failed')]).toEqual([2, 0]);
    expect(() => {
      tasks.add({ name: 'late', everyMs: EVERY_MS, activate: () => Promise.resolve() });
    }).toThrow('late was added while the service was stopping');
  });

  it('waits 20 s at most, and names what has not ended', async () => {
    tasks.add({ name: 'work', everyMs: EVERY_MS, activate: () => new Promise<void>(() => undefined) });
    await jest.advanceTimersByTimeAsync(1_000);
    const stopped = tasks.stop().catch((error: unknown) => (error as AggregateError).errors as Error[]);
    await jest.advanceTimersByTimeAsync(20_000);
    expect(await stopped).toEqual([new Error('work has not ended 20 s after it was aborted.')]);
  });

  it('lets a task run until its `runsUntil` settles', async () => {
    tasks.add({ name: 'work', everyMs: 1_000, activate: noted(() => Promise.resolve()), runsUntil: () => wait(5_500) });
    await jest.advanceTimersByTimeAsync(500);
    const stopped = tasks.stop();
    await jest.advanceTimersByTimeAsync(10_000);
    await stopped;
    expect(starts).toEqual([0, 1_000, 2_000, 3_000, 4_000, 5_000]);
  });
});
