import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { withTimeout } from './index.ts';

const late = (): never => {
  throw new Error('too late');
};
const forEver = new Promise<never>(() => undefined);

describe('withTimeout', () => {
  beforeEach(() => {
    jest.useFakeTimers();
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  it('settles as the work that ends in time, and leaves no timer behind', async () => {
    await expect(withTimeout(Promise.resolve('done'), 10, late)).resolves.toBe('done');
    await expect(withTimeout(Promise.reject(new Error('failed')), 10, late)).rejects.toThrow('failed');
    expect(jest.getTimerCount()).toBe(0);
  });

  it('settles as onTimeout when the time is over', async () => {
    const answered = withTimeout(forEver, 10, () => 'nothing');
    const refused = withTimeout(forEver, 10, late).catch(String);
    await jest.advanceTimersByTimeAsync(10);
    expect(await answered).toBe('nothing');
    expect(await refused).toBe('Error: too late');
  });

  it('ignores work that fails after the time is over', async () => {
    const { promise, reject } = Promise.withResolvers<string>();
    const answered = withTimeout(promise, 10, () => undefined);
    await jest.advanceTimersByTimeAsync(10);
    reject(new Error('too late'));
    expect(await answered).toBeUndefined();
  });
});
