import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { RemovalLots } from './removal-lots.ts';

beforeEach(() => {
  jest.useFakeTimers();
});

afterEach(() => {
  jest.useRealTimers();
});

describe('RemovalLots', () => {
  it('removes together, by itself, what was added within a moment', async () => {
    const removed: (readonly number[])[] = [];
    const lots = new RemovalLots<number>({
      remove: (ids) => Promise.resolve(void removed.push(ids)),
      onError: () => undefined,
    });
    lots.add([1]);
    lots.add([2, 3]);
    await jest.advanceTimersByTimeAsync(1_000);
    lots.add([4]);
    await jest.advanceTimersByTimeAsync(1_000);
    expect(removed).toEqual([[1, 2, 3], [4]]);
  });

  it('knows what is not removed yet, also while it is being removed', async () => {
    const removal = Promise.withResolvers<undefined>();
    const lots = new RemovalLots<number>({ remove: () => removal.promise, onError: () => undefined });
    lots.add([1, 2]);
    const flushed = lots.flush();
    lots.add([3]);
    expect(lots.ids()).toEqual([1, 2, 3]);
    expect(lots.size).toBe(3);
    removal.resolve(undefined);
    await flushed;
    expect(lots.ids()).toEqual([3]);
  });

  it('has removed everything when it is flushed, and keeps what could not be removed', async () => {
    const errors: unknown[] = [];
    const removed: number[] = [];
    let away = true;
    const lots = new RemovalLots<number>({
      remove: (ids) => (away ? Promise.reject(new Error('no primary')) : Promise.resolve(void removed.push(...ids))),
      onError: (error) => errors.push(error),
    });
    lots.add([1]);
    await jest.advanceTimersByTimeAsync(1_000);
    expect(errors).toHaveLength(1);
    await expect(lots.flush()).rejects.toThrow('no primary');
    away = false;
    lots.add([2]);
    await lots.flush();
    expect(removed).toEqual([1, 2]);
  });
});
