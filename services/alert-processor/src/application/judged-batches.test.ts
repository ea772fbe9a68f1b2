import { describe, expect, it, jest } from '@jest/globals';
import { create } from '../testing/commands-samples.ts';
import { JUDGING, modifies, rulesOf } from '../testing/judging-samples.ts';
import { judgementContext, judgementsOf } from './judged-batches.ts';

describe('the creates of a batch', () => {
  const everyone = [{ type: 'all' as const }];

  it('yield to the event loop after each that policies judge, so that the consumer sends heartbeats', async () => {
    const order: string[] = [];
    const turned = () => {
      order.push('turn');
      if (order.length < 20) setImmediate(turned);
    };
    const resolve: typeof JUDGING.resolve = (reference) => {
      if (reference.name !== undefined) order.push(reference.name);
      return JUDGING.resolve(reference);
    };
    const commands = ['first', 'second', 'third'].map((name) =>
      create(name, { alert: { responders: [{ type: 'user', name }] } }),
    );
    setImmediate(turned);
    const judged = await judgementsOf(commands, rulesOf([modifies('All', { recipients: everyone })]), {
      ...JUDGING,
      resolve,
    });
    expect([...judged.keys()]).toEqual(commands.map(({ requestId }) => requestId));
    const runs = order.filter((each, at) => each !== order[at - 1]);
    expect(runs.slice(0, 5)).toEqual(['first', 'turn', 'second', 'turn', 'third']);
  });

  it('read the list of all users once, however many policies add them all', async () => {
    const asked = jest.fn(() => ['ada', 'bob']);
    const context = judgementContext(JUDGING.resolve, { nameOf: JUDGING.nameOf, everyone: asked });
    const rules = rulesOf(['A', 'B'].map((name) => modifies(name, { recipients: everyone, continue: true })));
    await judgementsOf([create('disk'), create('fan')], rules, context);
    expect(asked).toHaveBeenCalledTimes(1);
  });
});
