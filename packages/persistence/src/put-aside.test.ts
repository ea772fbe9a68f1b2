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

const failed = new Error('away');

describe('a document that fails', () => {
  it('waits for 1, 2, 4 … 60 s where others succeed', () => {
    aside.failed('a', failed);
    aside.confirmSuspects();
    const pauses: number[] = [];
    for (let times = 0; times < 8; times += 1) {
      const since = performance.now();
      while (aside.next() === undefined) jest.advanceTimersByTime(500);
      pauses.push((performance.now() - since) / 1_000);
      aside.failed('a', failed);
    }
    expect(pauses).toEqual([1, 2, 4, 8, 16, 32, 60, 60]);
    expect(aside.ids).toEqual(['a']);
    aside.done(['a']);
    expect(aside.ids).toEqual([]);
  });

  it('does not wait where no other succeeds', () => {
    aside.failed('a', failed);
    expect(() => {
      aside.throwSuspected();
    }).toThrow('away');
    aside.forgetSuspects();
    expect(aside.ids).toEqual([]);
  });

  it('is one of many that have a cause in common, when ten fail one after the other', () => {
    const ids = Array.from({ length: 9 }, (_, index) => `a${index}`);
    for (const id of ids) aside.failed(id, failed);
    expect(() => {
      aside.failed('last', failed);
    }).toThrow('away');
  });
});

describe('a document that another process has', () => {
  it('is looked for again after the same pause each time', () => {
    for (let times = 0; times < 3; times += 1) {
      aside.pause('a', 1_000);
      expect([aside.ids, aside.next()]).toEqual([['a'], undefined]);
      jest.advanceTimersByTime(1_000);
      expect(aside.next()).toBe('a');
    }
  });
});
