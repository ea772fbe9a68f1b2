import { describe, expect, it } from '@jest/globals';
import { LongWork, ManualClock } from '@tocsin/core';
import { EvaluatePoliciesBody } from '@tocsin/api';
import { accountKey } from '@tocsin/testkit';
import { modifies, notifies, rulesOf } from '../testing/policy-rules-samples.ts';
import { EvaluatePolicies } from './evaluate-operations.ts';
import { EMPTY_DIRECTORY } from '../testing/directory-samples.ts';

/** Of the account's policies and of the team's, first those that change the alert and then those that change its flow. */
const STEPS = 4;
const AT_ONCE = 8;

let ms = 0;

const evaluation = new EvaluatePolicies({
  rules: {
    get: () => Promise.resolve(rulesOf([modifies('Tidy', { tags: ['tidy'] }), notifies('Quiet', { suppress: true })])),
  },
  alerts: { get: () => Promise.reject(new TypeError('No alert is named.')) },
  reader: { find: () => Promise.resolve(undefined) },
  directory: EMPTY_DIRECTORY,
  integrations: { get: () => undefined, fetch: () => Promise.resolve(undefined) },
  clock: new ManualClock(new Date('2026-01-05T08:00:00Z')),
  newId: () => 'a1',
  work: new LongWork(() => (ms += 6)),
});

describe('evaluations under way', () => {
  it('take one step in each turn of the event loop, however many they are', async () => {
    let turns = 0;
    let next = setImmediate(function count() {
      turns += 1;
      next = setImmediate(count);
    });
    const asked = EvaluatePoliciesBody.parse({ message: 'Disk full' });
    const evaluations = Array.from({ length: AT_ONCE }, () => evaluation.evaluate(asked, accountKey, '10.0.0.1'));
    const outcomes = (await Promise.all(evaluations)).map(({ command }) => command.alert.tags);
    clearImmediate(next);
    expect(outcomes).toEqual(Array.from({ length: AT_ONCE }, () => ['tidy']));
    expect(turns).toBeGreaterThanOrEqual(STEPS * (AT_ONCE - 1));
  });
});
