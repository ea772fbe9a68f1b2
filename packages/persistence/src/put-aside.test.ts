import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { PutAside } from './put-aside.ts';

let aside: PutAside;

beforeEach(() => {
  jest.useFakeTimers();
  aside = new PutAside();
});

afterEach(() => {
  jest.useRealTimers();
});

/** The pauses of a document that fails so often, in seconds. */
function pausesOf(failures: number, between: () => void): number[] {
  return Array.from({ length: failures }, () => {
    aside.failed('a');
    expect(aside.ids).toEqual(['a']);
    const since = performance.now();
    while (aside.next() === undefined) jest.advanceTimersByTime(500);
    between();
    return (performance.now() - since) / 1_000;
  });
}

describe('a document that fails', () => {
  it('waits for 1, 2, 4 … 60 s where others succeed, and is forgotten once it succeeds', () => {
    const pauses = pausesOf(8, () => {
      aside.done(['another']);
    });
    expect(pauses).toEqual([1, 2, 4, 8, 16, 32, 60, 60]);
    aside.done(['a']);
    expect(aside.ids).toEqual([]);
  });

  it('waits for a second each time where no other succeeds', () => {
    expect(pausesOf(5, () => undefined)).toEqual([1, 1, 1, 1, 1]);
  });
});

describe('a document that another process has', () => {
  it('is looked for like others after a second', () => {
    for (let times = 0; times < 3; times += 1) {
      aside.pause(['a']);
      expect([aside.ids, aside.next()]).toEqual([['a'], undefined]);
      jest.advanceTimersByTime(1_000);
      expect([aside.ids, aside.next()]).toEqual([[], undefined]);
    }
  });
});
