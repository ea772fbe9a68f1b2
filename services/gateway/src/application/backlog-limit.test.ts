import { beforeEach, describe, expect, it } from '@jest/globals';
import { UnavailableError } from '@tocsin/errors';
import { BacklogLimit } from './backlog-limit.ts';

let nowMs: number;
let refused: string[];
let limit: BacklogLimit;

const made = (rate: { perSecond: number; burst: number } | 'off') =>
  new BacklogLimit({ rate, now: () => nowMs, onRefused: (name) => refused.push(name) });

beforeEach(() => {
  nowMs = 1_000_000;
  refused = [];
  limit = made({ perSecond: 10, burst: 20 });
});

/** Of `count` alerts of a key that come at once, how many are taken. */
function taken(count: number, key = 'noisy'): number {
  let some = 0;
  for (let sent = 0; sent < count; sent += 1) {
    try {
      limit.spend(key);
      some += 1;
    } catch (error) {
      expect(error).toBeInstanceOf(UnavailableError);
    }
  }
  return some;
}

const behind = (ageMs: number, consumer = 'alert-processor', partition = 0, records = 200): void => {
  limit.heard(`${consumer}/${partition}`, { consumer, ageMs, records });
};

describe('BacklogLimit (F3)', () => {
  it('holds nobody while alerts do not wait for long', () => {
    expect(taken(1_000)).toBe(1_000);
    behind(400);
    expect(taken(1_000)).toBe(1_000);
    expect(refused).toEqual([]);
  });

  it('holds each key to the rate while alerts wait, and counts what was sent before', () => {
    behind(401);
    expect(taken(30)).toBe(20);
    expect(refused).toEqual(Array.from({ length: 10 }, () => 'backlog'));
    expect(taken(30, 'another')).toBe(20);
    nowMs += 1_000;
    behind(401);
    expect(taken(30)).toBe(10);
  });

  it('lets nobody who flooded just before have a burst, and everybody else go on', () => {
    expect(taken(100)).toBe(100);
    behind(2_000);
    expect(taken(5)).toBe(0);
    expect(taken(5, 'quiet')).toBe(5);
  });

  it('adds up what an alert waits for from one consumer to the next, each by its slowest partition', () => {
    behind(150, 'alert-processor', 0);
    behind(150, 'alert-processor', 1);
    behind(150, 'scheduling', 0);
    expect(taken(30)).toBe(30);
    behind(150, 'notifier', 7);
    expect(taken(30, 'another')).toBe(20);
  });

  it('holds nobody where few alerts wait: the database may be slow, and all that come are processed', () => {
    behind(300, 'alert-processor', 0, 99);
    behind(300, 'scheduling', 0, 100);
    expect(taken(1_000)).toBe(1_000);
    behind(300, 'scheduling', 0, 101);
    expect(taken(1_000, 'another')).toBe(20);
  });

  it('lets the rate grow once alerts wait no more, and holds nobody in the end', () => {
    behind(1_000);
    expect(taken(100)).toBe(20);
    behind(0);
    nowMs += 4_000;
    // 20 tokens again, of which an alert takes a fifth.
    expect(taken(1_000)).toBe(100);
    nowMs += 6_000;
    expect(taken(1_000)).toBe(1_000);
  });

  it('forgets what was told long ago: its consumer stands still, and what comes is kept for it', () => {
    behind(60_000);
    nowMs += 2_001;
    expect(taken(1_000)).toBe(1_000);
  });

  it('may be switched off', () => {
    limit = made('off');
    behind(60_000);
    expect(taken(1_000)).toBe(1_000);
  });
});
