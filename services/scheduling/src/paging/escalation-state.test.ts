import { describe, expect, it } from '@jest/globals';
import type { AlertState } from '@tocsin/events';
import { applyEvent } from './apply-event.ts';
import { refusal, type EscalationState } from './escalation-state.ts';
import { openAlert } from '../testing/alert-samples.ts';

describe('refusal', () => {
  const state = (change: Partial<AlertState>): EscalationState => {
    const state = openAlert(change);
    const applied = applyEvent(undefined, {
      alertId: 'a1',
      version: 1,
      state,
      facts: [],
      acceptedAt: state.createdAt,
    });
    if (applied === undefined) throw new Error('a first event always leaves a run');
    return applied.state;
  };

  it.each([
    [{}, 'if-not-acked', undefined],
    [{ acknowledged: true }, 'if-not-acked', 'the alert is acknowledged'],
    [{ acknowledged: true }, 'if-not-closed', undefined],
    [{ status: 'closed' as const }, 'if-not-closed', 'the alert is closed'],
  ] as const)('of %j under %s is %s', (change, condition, expected) => {
    expect(refusal(state(change), condition)).toBe(expected);
  });
});
