import { describe, expect, it } from '@jest/globals';
import type { Scenario } from '@tocsin/testkit';
import { useSystem } from './system/system.ts';

const system = useSystem();

interface Rule {
  readonly id: string;
  readonly isDefault: boolean;
}

/** A team whose default routing rule notifies ada; grace is on call in the schedule `Night`. */
async function opsOfAda(): Promise<{ scenario: Scenario; rules: string }> {
  const scenario = system.scenario();
  await scenario.users('ada', 'grace');
  await scenario.schedule('Day', { participants: ['ada'] });
  await scenario.schedule('Night', { participants: ['grace'] });
  const { id } = await scenario.team('Ops', 'ada');
  const rules = `/v2/teams/${id}/routing-rules`;
  const [byDefault] = await system.api.read<readonly Rule[]>(rules);
  const notify = { type: 'schedule', name: scenario.name('Day') };
  await system.api.expect(200, 'PATCH', `${rules}/${byDefault?.id ?? ''}`, { notify });
  return { scenario, rules };
}

/** Once other services know of the rules, for which they have a second (E13). */
async function alertOps(scenario: Scenario, message: string, over: object = {}): Promise<void> {
  await system.settle();
  await scenario.alert({
    message,
    alias: scenario.name(message),
    responders: [scenario.responder('team', 'Ops')],
    ...over,
  });
}

async function log(scenario: Scenario, message: string): Promise<string> {
  await system.settle();
  return scenario.logOf(scenario.name(message));
}

describe('a routing rule with a time restriction', () => {
  it("sends the night's alerts elsewhere, from its first minute to its last, in its own zone", async () => {
    const { scenario, rules } = await opsOfAda();
    await system.api.create(rules, {
      name: 'Night',
      timezone: 'Europe/Rome',
      timeRestriction: {
        type: 'time-of-day',
        restriction: { startHour: 22, startMin: 0, endHour: 6, endMin: 0 },
      },
      notify: { type: 'schedule', name: scenario.name('Night') },
    });
    await alertOps(scenario, 'At one in the night');
    await system.mailed(scenario.address('grace'), 'At one in the night');
    await system.until('2026-03-02T04:59:59Z');
    await alertOps(scenario, 'A second before six');
    await system.mailed(scenario.address('grace'), 'A second before six');
    await system.until('2026-03-02T05:00:00Z');
    await alertOps(scenario, 'At six');
    await system.mailed(scenario.address('ada'), 'At six');
    expect(await log(scenario, 'At six')).toContain(
      `Team [${scenario.name('Ops')}] skips routing rule [Night]: it does not hold at that time in Europe/Rome.`,
    );
    await system.until('2026-03-02T21:00:00Z');
    await alertOps(scenario, 'At ten in the evening');
    await system.mailed(scenario.address('grace'), 'At ten in the evening');
  });
});

describe('a routing rule that ends in none', () => {
  it('pages no user and says so, and leaves every other alert to the next rule', async () => {
    const { scenario, rules } = await opsOfAda();
    await system.api.create(rules, {
      name: 'Silence',
      criteria: {
        type: 'match-all-conditions',
        conditions: [{ field: 'tags', operation: 'contains', expectedValue: 'test' }],
      },
      notify: { type: 'none' },
    });
    await alertOps(scenario, 'Only a test', { tags: ['test'] });
    expect(await log(scenario, 'Only a test')).toContain(
      `Routing rule [Silence] of team [${scenario.name('Ops')}] notifies no recipient.`,
    );
    expect(system.mailbox.unexpected()).toEqual([]);
    await alertOps(scenario, 'Not a test');
    await system.mailed(scenario.address('ada'), 'Not a test');
    expect(await log(scenario, 'Not a test')).toContain(
      'skips routing rule [Silence]: the alert does not meet its criteria.',
    );
  });
});

describe('a renamed team', () => {
  it('keeps working by its new name at once, and not by its old one', async () => {
    const scenario = system.scenario();
    await scenario.users('ada');
    const { id } = await scenario.team('Ops', 'ada');
    await system.api.expect(200, 'PATCH', `/v2/teams/${id}`, { name: scenario.name('Platform') });
    await scenario.alert({ message: 'By the new name', responders: [scenario.responder('team', 'Platform')] });
    await system.mailed(scenario.address('ada'), 'By the new name');
    await alertOps(scenario, 'By the old name');
    expect(await log(scenario, 'By the old name')).toContain('Unknown responders, left out');
    expect(system.mailbox.unexpected()).toEqual([]);
  });
});
