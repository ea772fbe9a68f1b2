import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { ManualClock } from '@tocsin/clock';
import { createLogger } from '@tocsin/observability';
import { Lifecycle } from '@tocsin/service-kit';
import { sweepRetained } from './sweep-retained.ts';

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
  const config = { runRetentionDays: 20 } as Parameters<typeof sweepRetained>[0]['config'];
  const logger = createLogger('scheduling', 'silent');
  // Jest does not rule the timers that return promises.
  const rest = () => new Promise<void>((rested) => void setTimeout(rested, 50));
  await sweepRetained({ clock: new ManualClock(now), config, lifecycle, logger }, { remove }, rest);
});

afterEach(async () => {
  await lifecycle.stop();
  jest.useRealTimers();
});

describe('the sweep of runs that were kept for long enough', () => {
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
