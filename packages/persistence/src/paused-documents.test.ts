import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
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
    expect(paused.ids).toEqual(['a']);
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
    expect(paused.ids).toEqual([]);
  });

  it('is paused for a second each time where no other succeeds', () => {
    expect(pausesOf(5, () => undefined)).toEqual([1, 1, 1, 1, 1]);
  });
});

describe('a document that another process has', () => {
  it('is looked for like others after a second', () => {
    for (let times = 0; times < 3; times += 1) {
      paused.recordConflict(['a']);
      expect([paused.ids, paused.next()]).toEqual([['a'], undefined]);
      jest.advanceTimersByTime(1_000);
      expect([paused.ids, paused.next()]).toEqual([[], undefined]);
    }
  });
});
