import { describe, expect, it } from '@jest/globals';
import type { Responder } from '@tocsin/events';
import { alertSubject, type DescribedAlert } from './alert-subject.ts';
import { compileConditions } from './conditions.ts';
import { PatternBudget } from './pattern-budget.ts';

const responders: readonly Responder[] = [
  { type: 'user', id: 'u1' },
  { type: 'team', id: 't1' },
  { type: 'schedule', id: 's1' },
];
const alert: DescribedAlert = {
  message: 'Disk full',
  alias: 'disk',
  description: '',
  source: 'db-7',
  entity: '',
  priority: 'P1',
  tags: [],
  actions: [],
  details: { region: 'eu' },
  responders,
};
const names: Readonly<Record<string, string>> = { u1: 'ada@example.com', t1: 'Database' };
const nameOf = ({ id }: Responder) => names[id];

describe('alertSubject', () => {
  it('lists teams apart from other recipients, responders as both', () => {
    const subject = alertSubject(alert);
    expect(subject['teams']).toEqual(['t1']);
    expect(subject['recipients']).toEqual(['u1', 's1']);
    expect(subject['responders']).toEqual(['u1', 's1', 't1']);
  });

  it('lets conditions match a responder by id and by name where it is known (P3)', () => {
    const subject = alertSubject(alert, nameOf);
    const contains = (field: string, expectedValue: string) =>
      compileConditions({
        type: 'match-all-conditions',
        conditions: [{ field, not: false, operation: 'contains', expectedValue }],
      })(subject, new PatternBudget());
    for (const [field, text] of [
      ['teams', 't1'],
      ['teams', 'Database'],
      ['recipients', 'ada@example.com'],
      ['recipients', 's1'],
      ['responders', 'Database'],
    ] as const)
      expect(contains(field, text)).toBe('holds');
    expect(contains('recipients', 'Database')).toBe('fails');
  });

  it('has empty lists where responders are not known', () => {
    expect(alertSubject({ ...alert, responders: [] })['responders']).toEqual([]);
  });
});
