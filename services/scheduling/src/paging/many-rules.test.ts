import { describe, expect, it } from '@jest/globals';
import { escalationOf, ruleFor } from '../testing/on-call-samples.ts';
import { start } from '../testing/transition-samples.ts';
import { Effects } from './effects.ts';
import { nextDueAt } from './due.ts';
import { withExhausted } from './exhausted.ts';
import { ruleKey } from './escalation-state.ts';
import { applyEffects } from './transitions.ts';

/** Processor time is counted in steps, so a shorter measurement is not exact. */
const MIN_MEASURED_US = 5_000;

const T0 = new Date('2026-01-01T00:00:00Z');

const many = <T>(count: number, item: (index: number) => T): T[] => Array.from({ length: count }, (_, at) => item(at));

/** The processor time that the last 50 rules take of an escalation state of `size` escalations with 1000 rules each, and what they leave. */
function lastFifty(size: number) {
  const rules = many(1_000, () => ruleFor({ type: 'user', id: 'ada' }, { delayMinutes: 1 }));
  const escalations = many(size, (at) => escalationOf(`e${at}`, rules));
  const responders = escalations.map(({ id }) => ({ type: 'escalation' as const, id }));
  let { state } = start(responders, { escalations }, T0);
  const keys = state.escalations.flatMap((active) => active.rules.map((_, index) => ruleKey(active, index)));
  state = { ...state, done: keys.slice(0, -50) };
  const ends: boolean[] = [];
  const began = process.cpuUsage();
  for (const key of keys.slice(-50)) {
    const effects = new Effects(state, T0);
    effects.rules.fire(key);
    state = applyEffects(state, effects);
    ends.push(withExhausted(state, [effects], T0).exhaustedDueAt !== undefined);
    nextDueAt(state);
  }
  const { system, user } = process.cpuUsage(began);
  return { took: system + user, ends, keys, state };
}

describe('an escalation state of 20 000 rules', () => {
  it('fires its last rules in time linear to its size', () => {
    const small = lastFifty(2);
    const { took, ends, keys, state } = lastFifty(20);
    // Comparing each rule with each other takes a hundred times as long for ten times as many.
    expect(took / Math.max(small.took, MIN_MEASURED_US)).toBeLessThan(50);
    expect(ends).toEqual([...many(49, () => false), true]);
    expect([new Set(state.done), nextDueAt(state)]).toEqual([new Set(keys), undefined]);
  });
});
