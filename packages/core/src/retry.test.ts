import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { backOffMs, retry } from './retry.ts';

describe('backOffMs', () => {
  it('is a second at most, so that work goes on within a second after its engine is back', () => {
    expect([1, 2, 3, 4, 5, 1_000].map((attempt) => backOffMs(attempt, { jitter: 0 }))).toEqual([
      100, 200, 400, 800, 1_000, 1_000,
    ]);
  });

  it('doubles up to the given limit, and jitter shortens it by half at most', () => {
    expect([6, 7, 1_000].map((attempt) => backOffMs(attempt, { jitter: 0, maxMs: 5_000 }))).toEqual([
      3_200, 5_000, 5_000,
    ]);
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 10_000 }),
        fc.double({ min: 0, max: 0.999, noNaN: true }),
        (attempt, jitter) => {
          const whole = backOffMs(attempt, { jitter: 0 });
          expect(backOffMs(attempt, { jitter })).toBeLessThanOrEqual(whole);
          expect(backOffMs(attempt, { jitter })).toBeGreaterThan(whole / 2);
        },
      ),
    );
  });
});

describe('retry', () => {
  /** A wait that remembers how long it would have been. */
  function steered() {
    const waits: number[] = [];
    const wait = (milliseconds: number) => Promise.resolve(waits.push(milliseconds));
    return { wait, waits };
  }

  it('tries until the work succeeds, and waits longer after each failure', async () => {
    const { wait, waits } = steered();
    const failures: [unknown, number][] = [];
    const result = await retry(
      (attempt) => (attempt < 4 ? Promise.reject(new Error(`${attempt}`)) : Promise.resolve('done')),
      {
        onFailure: (error, attempt) => failures.push([String(error), attempt]),
        firstMs: 10,
        maxMs: 25,
        jitter: 0,
        wait,
      },
    );
    expect(result).toBe('done');
    expect(waits).toEqual([10, 20, 25]);
    expect(failures).toEqual([
      ['Error: 1', 1],
      ['Error: 2', 2],
      ['Error: 3', 3],
    ]);
  });

  it('begins no try once isWanted returns false', async () => {
    let tries = 0;
    const work = (): Promise<number> => Promise.reject(new Error(`${(tries += 1)}`));
    const { wait, waits } = steered();
    expect(
      await retry(work, { isWanted: (attempt) => attempt <= 2, onFailure: () => undefined, wait }),
    ).toBeUndefined();
    expect([tries, waits.length]).toEqual([2, 1]);
    expect(await retry(work, { isWanted: () => false, onFailure: () => undefined, wait })).toBeUndefined();
    expect(tries).toBe(2);
  });

  it('rejects with what onFailure throws', async () => {
    const { wait, waits } = steered();
    const fatal = () => {
      throw new RangeError('no use');
    };
    await expect(retry(() => Promise.reject(new Error('unavailable')), { onFailure: fatal, wait })).rejects.toThrow(
      RangeError,
    );
    expect(waits).toEqual([]);
  });

  it('ends its pause when the signal aborts', async () => {
    const stop = new AbortController();
    const retrying = retry<number>(() => Promise.reject(new Error('unavailable')), {
      isWanted: () => !stop.signal.aborted,
      onFailure: () => {
        setImmediate(() => {
          stop.abort();
        });
      },
      firstMs: 3_600_000,
      maxMs: 3_600_000,
      signal: stop.signal,
    });
    expect(await retrying).toBeUndefined();
  });
});
