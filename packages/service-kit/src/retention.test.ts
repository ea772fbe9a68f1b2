import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { ManualClock } from '@tocsin/clock';
import { createLogger } from '@tocsin/observability';
import { Lifecycle } from './lifecycle.ts';
import { removeInBatches, sweepRetained } from './retention.ts';

const SWEEP_MS = 600_000;
const now = new Date('2026-03-01T00:00:00.000Z');

let lifecycle: Lifecycle;
let asked: Date[];
/** How many are removed each time. */
let answers: (number | Error)[];

beforeEach(async () => {
  jest.useFakeTimers();
  [lifecycle, asked, answers] = [new Lifecycle(), [], []];
  const remove = (until: Date): Promise<number> => {
    asked.push(until);
    const next = answers.shift() ?? 0;
    return typeof next === 'number' ? Promise.resolve(next) : Promise.reject(next);
  };
  const context = { clock: new ManualClock(now), lifecycle, logger: createLogger('scheduling', 'silent') };
  // Jest does not rule the timers that return promises.
  const rest = () => new Promise<void>((rested) => void setTimeout(rested, 50));
  await sweepRetained(context, { name: 'retention', days: 20, removals: [remove], rest });
});

afterEach(async () => {
  await lifecycle.stop();
  jest.useRealTimers();
});

describe('the sweep of what was kept for long enough', () => {
  it('comes every ten minutes and removes, until none is left, what is older than the setting says', async () => {
    answers = [500, 500, 3];
    await jest.advanceTimersByTimeAsync(SWEEP_MS + 1_000);
    expect(asked).toEqual(Array(4).fill(new Date('2026-02-09T00:00:00.000Z')));
    await jest.advanceTimersByTimeAsync(SWEEP_MS);
    expect(asked).toHaveLength(5);
  });

  it('comes again after a failure', async () => {
    answers = [new Error('The database is away.'), 1];
    await jest.advanceTimersByTimeAsync(2 * SWEEP_MS + 1_000);
    expect(asked).toHaveLength(3);
  });

  it('ends with its lot when the service stops', async () => {
    answers = Array<number>(1_000).fill(500);
    await jest.advanceTimersByTimeAsync(SWEEP_MS + 100);
    const lots = asked.length;
    expect(lots).toBeGreaterThan(0);
    const stopping = lifecycle.stop();
    await jest.advanceTimersByTimeAsync(1_000);
    await stopping;
    expect(asked).toHaveLength(lots);
  });
});

describe('a removal in lots', () => {
  /** Answers each time how many are removed; nothing once they are used up. */
  function lots(...removed: readonly (number | Error)[]) {
    const left = [...removed];
    return jest.fn((): Promise<number> => {
      const next = left.shift() ?? 0;
      return typeof next === 'number' ? Promise.resolve(next) : Promise.reject(next);
    });
  }

  it('goes on until nothing is left, with a rest after each lot', async () => {
    const remove = lots(500, 500, 7);
    const rest = jest.fn(() => Promise.resolve());
    expect(await removeInBatches(remove, { stopping: new AbortController().signal, rest })).toBe(true);
    expect([remove.mock.calls.length, rest.mock.calls.length]).toEqual([4, 3]);
  });

  it('ends with a failure, which its caller hears', async () => {
    const remove = lots(500, new Error('away'), 3);
    const rest = () => Promise.resolve();
    await expect(removeInBatches(remove, { stopping: new AbortController().signal, rest })).rejects.toThrow('away');
    expect(remove).toHaveBeenCalledTimes(2);
  });

  it('begins no lot once the stop has begun, and says that something may be left', async () => {
    const remove = lots(500, 500);
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
