import { describe, expect, it } from '@jest/globals';
import { engineFixture, start } from '../../testing/engine-fixture.ts';
import { escalationOf, ruleFor } from '../../testing/on-call-samples.ts';
import { RunEffects } from './effects.ts';
import { nextDueAt } from './due.ts';
import { withExhausted } from './exhausted.ts';
import { ruleKey } from './run.ts';
import { applyEffects } from './settle-run.ts';

/** Processor time is counted in steps, so a shorter measurement is not exact. */
const MIN_MEASURED_US = 5_000;

const many = <T>(count: number, item: (index: number) => T): T[] => Array.from({ length: count }, (_, at) => item(at));

/** The processor time that the last 50 rules take of a run of `size` escalations with 1000 rules each, and what they leave. */
async function lastFifty(size: number) {
  const { configuration, settle, store } = await engineFixture();
  const rules = many(1_000, () => ruleFor({ type: 'user', id: 'ada' }, { delayMinutes: 1 }));
  const escalations = many(size, (at) => escalationOf(`e${at}`, rules));
  await configuration.change(() => ({ escalations: { put: escalations }, answer: undefined }));
  await settle(1, { responders: escalations.map(({ id }) => ({ type: 'escalation', id })) });
  let run = (await store.find(['a1'])).get('a1');
  if (run === undefined) throw new Error('the alert has no run');
  const keys = run.branches.flatMap((branch) => branch.rules.map((_, index) => ruleKey(branch, index)));
  run = { ...run, fired: keys.slice(0, -50) };
  const ends: boolean[] = [];
  const began = process.cpuUsage();
  for (const key of keys.slice(-50)) {
    const effects = new RunEffects(run, start);
    effects.fired.add(key);
    run = applyEffects(run, effects);
    ends.push(withExhausted(run, [effects], start).exhaustedDueAt !== undefined);
    nextDueAt(run);
  }
  const { system, user } = process.cpuUsage(began);
  return { took: system + user, ends, keys, run };
}

describe('a run of 20 000 rules', () => {
  it('fires its last rules in proportion to its size', async () => {
    const small = await lastFifty(2);
    const { took, ends, keys, run } = await lastFifty(20);
    // Comparing each rule with each other takes a hundred times as long for ten times as many.
    expect(took / Math.max(small.took, MIN_MEASURED_US)).toBeLessThan(50);
    expect(ends).toEqual([...many(49, () => false), true]);
    expect([new Set(run.fired), nextDueAt(run)]).toEqual([new Set(keys), undefined]);
  });
});
