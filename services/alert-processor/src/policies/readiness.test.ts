import { describe, expect, it } from '@jest/globals';
import { notifies } from '../testing/policy-rules-samples.ts';
import { policyFinding } from './readiness.ts';

const message = (expectedValue: string) =>
  ({ field: 'message', operation: 'equals', expectedValue, not: false }) as const;
const suppressing = notifies('Quiet', { suppress: true });
const suppressingWhere = (...conditions: readonly ReturnType<typeof message>[]) =>
  notifies('Quiet', { suppress: true }, { filter: { conditions: [...conditions] } });

describe('a policy', () => {
  it('that suppresses every alert at all times is an error', () => {
    expect(policyFinding({ ...suppressing, teamId: 'ops' })).toEqual({
      kind: 'policy-suppresses-all',
      severity: 'error',
      teamIds: ['ops'],
      entity: { type: 'policy', id: suppressing.id, name: 'Quiet' },
      message:
        'Policy [Quiet] matches every alert at all times and suppresses its notifications: an alert that no notification policy before it takes pages no user.',
      remedy: 'Give the policy conditions or a time restriction, or disable it.',
      path: `/v2/policies/${suppressing.id}?teamId=ops`,
    });
    expect(policyFinding({ ...suppressing, teamId: undefined })).toMatchObject({
      teamIds: [],
      path: `/v2/policies/${suppressing.id}`,
    });
  });

  it('whose conditions contradict each other is a warning', () => {
    expect(policyFinding(suppressingWhere(message('a'), message('b')))).toMatchObject({
      kind: 'policy-never-matches',
      severity: 'warning',
    });
  });

  it.each([
    ['is disabled', { enabled: false }],
    ['has conditions that may hold', { filter: suppressingWhere(message('a')).filter }],
    [
      'holds at some times',
      {
        timeRestriction: {
          type: 'time-of-day' as const,
          restriction: { startHour: 1, startMin: 0, endHour: 2, endMin: 0 },
        },
      },
    ],
    ['suppresses nothing', { effects: notifies('Other', {}).effects }],
  ])('is no finding where it %s', (_, change) => {
    expect(policyFinding({ ...suppressing, ...change })).toBeUndefined();
  });
});
