import { describe, expect, it, jest } from '@jest/globals';
import { LongWork } from '@tocsin/core';
import { create } from '../testing/commands-samples.ts';
import { POLICY_CONTEXT, modifies, rulesOf } from '../testing/policy-rules-samples.ts';
import { createPolicyContext, applyPoliciesToAll } from './apply-operations.ts';

describe('the creates of a batch', () => {
  const everyone = [{ type: 'all' as const }];

  it('let the event loop run in between, so that the consumer sends heartbeats', async () => {
    const order: string[] = [];
    const turned = () => {
      order.push('turn');
      if (order.length < 20) setImmediate(turned);
    };
    const resolve: typeof POLICY_CONTEXT.resolve = (reference) => {
      if (reference.name !== undefined) order.push(reference.name);
      return POLICY_CONTEXT.resolve(reference);
    };
    const commands = ['first', 'second', 'third'].map((name) =>
      create(name, { alert: { responders: [{ type: 'user', name }] } }),
    );
    setImmediate(turned);
    let ms = 0;
    const policyResults = await applyPoliciesToAll(
      commands,
      rulesOf([modifies('All', { recipients: everyone })]),
      { ...POLICY_CONTEXT, resolve },
      new LongWork(() => (ms += 6)),
    );
    expect([...policyResults.keys()]).toEqual(commands.map(({ requestId }) => requestId));
    const runs = order.filter((each, at) => each !== order[at - 1]);
    expect(runs.slice(0, 5)).toEqual(['first', 'turn', 'second', 'turn', 'third']);
  });

  it('read the list of all users once, however many policies add them all', async () => {
    const asked = jest.fn(() => ['ada', 'bob']);
    const context = createPolicyContext(POLICY_CONTEXT.resolve, { nameOf: POLICY_CONTEXT.nameOf, everyone: asked });
    const rules = rulesOf(['A', 'B'].map((name) => modifies(name, { recipients: everyone, continue: true })));
    await applyPoliciesToAll([create('disk'), create('fan')], rules, context);
    expect(asked).toHaveBeenCalledTimes(1);
  });
});
