import { describe, expect, it } from '@jest/globals';
import { countText, type Finding, pageOf, type Readiness, teamsText } from './readiness.ts';

const finding = (entity: Finding['entity']): Pick<Finding, 'entity'> => ({ entity });
const found = (over: Partial<Readiness>): Readiness => ({
  computedAt: '2026-03-02T07:00:00Z',
  totalCount: 0,
  errorCount: 0,
  counts: {} as Readiness['counts'],
  uncheckedSchedules: 0,
  incompleteServices: [],
  data: [],
  paging: { first: '', last: '' },
  ...over,
});

describe('a finding', () => {
  it('leads to the page on which it is mended, where there is one', () => {
    const schedule = { type: 'schedule', id: 's1', name: 'Nights' } as const;
    expect(pageOf(finding(schedule), 'ada')).toBe('/schedules/s1');
    const ada = { type: 'user', id: 'u1', name: 'ada' } as const;
    expect([pageOf(finding(ada), 'ada'), pageOf(finding(ada), 'bob')]).toEqual(['/me', undefined]);
    expect(pageOf(finding({ type: 'team', id: 't1', name: 'Ops' }), 'ada')).toBe('/teams/t1');
    expect(pageOf(finding({ type: 'escalation', id: 'e1', name: 'Ops' }), 'ada')).toBe('/escalations/e1');
    expect(pageOf(finding({ type: 'integration', id: 'i1', name: 'Ops' }), 'ada')).toBe('/integrations/i1');
    expect(pageOf(finding({ type: 'policy', id: 'p1', name: 'Ops' }), 'ada')).toBe('/policies/p1');
  });

  it('names its teams, by id where a team is gone', () => {
    expect(teamsText({ teams: [{ id: 't1', name: 'Ops' }, { id: 't2' }] })).toBe('Ops, t2');
    expect(teamsText({ teams: [] })).toBe('No team');
  });
});

describe('findings', () => {
  it.each([
    [{}, 'No findings.'],
    [{ totalCount: 1, data: [{} as Finding] }, '1 finding. None is an error.'],
    [{ totalCount: 1, errorCount: 1, data: [{} as Finding] }, '1 finding. 1 of them is an error.'],
    [
      { totalCount: 3, errorCount: 2, data: [{} as Finding] },
      '3 findings. 2 of them are errors. The first 1 are listed: choose a team or a kind to see others.',
    ],
  ])('are counted: %j', (over, text) => {
    expect(countText(found(over))).toBe(text);
  });
});
