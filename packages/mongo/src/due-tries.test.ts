import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { UnavailableError } from '@tocsin/core';
import { ContendedError, DueTries } from './due-tries.ts';
import { PausedDocuments } from './paused-documents.ts';

let paused: PausedDocuments;

beforeEach(() => {
  jest.useFakeTimers();
  paused = new PausedDocuments();
});

afterEach(() => {
  jest.useRealTimers();
});

/** The pauses of a document that fails `failures` times, in seconds. `afterEachPause` runs before it fails again. */
function pausesOf(failures: number, afterEachPause: () => void): number[] {
  return Array.from({ length: failures }, () => {
    paused.recordFailure('a');
    expect(paused.excludedIds).toEqual(['a']);
    const since = performance.now();
    while (paused.next() === undefined) jest.advanceTimersByTime(500);
    afterEachPause();
    return (performance.now() - since) / 1_000;
  });
}

describe('a document that fails', () => {
  it('is paused for 1, 2, 4 … 60 s where others succeed, and is forgotten once it succeeds', () => {
    const pauses = pausesOf(8, () => {
      paused.recordSuccess(['another']);
    });
    expect(pauses).toEqual([1, 2, 4, 8, 16, 32, 60, 60]);
    paused.recordSuccess(['a']);
    expect(paused.excludedIds).toEqual([]);
  });

  it('is paused for a second each time where no other succeeds', () => {
    expect(pausesOf(5, () => undefined)).toEqual([1, 1, 1, 1, 1]);
  });
});

describe('a document that is tried while an engine is unavailable for moments, between which others succeed', () => {
  /** How many tries of a document fail in ten minutes, each after `tookMs`. */
  async function failuresAfter(tookMs: number): Promise<number> {
    let failures = 0;
    const tries = new DueTries<{ readonly _id: string }>({
      collection: 'things',
      logger: { error: () => undefined },
      maxBatch: 10,
      process: async (found) => {
        if (found.every(({ _id }) => _id !== 'a')) return found;
        await jest.advanceTimersByTimeAsync(tookMs);
        failures += 1;
        throw new UnavailableError('The database did not answer in time.');
      },
    });
    const endsAtMs = performance.now() + 600_000;
    for (let id: string | undefined = 'a'; performance.now() < endsAtMs; id = tries.next()) {
      if (id !== undefined) await tries.try([{ _id: id }], new Date());
      await tries.try([{ _id: 'other' }], new Date());
      await jest.advanceTimersByTimeAsync(100);
    }
    return failures;
  }

  it('is tried again each second', async () => {
    expect(await failuresAfter(0)).toBeGreaterThan(500);
  });

  it('is tried at growing intervals where each try takes longer than a transaction may', async () => {
    expect(await failuresAfter(4_100)).toBeLessThan(50);
  });
});

describe('the error of a document that fails', () => {
  it('counts as its own failure once another document was processed since it failed first', () => {
    paused.recordSuccess(['another']);
    expect(paused.hasOwnError('a')).toBe(false);
    paused.recordFailure('a');
    paused.recordFailure('b');
    expect(paused.hasOwnError('a')).toBe(false);
    paused.recordSuccess(['another']);
    paused.recordFailure('a');
    expect([paused.hasOwnError('a'), paused.hasOwnError('b')]).toEqual([true, true]);
  });

  it('counts as its own failure after a minute', () => {
    paused.recordFailure('a');
    jest.advanceTimersByTime(59_000);
    paused.recordFailure('a');
    expect(paused.hasOwnError('a')).toBe(false);
    jest.advanceTimersByTime(1_000);
    expect(paused.hasOwnError('a')).toBe(true);
  });
});

describe('a document that another process has', () => {
  it('is looked for like others after a second', () => {
    for (let times = 0; times < 3; times += 1) {
      paused.recordConflict(['a']);
      expect([paused.excludedIds, paused.next()]).toEqual([['a'], undefined]);
      jest.advanceTimersByTime(1_000);
      expect([paused.excludedIds, paused.next()]).toEqual([[], undefined]);
    }
  });
});

describe('a document that is tried alone because its batch had a conflict', () => {
  it('does not hold up the rest of the batch while its try lasts, and is excluded from looks until then', async () => {
    const { promise: ended, resolve: end } = Promise.withResolvers<undefined>();
    const done: string[] = [];
    const tries = new DueTries<{ readonly _id: string }>({
      collection: 'things',
      logger: { error: () => undefined },
      maxBatch: 10,
      process: async (found) => {
        if (found.length > 1) throw new ContendedError('Another process has one of them.');
        if (found.some(({ _id }) => _id === 'slow')) await ended;
        done.push(...found.map(({ _id }) => _id));
        return found;
      },
    });
    const trying = tries.try([{ _id: 'slow' }, { _id: 'other' }], new Date());
    await jest.advanceTimersByTimeAsync(1_000);
    expect([done, tries.excludedIds.includes('slow')]).toEqual([['other'], true]);
    await trying;
    end(undefined);
    await tries.whenTried(1_000);
    expect([done, tries.excludedIds]).toEqual([['other', 'slow'], []]);
  });
});

describe('a document that is refused each time', () => {
  const now = new Date();
  let skipped: string[];
  /** The documents that another process has done before this one tries them. */
  let doneByAnother: boolean;
  let tries: DueTries<{ readonly _id: string }>;

  beforeEach(() => {
    [skipped, doneByAnother] = [[], false];
    tries = new DueTries({
      collection: 'things',
      logger: { error: () => undefined },
      maxBatch: 10,
      process: (found) => {
        if (found.some(({ _id }) => _id === 'bad')) return Promise.reject(new TypeError('odd'));
        return Promise.resolve(doneByAnother ? [] : found);
      },
      skipFirstItem: ({ _id }) => Promise.resolve(void skipped.push(_id)),
    });
  });

  it('is skipped once this process has processed another document since, and not because another process has', async () => {
    await tries.try([{ _id: 'bad' }], now);
    doneByAnother = true;
    await tries.try([{ _id: 'other' }], now);
    await tries.try([{ _id: 'bad' }], now);
    expect(skipped).toEqual([]);
    doneByAnother = false;
    await tries.try([{ _id: 'other' }], now);
    await tries.try([{ _id: 'bad' }], now);
    expect(skipped).toEqual(['bad']);
  });
});
