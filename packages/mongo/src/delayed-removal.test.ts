import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { DelayedRemoval } from './delayed-removal.ts';

beforeEach(() => {
  jest.useFakeTimers();
});

afterEach(() => {
  jest.useRealTimers();
});

describe('DelayedRemoval', () => {
  it('removes entries together that were added within a moment', async () => {
    const removed: (readonly number[])[] = [];
    const removal = new DelayedRemoval<number>({
      remove: (ids) => Promise.resolve(void removed.push(ids)),
      onError: () => undefined,
    });
    removal.add([1]);
    removal.add([2, 3]);
    await jest.advanceTimersByTimeAsync(1_000);
    removal.add([4]);
    await jest.advanceTimersByTimeAsync(1_000);
    expect(removed).toEqual([[1, 2, 3], [4]]);
  });

  it('counts entries until they are removed, also during the removal', async () => {
    const deletion = Promise.withResolvers<undefined>();
    const removal = new DelayedRemoval<number>({ remove: () => deletion.promise, onError: () => undefined });
    removal.add([1, 2]);
    const flushed = removal.flush();
    removal.add([3]);
    expect(removal.ids()).toEqual([1, 2, 3]);
    expect(removal.size).toBe(3);
    deletion.resolve(undefined);
    await flushed;
    expect(removal.ids()).toEqual([3]);
  });

  it('has removed all entries when it is flushed, and keeps those whose removal failed', async () => {
    const errors: unknown[] = [];
    const removed: number[] = [];
    let isUnavailable = true;
    const removal = new DelayedRemoval<number>({
      remove: (ids) =>
        isUnavailable ? Promise.reject(new Error('no primary')) : Promise.resolve(void removed.push(...ids)),
      onError: (error) => errors.push(error),
    });
    removal.add([1]);
    await jest.advanceTimersByTimeAsync(1_000);
    expect(errors).toHaveLength(1);
    await expect(removal.flush()).rejects.toThrow('no primary');
    isUnavailable = false;
    removal.add([2]);
    await removal.flush();
    expect(removed).toEqual([1, 2]);
  });

  it('tries a failed removal again by itself: old rows would be published once more by the next process', async () => {
    const errors: unknown[] = [];
    const removed: number[] = [];
    const removal = new DelayedRemoval<number>({
      remove: (ids) =>
        errors.length === 0 ? Promise.reject(new Error('no primary')) : Promise.resolve(void removed.push(...ids)),
      onError: (error) => errors.push(error),
    });
    removal.add([1]);
    await jest.advanceTimersByTimeAsync(10_000);
    expect([errors.length, removed]).toEqual([1, [1]]);
  });
});
