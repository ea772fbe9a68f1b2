import { describe, expect, it } from '@jest/globals';
import { UnavailableError } from '@tocsin/core';
import { SharedPoll } from './shared-poll.ts';

/** A poll of numbers by name, of which `find` says what the poll of this number, from 1, finds. */
function setUp(find: (poll: number) => Readonly<Record<string, number>>) {
  const polls: (readonly string[])[] = [];
  const time = { nowMs: 0, ofAPollMs: 0 };
  const poll = new SharedPoll<string, number>({
    pause: (milliseconds) => {
      time.nowMs += milliseconds;
      return Promise.resolve();
    },
    nowMs: () => time.nowMs,
    find: (keys) => {
      polls.push(keys);
      time.nowMs += time.ofAPollMs;
      return new Promise((resolve) => {
        resolve(new Map(Object.entries(find(polls.length))));
      });
    },
  });
  return { poll, polls, time };
}

describe('readers that wait for values', () => {
  it('share one poll, and each is answered as soon as its own value is there', async () => {
    const { poll, polls } = setUp((number) => (number === 1 ? { a: 1 } : { b: 2 }));
    const keys = ['a', 'b', 'a'];
    expect(await Promise.all(keys.map((key) => poll.waitFor({ key })))).toEqual([1, 2, 1]);
    expect(polls).toEqual([['a', 'b'], ['b']]);
  });

  it('wait on while the value is not the wanted one', async () => {
    const { poll, polls } = setUp((number) => ({ a: number }));
    const wanted = [2, 3, 2].map((least) => poll.waitFor({ key: 'a', isWanted: (value) => value >= least }));
    expect(await Promise.all(wanted)).toEqual([2, 3, 2]);
    expect(polls).toHaveLength(3);
  });

  it('give up after 2 s, a poll each 25 ms, or after the shorter time that they ask for, and the polling stops', async () => {
    const { poll, polls } = setUp(() => ({}));
    expect(await poll.waitFor({ key: 'a' })).toBeUndefined();
    expect(polls).toHaveLength(80);
    expect(await poll.waitFor({ key: 'b', withinMs: 1_000 })).toBeUndefined();
    expect(polls).toHaveLength(120);
    expect(await poll.waitFor({ key: 'b', withinMs: -5 })).toBeUndefined();
    expect(polls).toHaveLength(121);
  });

  it('wait no longer where the database is slow', async () => {
    const { poll, polls, time } = setUp(() => ({}));
    time.ofAPollMs = 475;
    expect(await poll.waitFor({ key: 'a' })).toBeUndefined();
    expect([time.nowMs, polls.length]).toEqual([2_000, 4]);
  });

  it('all fail when the database is unavailable, and later readers wait anew', async () => {
    const { poll } = setUp((number) => {
      if (number === 1) throw new UnavailableError('unavailable');
      return { c: 3 };
    });
    const waiting = await Promise.allSettled([poll.waitFor({ key: 'a' }), poll.waitFor({ key: 'b' })]);
    expect(waiting.map((outcome) => outcome.status)).toEqual(['rejected', 'rejected']);
    expect(await poll.waitFor({ key: 'c' })).toBe(3);
  });
});
