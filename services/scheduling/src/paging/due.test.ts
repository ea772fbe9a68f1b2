import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type Step, T0 } from '../testing/alert-owner-samples.ts';
import { Flow } from '../testing/flow-samples.ts';
import { escalationOf, ruleFor } from '../testing/on-call-samples.ts';
import { view } from '../testing/transition-samples.ts';
import { dueItems, dueKey, nextDueAt } from './due.ts';
import { applyEffects, fireDue } from './transitions.ts';

type Rules = Parameters<typeof escalationOf>[1];
type Repeat = NonNullable<ReturnType<typeof escalationOf>['repeat']>;

const flowOf = (rules: Rules, repeat: Repeat | undefined): Flow =>
  new Flow([{ type: 'escalation', id: 'e1' }], { escalations: [escalationOf('e1', rules, { repeat })] });

const act = fc.oneof(
  fc.record({ kind: fc.constant('wait' as const), minutes: fc.integer({ min: 1, max: 9 }) }),
  fc.record({
    kind: fc.constantFrom<Step['kind'] & ('acknowledge' | 'snooze' | 'close' | 'note')>(
      'acknowledge',
      'snooze',
      'close',
      'note',
    ),
  }),
);

describe('the due items of an escalation state', () => {
  it('are later than now, in their order, and not due any more once they are done, whatever happens to the alert', () => {
    fc.assert(
      fc.property(fc.array(act, { maxLength: 6 }), fc.boolean(), (acts, repeats) => {
        const rules = [
          ruleFor({ type: 'user', id: 'ada' }),
          ruleFor({ type: 'user', id: 'grace' }, { delayMinutes: 3 }),
          ruleFor({ type: 'user', id: 'ada' }, { delayMinutes: 7 }),
        ];
        const repeat = { waitMinutes: 2, count: 2, resetRecipientStates: false, closeAlertAfterAll: false };
        const flow = flowOf(rules, repeats ? repeat : undefined);
        let minute = 0;
        for (const each of acts) {
          if (each.kind === 'wait') flow.until((minute += each.minutes));
          else flow.take(each);
          const items = dueItems(flow.state);
          const instants = items.map(({ dueAt }) => dueAt.getTime());
          expect(instants).toEqual(instants.toSorted((a, b) => a - b));
          expect(instants.every((instant) => instant > T0.getTime() + minute * 60_000)).toBe(true);
          expect(nextDueAt(flow.state)?.getTime()).toBe(instants[0]);
          for (const item of items) {
            const after = applyEffects(flow.state, fireDue(flow.state, item, view({}), item.dueAt));
            expect(dueItems(after).map(dueKey)).not.toContain(dueKey(item));
          }
        }
      }),
    );
  });

  it('exclude an active escalation whose next repeat waits for a command', () => {
    const repeat = { waitMinutes: 1, count: 1, resetRecipientStates: true, closeAlertAfterAll: false };
    const flow = flowOf([ruleFor({ type: 'user', id: 'ada' })], repeat);
    expect(dueItems(flow.state)).toHaveLength(1);
    flow.until(1);
    expect(flow.state.orders).toBe(1);
    expect(nextDueAt(flow.state)).toBeUndefined();
  });
});
