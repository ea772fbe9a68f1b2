import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { engineFixture, type EngineFixture } from '../../testing/engine-fixture.ts';
import { ruleFor } from '../../testing/on-call-samples.ts';
import { timerId } from './rule-timer.ts';
import { isDue } from './settle-run.ts';
import { nextDueAt, expectedTimers } from './expected-timers.ts';

async function runOf({ store }: EngineFixture) {
  const run = (await store.find(['a1'])).get('a1');
  if (run === undefined) throw new Error('the alert has no run');
  return run;
}

/** The timers that a run has and that still count, but for the question at the end. */
async function held(fixture: EngineFixture): Promise<readonly string[]> {
  const run = await runOf(fixture);
  return [...fixture.store.timers]
    .filter(([, timer]) => timer.ruleIndex !== 'exhausted' && isDue(run, timer))
    .map(([id]) => id)
    .toSorted();
}

const act = fc.oneof(
  fc.record({ kind: fc.constant('wait' as const), minutes: fc.integer({ min: 1, max: 9 }) }),
  fc.record({
    kind: fc.constantFrom('acknowledge' as const, 'snooze' as const, 'close' as const, 'nothing' as const),
    minutes: fc.constant(0),
  }),
);

describe('the timers that a run has to have', () => {
  it('are those that it has, whatever happens to its alert', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(act, { maxLength: 6 }), fc.boolean(), async (acts, repeats) => {
        const fixture = await engineFixture({
          rules: [
            ruleFor({ type: 'user', id: 'ada' }),
            ruleFor({ type: 'user', id: 'grace' }, { delayMinutes: 3 }),
            ruleFor({ type: 'user', id: 'ada' }, { delayMinutes: 7 }),
          ],
          ...(repeats && {
            repeat: { waitMinutes: 2, count: 2, resetRecipientStates: false, closeAlertAfterAll: false },
          }),
        });
        let version = 1;
        await fixture.settle(version);
        for (const { kind, minutes } of acts) {
          if (kind === 'wait') await fixture.advance(minutes);
          else {
            const change = {
              acknowledge: { acknowledged: true },
              snooze: { snoozed: true },
              close: { status: 'closed' as const },
              nothing: {},
            }[kind];
            await fixture.settle((version += 1), change);
          }
          const run = await runOf(fixture);
          const waiting = expectedTimers(run);
          expect(waiting.map(timerId).toSorted()).toEqual(await held(fixture));
          const first = waiting.map(({ dueAt }) => dueAt.getTime()).toSorted((a, b) => a - b)[0];
          expect(nextDueAt(run)?.getTime()).toBe(first);
        }
      }),
      { numRuns: 60 },
    );
  });

  it('are none of a branch whose next round waits for an order', async () => {
    const fixture = await engineFixture({
      rules: [ruleFor({ type: 'user', id: 'ada' })],
      repeat: { waitMinutes: 1, count: 1, resetRecipientStates: true, closeAlertAfterAll: false },
    });
    await fixture.settle(1);
    expect(expectedTimers(await runOf(fixture))).toHaveLength(1);
    await fixture.advance(1);
    expect(fixture.store.commands).toHaveLength(1);
    expect(nextDueAt(await runOf(fixture))).toBeUndefined();
  });
});
