import { describe, expect, it } from '@jest/globals';
import type { AlertState } from '@tocsin/contracts';
import { applyEvent } from './apply-event.ts';
import { refusal, type Run } from './run.ts';
import { startedBy } from '../../testing/run-samples.ts';

describe('refusal', () => {
  const run = (change: Partial<AlertState>): Run => {
    const state = startedBy(1, change);
    const applied = applyEvent(undefined, {
      alertId: 'a1',
      version: 1,
      state,
      facts: [],
      acceptedAt: state.createdAt,
    });
    if (applied === undefined) throw new Error('a first event always leaves a run');
    return applied.run;
  };

  it.each([
    [{}, 'if-not-acked', undefined],
    [{ acknowledged: true }, 'if-not-acked', 'the alert is acknowledged'],
    [{ acknowledged: true }, 'if-not-closed', undefined],
    [{ status: 'closed' as const }, 'if-not-closed', 'the alert is closed'],
  ] as const)('of %j under %s is %s', (change, condition, expected) => {
    expect(refusal(run(change), condition)).toBe(expected);
  });
});
