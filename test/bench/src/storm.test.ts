import { describe, expect, it } from '@jest/globals';
import { pagingStormResult, stormResult, type PagingStorm, type Storm } from './storm-result.ts';

const load: Storm['flood'] = {
  sent: 100,
  accepted: ['1', '2'],
  latenciesMs: Float64Array.of(10, 20),
  refused: new Map([
    ['429', 97],
    ['503', 1],
  ]),
  refusedAfterMs: 5,
  lagMs: 1,
  seconds: 1,
};
const quietAfter = (...waits: number[]) => ({
  quiet: { accepted: ['3'], refused: new Map([['503', 3]]), waitsMs: Float64Array.from(waits) },
});
const floodThatAnswered = (...refused: [string, number][]) => ({ ...load, refused: new Map(refused) });
const inTime = quietAfter(...Array.from({ length: 99 }, () => 2_000), Infinity);

const kept: Storm = { flood: load, rateMost: 2, ...inTime, bulkMs: 1_500, lost: 0 };
const keptWith = (changes: Partial<Storm>): boolean => stormResult({ ...kept, ...changes }).kept;

describe('the result on a storm', () => {
  it('is good where the flood is answered 429, 99 of 100 pages of another key come within 2 s, and nothing is lost', () => {
    expect(stormResult(kept).kept).toBe(true);
    expect(stormResult(kept).table).toMatch(/page after p99 +2000 ms +2000 ms/);
    expect(stormResult(kept).table).toMatch(/empty after the load +1\.5 s/);
    expect(stormResult({ ...kept, bulkMs: Infinity }).table).toMatch(/empty after the load +over 60 s/);
  });

  it('is bad where pages come late or not at all, where anything accepted is lost, or where the flood is not held', () => {
    expect(keptWith(quietAfter(2_001))).toBe(false);
    expect(keptWith(quietAfter(...Array.from({ length: 98 }, () => 1), Infinity, Infinity))).toBe(false);
    expect(keptWith(quietAfter())).toBe(false);
    expect(keptWith({ lost: 1 })).toBe(false);
    expect(keptWith({ rateMost: 1 })).toBe(false);
    expect(keptWith({ flood: floodThatAnswered(['503', 98]) })).toBe(false);
    expect(keptWith({ flood: floodThatAnswered(['429', 97], ['no answer', 1]) })).toBe(false);
  });
});

const keptForPeople: PagingStorm = {
  floods: [load, floodThatAnswered(['503', 98])],
  rateMost: 2,
  ...inTime,
  arrived: 4,
  mails: 3,
  repeated: 0,
  bulkMs: 0,
  unsettled: 0,
};
const keptForPeopleWith = (changes: Partial<PagingStorm>): boolean =>
  pagingStormResult({ ...keptForPeople, ...changes }).kept;

describe('the result on a storm of pages', () => {
  it('is good where another person is paged within 2 s, and all who are flooded are notified of all, in however few mails', () => {
    const { kept: isKept, table } = pagingStormResult(keptForPeople);
    expect(isKept).toBe(true);
    expect(table).toMatch(/accepted +4/);
    expect(table).toMatch(/answered 503 +99/);
  });

  it('is bad where pages come late, where anything is lost or mailed again, or where a key is over its rate', () => {
    expect(keptForPeopleWith(quietAfter(2_001))).toBe(false);
    expect(keptForPeopleWith({ arrived: 3 })).toBe(false);
    expect(keptForPeopleWith({ repeated: 1 })).toBe(false);
    expect(keptForPeopleWith({ unsettled: 1 })).toBe(false);
    expect(keptForPeopleWith({ rateMost: 1 })).toBe(false);
    expect(keptForPeopleWith({ floods: [load, floodThatAnswered(['no answer', 1])] })).toBe(false);
  });
});
