import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { engineFixture, type EngineFixture } from '../../testing/engine-fixture.ts';
import { ruleFor } from '../../testing/on-call-samples.ts';
import { view } from '../../testing/settle-run-samples.ts';
import { dueItems, dueKey, nextDueAt } from './due.ts';
import { fireDue, applyEffects } from './settle-run.ts';

async function runOf({ store }: EngineFixture) {
  const run = (await store.find(['a1'])).get('a1');
  if (run === undefined) throw new Error('the alert has no run');
  return run;
}

const act = fc.oneof(
  fc.record({ kind: fc.constant('wait' as const), minutes: fc.integer({ min: 1, max: 9 }) }),
  fc.record({
    kind: fc.constantFrom('acknowledge' as const, 'snooze' as const, 'close' as const, 'nothing' as const),
    minutes: fc.constant(0),
  }),
);
const CHANGES = {
  acknowledge: { acknowledged: true },
  snooze: { snoozed: true },
  close: { status: 'closed' as const },
  nothing: {},
};

describe('what a run has due', () => {
  it('is later than now, in its order, and not due any more once it is done, whatever happens to its alert', async () => {
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
          else await fixture.settle((version += 1), CHANGES[kind]);
          const run = await runOf(fixture);
          const items = dueItems(run);
          const instants = items.map(({ dueAt }) => dueAt.getTime());
          expect(instants).toEqual(instants.toSorted((a, b) => a - b));
          expect(instants.every((instant) => instant > fixture.clock.now().getTime())).toBe(true);
          expect(nextDueAt(run)?.getTime()).toBe(instants[0]);
          for (const item of items) {
            const after = applyEffects(run, fireDue(run, item, view({}), item.dueAt));
            expect(dueItems(after).map(dueKey)).not.toContain(dueKey(item));
          }
        }
      }),
      { numRuns: 60 },
    );
  });

  it('is nothing of a branch whose next round waits for an order', async () => {
    const fixture = await engineFixture({
      rules: [ruleFor({ type: 'user', id: 'ada' })],
      repeat: { waitMinutes: 1, count: 1, resetRecipientStates: true, closeAlertAfterAll: false },
    });
    await fixture.settle(1);
    expect(dueItems(await runOf(fixture))).toHaveLength(1);
    await fixture.advance(1);
    expect(fixture.store.commands).toHaveLength(1);
    expect(nextDueAt(await runOf(fixture))).toBeUndefined();
  });
});
