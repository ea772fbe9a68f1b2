import { describe, expect, test } from '@jest/globals';
import { policyApplication } from '@tocsin/alert-processor/policy-application';
import { createAlertBody } from '@tocsin/api';
import { alertBodies } from './ingest-alerts.ts';
import { benchPolicies, createOf } from './policies-load.ts';

describe('the policies of the bench', () => {
  test.each([4, 500])('are %i, of which the last of each kind alone matches, by five conditions', (count) => {
    const policies = benchPolicies(count);
    expect(policies.map(({ filter }) => filter.set.conditions.length)).toEqual(Array(count).fill(5));
    const body = createAlertBody('reject').parse(JSON.parse(alertBodies('none')(2)));
    const { command, flow, entry } = policyApplication(policies, createOf(body))();
    expect(command.alert.priority).toBe('P1');
    expect(flow).toMatchObject({ hold: { kind: 'delay' }, autoClose: {}, autoRestart: {} });
    expect(entry?.decision?.facts).toMatchObject({ appliedCount: 2, skippedCount: count - 2 });
  });
});
