import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { ManualClock } from '@tocsin/core';
import { removeInBatches, sweepRetained } from './retention.ts';
import type { TaskRunner } from './tasks/task-runner.ts';
import { testTasks } from './testing/test-tasks.ts';

const SWEEP_MS = 600_000;
const clock = new ManualClock(new Date('2026-03-01T00:00:00.000Z'));

let tasks: TaskRunner;
let asked: Date[];

beforeEach(() => {
  jest.useFakeTimers();
  tasks = testTasks(clock);
});

/** Starts the sweep, which removes so many each time. */
function start(...removed: readonly (number | Error)[]): void {
  asked = [];
  const answers = [...removed];
  const remove = (until: Date): Promise<number> => {
    asked.push(until);
    const next = answers.shift() ?? 0;
    return typeof next === 'number' ? Promise.resolve(next) : Promise.reject(next);
  };
  // Jest does not rule the timers that return promises.
  const rest = () => new Promise<void>((rested) => void setTimeout(rested, 50));
  sweepRetained({ clock, tasks }, { name: 'retention', days: 20, removals: [remove], rest });
}

afterEach(async () => {
  await tasks.stop();
  jest.useRealTimers();
});

describe('the sweep of what was kept for long enough', () => {
  it('removes at the start and every ten minutes, until none is left, what is older than the setting says', async () => {
    start(500, 500, 3);
    await jest.advanceTimersByTimeAsync(1_000);
    expect(asked).toEqual(Array(4).fill(new Date('2026-02-09T00:00:00.000Z')));
    await jest.advanceTimersByTimeAsync(SWEEP_MS);
    expect(asked).toHaveLength(5);
  });

  it('runs again within a second after a failure', async () => {
    start(new Error('The database is unavailable.'), 1);
    await jest.advanceTimersByTimeAsync(1_000);
    expect(asked).toHaveLength(3);
  });

  it('ends with its batch when the service stops', async () => {
    start(...Array<number>(1_000).fill(500));
    await jest.advanceTimersByTimeAsync(100);
    const batches = asked.length;
    expect(batches).toBeGreaterThan(0);
    const stopping = tasks.stop();
    await jest.advanceTimersByTimeAsync(1_000);
    await stopping;
    expect(asked).toHaveLength(batches);
  });
});

describe('a removal in batches', () => {
  /** Answers each time how many are removed; nothing once they are used up. */
  function batches(...removed: readonly (number | Error)[]) {
    const left = [...removed];
    return jest.fn((): Promise<number> => {
      const next = left.shift() ?? 0;
      return typeof next === 'number' ? Promise.resolve(next) : Promise.reject(next);
    });
  }

  it('goes on until nothing is left, with a rest after each batch', async () => {
    const remove = batches(500, 500, 7);
    const rest = jest.fn(() => Promise.resolve());
    expect(await removeInBatches(remove, { stopping: new AbortController().signal, rest })).toBe(true);
    expect([remove.mock.calls.length, rest.mock.calls.length]).toEqual([4, 3]);
  });

  it('ends with a failure, which it throws', async () => {
    const remove = batches(500, new Error('unavailable'), 3);
    const rest = () => Promise.resolve();
    await expect(removeInBatches(remove, { stopping: new AbortController().signal, rest })).rejects.toThrow(
      'unavailable',
    );
    expect(remove).toHaveBeenCalledTimes(2);
  });

  it('begins no batch once the stop has begun, and says that something may be left', async () => {
    const remove = batches(500, 500);
    const stop = new AbortController();
    const rest = () => {
      stop.abort();
      return Promise.resolve();
    };
    expect(await removeInBatches(remove, { stopping: stop.signal, rest })).toBe(false);
    expect(remove).toHaveBeenCalledTimes(1);
    expect(await removeInBatches(remove, { stopping: stop.signal })).toBe(false);
    expect(remove).toHaveBeenCalledTimes(1);
  });
});
