import { describe, expect, it } from '@jest/globals';
import type { EscalationRepeat } from '@tocsin/events';
import { finished } from '@tocsin/core';
import { escalationOf, ruleFor, teamOf } from '../testing/on-call-samples.ts';
import type { EscalationState } from './escalation-state.ts';
import { dueRule, outcomes, paged, start, view } from '../testing/transition-samples.ts';
import { dueItems, type DueItem } from './due.ts';
import { completeOrders, applyEffects, fireDue } from './transitions.ts';
import type { Effects } from './effects.ts';

const at = (clock: string) => new Date(`2026-01-01T${clock}:00Z`);
const every: EscalationRepeat = { waitMinutes: 10, count: 2, resetRecipientStates: false, closeAlertAfterAll: false };
const rules = [
  ruleFor({ type: 'user', id: 'ada' }),
  ruleFor({ type: 'user', id: 'grace' }, { delayMinutes: 5 }),
  ruleFor({ type: 'user', id: 'edsger' }, { delayMinutes: 5, condition: 'if-not-closed' }),
];

/** A flow through an escalation that repeats, and what it does when that is due. */
function flowOf(repeat: Partial<EscalationRepeat> = {}, things: Parameters<typeof view>[0] = {}) {
  const escalations = [escalationOf('e1', rules, { repeat: { ...every, ...repeat } }), ...(things.escalations ?? [])];
  const started = start([{ type: 'escalation', id: 'e1' }], { ...things, escalations });
  let state: EscalationState = started.state;
  const take = (effects: Effects) => {
    state = applyEffects(state, effects);
    return effects;
  };
  return {
    started: started.effects,
    state: () => state,
    items: () => dueItems(state),
    acknowledge: (acknowledged = true) => (state = { ...state, alert: { ...state.alert, acknowledged } }),
    /** Fires everything that falls due until `clock`, in order; the last answer. */
    until: (clock: string) => {
      const fired: Effects[] = [];
      for (;;) {
        const [item] = dueItems(state);
        if (item === undefined || item.dueAt > at(clock)) return fired;
        fired.push(take(fireDue(state, item, started.view, item.dueAt)));
      }
    },
    fire: (item: DueItem, clock: string) => take(fireDue(state, item, started.view, at(clock))),
    done: (ids: readonly string[], clock: string) =>
      take(finished(completeOrders(state, new Set(ids), started.view, at(clock)))),
  };
}

const allPaged = (fired: readonly Effects[]) => fired.flatMap(paged);
const texts = (fired: readonly Effects[]) => fired.flatMap(({ findings }) => findings.map(({ text }) => text));

const endOfRepeat: DueItem = { kind: 'repeat', routeId: 'escalation:e1', repeatNumber: 0, dueAt: at('00:00') };

describe('an escalation that repeats', () => {
  it('starts again the wait after its last rule was due, as often as it is meant to, and then ends', () => {
    const { until, items, state } = flowOf();
    expect(allPaged(until('00:14'))).toEqual(['grace', 'edsger']);
    const second = until('00:15');
    expect(allPaged(second)).toEqual(['ada']);
    expect(texts(second)).toContain('Escalation [e1] starts again: repeat 1 of 2.');
    expect(allPaged(until('00:29'))).toEqual(['grace', 'edsger']);
    expect(allPaged(until('23:00'))).toEqual(['ada', 'grace', 'edsger']);
    expect([items(), state().escalations[0]?.repeatNumber]).toEqual([[], 2]);
  });

  it('pages anew in each repeat, and says in the page that the user is reached again', () => {
    const { started, until } = flowOf();
    const pages = [started, ...until('00:15')].flatMap((effects) => effects.pages);
    expect(pages.filter(({ userId }) => userId === 'ada').map(({ pageId }) => pageId)).toEqual([
      'a1:1:escalation:e1:0:0:ada:create-alert',
      'a1:1:escalation:e1:0:1:ada:renotified-alert',
    ]);
    expect(pages.at(-1)?.pagedAt).toBe(at('00:15').toISOString());
  });

  it('counts delays from the instant at which the repeat started, so that an outage is not followed by several repeats at once', () => {
    const { items, fire } = flowOf();
    const late = items().find(({ kind }) => kind === 'repeat');
    if (late === undefined) throw new Error('nothing repeats');
    const effects = fire(late, '09:00');
    // Rules that are late as well fire before the next repeat starts.
    expect(paged(effects)).toEqual(['grace', 'edsger', 'ada']);
    expect(items()).toMatchObject([
      { kind: 'rule', ruleIndex: 1, repeatNumber: 1, dueAt: at('09:05') },
      { kind: 'rule', ruleIndex: 2, repeatNumber: 1, dueAt: at('09:05') },
      { kind: 'repeat', repeatNumber: 1, dueAt: at('09:15') },
    ]);
  });

  it('does not fire rules of another repeat, and fires none twice', () => {
    const { items, fire, until } = flowOf();
    const first = items();
    until('00:20');
    for (const item of first) expect(fire(item, '00:20').findings).toEqual([]);
  });

  it('does not start again while the alert is acknowledged (A4)', () => {
    const { until, acknowledge, state } = flowOf();
    acknowledge();
    const fired = until('23:00');
    expect(allPaged(fired)).toEqual(['edsger']);
    expect(texts(fired)).toContain('Escalation [e1] does not start again, repeat 2 of 2: the alert is acknowledged.');
    expect(state().done).toHaveLength(3);
  });

  it('pages by an escalate, in a repeat that an acknowledgement ended, the users whom it had not paged before', () => {
    const { until, acknowledge, state } = flowOf();
    acknowledge();
    until('23:00');
    // In the first repeat ada was paged at once, and edsger by a rule that goes on until the close.
    expect(state().skipped).toEqual(['escalation:e1#1~2']);
  });

  it('ends the targets of its rules with its repeat, and opens them again', () => {
    const inner = escalationOf('e2', [ruleFor({ type: 'user', id: 'ada' }, { delayMinutes: 60 })]);
    const ops = teamOf('ops', {}, { type: 'escalation', id: 'e2' });
    const toOps = [ruleFor({ type: 'team', id: 'ops' })];
    const outer = { ...escalationOf('e1', toOps, { repeat: every }) };
    const { state, view: known } = start([{ type: 'escalation', id: 'e1' }], {
      teams: [ops],
      escalations: [outer, inner],
    });
    const nested = state.escalations[1]?.id ?? '';
    const after = applyEffects(state, fireDue(state, endOfRepeat, known, at('00:10')));
    expect(after.escalations.map(({ id, repeatNumber }) => [id, repeatNumber])).toEqual([
      ['escalation:e1', 1],
      [expect.not.stringMatching(`^${nested}$`), 0],
    ]);
    expect(fireDue(after, dueRule(nested, 0), known, at('01:00')).pages).toEqual([]);
  });

  it('ends the targets of a late rule with its repeat', () => {
    const inner = escalationOf('e2', [ruleFor({ type: 'user', id: 'ada' }, { delayMinutes: 600 })]);
    const outer = escalationOf('e1', [ruleFor({ type: 'team', id: 'ops' }, { delayMinutes: 5 })], { repeat: every });
    const { state, view } = start([{ type: 'escalation', id: 'e1' }], {
      teams: [teamOf('ops', {}, { type: 'escalation', id: 'e2' })],
      escalations: [outer, inner],
    });
    const after = applyEffects(state, fireDue(state, endOfRepeat, view, at('09:00')));
    expect(after.escalations.map(({ id, repeatNumber }) => [id, repeatNumber])).toEqual([['escalation:e1', 1]]);
  });

  it('keeps the rules with which its flow started, and reports that they have changed (S9)', () => {
    const { state } = flowOf();
    const said = (things: Parameters<typeof view>[0]) =>
      fireDue(state(), dueRule('escalation:e1', 1), view(things), at('00:05')).findings[0]?.text;
    const kept = ', as it was when this flow started: the escalation was';
    expect(said({})).toContain(`${kept} deleted since.`);
    const today = escalationOf('e1', [], { version: { epoch: 1, n: 9 } });
    expect(said({ escalations: [today] })).toContain(`${kept} changed since.`);
    expect(said({ escalations: [escalationOf('e1', rules)] })).not.toContain(kept);
  });
});

describe('a repeat that resets recipients', () => {
  it('waits until the acknowledgement is undone, then starts again with all users', () => {
    const { until, acknowledge, done, state } = flowOf({ resetRecipientStates: true });
    acknowledge();
    const [, , asked] = until('00:15');
    expect(asked?.orders).toEqual([{ id: 'escalation:a1:1', action: { kind: 'reset-recipient-states' } }]);
    expect(asked && [paged(asked), outcomes(asked)]).toEqual([[], ['reset']]);
    expect(until('12:00')).toEqual([]);
    acknowledge(false);
    expect(done(['another order'], '12:00').findings).toEqual([]);
    expect(paged(done(['escalation:a1:1'], '12:00'))).toEqual(['ada']);
    expect(done(['escalation:a1:1'], '12:00').findings).toEqual([]);
    expect(allPaged(until('12:05'))).toEqual(['grace', 'edsger']);
    expect(state().orders).toBe(1);
  });

  it('asks once, however often its end comes', () => {
    const { items, fire } = flowOf({ resetRecipientStates: true });
    const repeat = items().find(({ kind }) => kind === 'repeat');
    if (repeat === undefined) throw new Error('nothing repeats');
    expect(fire(repeat, '00:15').orders).toHaveLength(1);
    expect(fire(repeat, '00:15').orders).toEqual([]);
  });
});

describe('an escalation that closes its alert after all', () => {
  it.each([true, false])('does so the wait after the last repeat, acknowledged: %s', (acknowledged) => {
    const { until, acknowledge } = flowOf({ closeAlertAfterAll: true });
    acknowledge(acknowledged);
    expect(until('00:44').flatMap(({ orders }) => orders)).toEqual([]);
    const fired = until('00:45');
    expect(fired.flatMap(({ orders }) => orders)).toEqual([{ id: 'escalation:a1:1', action: { kind: 'close' } }]);
    expect(texts(fired)).toEqual(['Escalation [e1] closes the alert after its last repeat.']);
    expect(until('23:00')).toEqual([]);
  });

  it('does so after its rules where it does not repeat', () => {
    const fired = flowOf({ closeAlertAfterAll: true, count: 0 }).until('00:15');
    expect(texts(fired)).toContain('Escalation [e1] closes the alert after its rules.');
  });
});
