import { describe, expect, it } from '@jest/globals';
import { ACTION_GROUPS, type IntegrationActionBody } from '@tocsin/api';
import type { ConditionSet } from '@tocsin/events';
import { compileConditions, PatternBudget } from '@tocsin/rules';
import fc from 'fast-check';
import { ALERT, groups, NAMES, rulesOf, SENT, where } from '../testing/evaluation.ts';
import { evaluate } from './evaluate.ts';
import { DEFAULT_ACTIONS } from '../integrations/action.ts';

describe('the actions of an integration (P1)', () => {
  it('of a new one take what was SENT as it is', () => {
    expect(evaluate(rulesOf(DEFAULT_ACTIONS), SENT, NAMES)).toEqual({
      kind: 'create',
      matchedAction: 'Create Alert',
      alert: ALERT,
      alias: 'cpu',
      user: '',
      source: '192.0.2.7',
      note: 'first',
      keepsAttachments: true,
    });
    expect(
      evaluate(rulesOf(DEFAULT_ACTIONS), { ...SENT, alias: '', alert: { ...ALERT, alias: 'id-1' } }, NAMES),
    ).toEqual(expect.objectContaining({ alias: '', alert: { ...ALERT, alias: 'id-1' } }));
  });

  it('drop what an ignore action holds for, and what no action holds for, naming the rule (A8)', () => {
    const ignoring = groups(
      { type: 'ignore', name: 'Tests', filter: where('message', 'CPU') },
      { type: 'create', name: 'C' },
    );
    expect(evaluate(rulesOf(ignoring), SENT, NAMES)).toEqual({
      kind: 'dropped',
      rule: 'Ignored by action [Tests] of integration [Probe].',
      matchedAction: 'Tests',
    });
    const closing = groups({ type: 'close', name: 'C', filter: where('message', 'recovered') });
    expect(evaluate(rulesOf(closing), SENT, NAMES)).toEqual({
      kind: 'dropped',
      rule: 'No action of integration [Probe] matches.',
    });
  });

  it.each([
    ['close', 'close', 'first'],
    ['acknowledge', 'acknowledge', 'first'],
    ['addNote', 'add-note', 'first'],
  ] as const)('of group %s order %s of the alert of their alias', (type, kind, note) => {
    const actions = groups({ type, name: 'A', alias: 'x-{{alias}}', user: 'robot' });
    expect(evaluate(rulesOf(actions), SENT, NAMES)).toEqual({
      kind,
      matchedAction: 'A',
      alias: 'x-cpu',
      user: 'robot',
      note,
    });
    const broken = groups({ type, name: 'A', alias: '{{alias.shout()}}' });
    expect(evaluate(rulesOf(broken), SENT, NAMES)).toEqual({
      kind: 'dropped',
      hasNoAlias: true,
      rule:
        'Action [A] of integration [Probe] found no alias. ' +
        'alias: [{{alias.shout()}}] of its template is not understood.',
    });
    const nameless = groups({ type, name: 'A' });
    expect(evaluate(rulesOf(nameless), { ...SENT, alias: '' }, NAMES)).toMatchObject({ kind: 'dropped' });
  });

  it('write each responder once, by its name or else by its id (P4)', () => {
    const note = '{{teams}}|{{recipients}}|{{responders}}';
    const actions = groups({ type: 'close', name: 'A', note });
    const responders = [
      { type: 'team', id: 'team-1' },
      { type: 'team', id: 'team-9' },
      { type: 'user', name: 'ada' },
      { type: 'schedule', id: 'nights', name: 'Nights' },
    ] as const;
    expect(
      evaluate(rulesOf(actions), { ...SENT, alert: { ...ALERT, responders: [...responders] } }, NAMES),
    ).toMatchObject({
      note: 'Ops, team-9|ada, Nights|ada, Nights, Ops, team-9',
    });
  });

  it('that add a note say the message where there is no note', () => {
    const actions = groups({ type: 'addNote', name: 'A' });
    expect(evaluate(rulesOf(actions), { ...SENT, note: '' }, NAMES)).toMatchObject({ note: 'CPU high' });
  });

  it('are passed over where their patterns are too expensive, which the alert, or what dropped it, says (P3)', () => {
    const expectedValue = '.*a[ab]{0,990}[cd]';
    const conditions = [{ field: 'description', not: true, operation: 'matches' as const, expectedValue }];
    const filter = { set: { type: 'match-all-conditions' as const, conditions }, written: {} };
    const sent = { ...SENT, alert: { ...ALERT, description: 'ab'.repeat(7_500) } };
    const hostile = groups({ type: 'ignore', name: 'Old', filter }, { type: 'create', name: 'C' });
    const remarks = ['Filters not evaluated, too expensive: [Old].'];
    expect(evaluate(rulesOf(hostile), sent, NAMES)).toMatchObject({ kind: 'create', alert: { remarks } });
    expect(evaluate(rulesOf(groups({ type: 'close', name: 'Old', filter })), sent, NAMES)).toEqual({
      kind: 'dropped',
      rule: 'No action of integration [Probe] matches. Filters not evaluated, too expensive: [Old].',
    });
  });

  it('say why those before the one that matches do not (Q5)', () => {
    const actions = groups(
      { type: 'ignore', name: 'Tests', filter: where('message', 'test') },
      { type: 'create', name: 'Here', filter: where('message', 'CPU') },
      { type: 'create', name: 'Later', filter: where('message', 'none') },
    );
    const unmatched: string[] = [];
    const onUnmatched = ({ name }: { readonly name: string }, reason: string) => unmatched.push(`${name}: ${reason}`);
    evaluate(rulesOf(actions), SENT, NAMES, { onUnmatched });
    expect(unmatched).toEqual(['Tests: message contains [test], but it is [CPU high]']);
  });

  it('are tried group after group and by order, the default last, the first that holds alone deciding', () => {
    const body = fc.record({
      type: fc.constantFrom(...ACTION_GROUPS),
      order: fc.nat(5),
      word: fc.constantFrom('CPU', 'high', 'low', 'disk'),
    });
    fc.assert(
      fc.property(fc.array(body, { maxLength: 12 }), (list) => {
        const bodies = list.map(({ type, order, word }, index): IntegrationActionBody => {
          return { type, order, name: `${type} ${index}`, alias: `to-${index}`, filter: where('message', word) };
        });
        const expected = ACTION_GROUPS.flatMap((type) =>
          bodies.filter((each) => each.type === type).sort((a, b) => (a.order ?? 0) - (b.order ?? 0)),
        ).find(
          ({ filter }) =>
            compileConditions((filter?.set ?? {}) as ConditionSet)({ message: 'CPU high' }, new PatternBudget()) ===
            'holds',
        );
        const decided = (): object => {
          if (bodies.length === 0) return { kind: 'create', alias: 'cpu' };
          if (expected === undefined) return { kind: 'dropped', rule: 'No action of integration [Probe] matches.' };
          if (expected.type !== 'ignore') return { alias: expected.alias };
          return { kind: 'dropped', rule: `Ignored by action [${expected.name}] of integration [Probe].` };
        };
        expect(evaluate(rulesOf(groups(...bodies)), SENT, NAMES)).toMatchObject(decided());
      }),
    );
  });
});
