import { describe, expect, it } from '@jest/globals';
import { create } from '../testing/commands-samples.ts';
import { CONTEXT } from '../testing/apply-samples.ts';
import { AT_ONCE, type FlowPlan } from '../policies/policy-result.ts';
import { simulatedLife } from './simulated-life.ts';

const command = create('disk', { alert: { responders: [{ type: 'team', id: 'ops' }] } });
const START = Date.parse(command.acceptedAt);
const MINUTE_MS = 60_000;

function life(flow: Partial<FlowPlan>) {
  const policyResults = new Map([[command.requestId, { flow: { ...AT_ONCE, ...flow }, entry: undefined }]]);
  const { events, truncated } = simulatedLife(command, { resolve: CONTEXT.resolve, policyResults });
  const published = events.map(({ at, event: { facts, state } }) => [
    (at.getTime() - START) / MINUTE_MS,
    facts[0]?.kind,
    state.notifications.kind,
    state.cycle,
  ]);
  return { published, truncated };
}

describe('the simulated life of an alert', () => {
  it('is only its creation without a scheduled action', () => {
    expect(life({})).toEqual({ published: [[0, 'created', 'active', 1]], truncated: false });
  });

  it('goes on when a delay is over', () => {
    const until = new Date(START + 30 * MINUTE_MS);
    expect(life({ hold: { kind: 'delay', policy: '[Nights]', until } }).published).toEqual([
      [0, 'created', 'delayed', 1],
      [30, 'released', 'active', 2],
    ]);
  });

  it('restarts as often as a policy says, and ends with the close of another', () => {
    const autoRestart = { policy: '[Again]', everyMs: 10 * MINUTE_MS, times: 3 };
    const autoClose = { policy: '[Tidy]', afterMs: 25 * MINUTE_MS };
    expect(life({ autoRestart }).published.map(([minute]) => minute)).toEqual([0, 10, 20, 30]);
    expect(life({ autoRestart, autoClose }).published.map(([minute, kind]) => [minute, kind])).toEqual([
      [0, 'created'],
      [10, 'restarted'],
      [20, 'restarted'],
      [25, 'closed'],
    ]);
  });

  it('is truncated if it would not end', () => {
    expect(life({ autoRestart: { policy: '[Again]', everyMs: MINUTE_MS, times: 1_000 } }).truncated).toBe(true);
  });
});
