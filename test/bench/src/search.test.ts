import { describe, expect, test } from '@jest/globals';
import { parseQuery } from '@tocsin/rules';
import { ALERT_SORT_FIELDS } from '@tocsin/api';
import { searchAlert, VARIETY } from './search-alerts.ts';
import { questions } from './search-queries.ts';
import { searchResult, type Answers } from './search-report.ts';

const COUNT = 2_000;
const alerts = Array.from({ length: COUNT }, (_, index) => searchAlert(index, COUNT));

describe('the alerts of the search bench', () => {
  test('are the same in every run, the oldest first, one in ten open', () => {
    expect(searchAlert(7, COUNT)).toEqual(alerts[7]);
    const times = alerts.map(({ createdAt }) => createdAt.getTime());
    expect(times).toEqual(times.toSorted((a, b) => a - b));
    const open = alerts.filter(({ status }) => status === 'open').length;
    expect(open).toBeGreaterThan(COUNT * 0.08);
    expect(open).toBeLessThan(COUNT * 0.12);
  });

  test('speak of all entities and teams, of some tags often and of others hardly ever', () => {
    expect(new Set(alerts.map(({ entity }) => entity)).size).toBe(VARIETY.entities);
    expect(new Set(alerts.flatMap(({ responders }) => responders.map(({ id }) => id))).size).toBe(VARIETY.teams);
    const having = (tag: string) => alerts.filter(({ tags }) => tags.includes(tag)).length;
    expect(having('tag-0')).toBeGreaterThan(10 * having('tag-400'));
  });
});

describe('the questions of the search bench', () => {
  test('can all be read', () => {
    const asked = questions(COUNT, ALERT_SORT_FIELDS).flatMap(({ asked }) => asked.map(({ query = '' }) => query));
    expect(asked.filter((query) => parseQuery(query).kind === 'refused')).toEqual([]);
  });
});

describe('the search bench', () => {
  const good: Answers = {
    name: 'open',
    bar: { ms: 20 },
    tookMs: [5, 19],
    refusals: [],
    examined: { keys: 1, documents: 1 },
  };

  test.each([
    [good, true],
    [{ ...good, tookMs: [5, 20] }, false],
    [{ ...good, refusals: [422] }, false],
    [{ ...good, bar: 'rule' as const, tookMs: [2_100], refusals: [422] }, true],
    [{ ...good, bar: 'rule' as const, refusals: [500] }, false],
    [{ ...good, bar: 'rule' as const, tookMs: [2_600] }, false],
  ])('judges %j as kept: %s', (answers, kept) => {
    expect(searchResult([1], [answers]).kept).toBe(kept);
  });

  test('sets every time in relation to a look-up by id of the same run', () => {
    expect(searchResult([2], [good]).table).toContain('2.5');
  });
});
