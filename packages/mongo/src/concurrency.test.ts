import { describe, expect, it } from '@jest/globals';
import { Repeating } from './repeating.ts';
import { SingleFlight } from './single-flight.ts';

/** Work that ends when the test says so. */
function steered(): { work: () => Promise<void>; begun: () => number; end: () => void } {
  const open: (() => void)[] = [];
  let begun = 0;
  return {
    work: () => {
      begun += 1;
      return new Promise((resolve) => open.push(resolve));
    },
    begun: () => begun,
    end: () => open.shift()?.(),
  };
}

describe('SingleFlight', () => {
  it('shares one further run among the calls that come while it runs', async () => {
    const { work, begun, end } = steered();
    const flight = new SingleFlight(work);
    const first = flight.run();
    const others = [flight.run(), flight.run()];
    expect(begun()).toBe(1);
    end();
    await first;
    await Promise.resolve();
    await Promise.resolve();
    expect(begun()).toBe(2);
    end();
    await Promise.all(others);
    expect(begun()).toBe(2);
  });

  it('runs again after a failure, for those that came meanwhile too', async () => {
    let runs = 0;
    const flight = new SingleFlight(() => {
      runs += 1;
      return runs === 1 ? Promise.reject(new Error('unavailable')) : Promise.resolve();
    });
    const [first, second] = [flight.run(), flight.run()];
    await expect(first).rejects.toThrow('unavailable');
    await second;
    expect(runs).toBe(2);
  });
});

describe('Repeating', () => {
  it('goes on after a failure and ends with the run that is under way', async () => {
    const errors: unknown[] = [];
    const { promise, resolve } = Promise.withResolvers<undefined>();
    let runs = 0;
    const repeating = new Repeating({
      everyMs: 1,
      work: () => {
        runs += 1;
        if (runs === 1) throw new Error('unavailable');
        if (runs === 3) resolve(undefined);
        return Promise.resolve();
      },
      onError: (error) => errors.push(error),
    });
    repeating.start();
    await promise;
    await repeating.stop();
    const ended = runs;
    expect(errors).toEqual([new Error('unavailable')]);
    expect(ended).toBeGreaterThanOrEqual(3);
  });
});
