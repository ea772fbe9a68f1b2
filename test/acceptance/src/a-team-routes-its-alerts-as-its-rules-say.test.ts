import { describe, expect, it } from '@jest/globals';
import { useSystem } from './system/system.ts';
import type { World } from './system/world.ts';

const system = useSystem();

interface Rule {
  readonly id: string;
  readonly isDefault: boolean;
}

/** A team whose default routing rule notifies ada; grace is on call in the schedule `Night`. */
async function opsOfAda(): Promise<{ world: World; rules: string }> {
  const world = system.world();
  await world.users('ada', 'grace');
  await world.schedule('Day', { participants: ['ada'] });
  await world.schedule('Night', { participants: ['grace'] });
  const { id } = await world.team('Ops', 'ada');
  const rules = `/v2/teams/${id}/routing-rules`;
  const [byDefault] = await system.api.read<readonly Rule[]>(rules);
  const notify = { type: 'schedule', name: world.name('Day') };
  await system.api.expect(200, 'PATCH', `${rules}/${byDefault?.id ?? ''}`, { notify });
  return { world, rules };
}

/** Once other services know of the rules, for which they have a second (E13). */
async function alertOps(world: World, message: string, over: object = {}): Promise<void> {
  await system.settle();
  await world.alert({ message, alias: world.name(message), responders: [world.responder('team', 'Ops')], ...over });
}

async function log(world: World, message: string): Promise<string> {
  await system.settle();
  const path = `/v2/alerts/${encodeURIComponent(world.name(message))}/logs?identifierType=alias&limit=100`;
  const logs = await system.api.read<readonly { log: string }[]>(path);
  return logs.map((entry) => entry.log).join('\n');
}

describe('a routing rule with a time restriction', () => {
  it("sends the night's alerts elsewhere, from its first minute to its last, in its own zone", async () => {
    const { world, rules } = await opsOfAda();
    await system.api.create(rules, {
      name: 'Night',
      timezone: 'Europe/Rome',
      timeRestriction: {
        type: 'time-of-day',
        restriction: { startHour: 22, startMin: 0, endHour: 6, endMin: 0 },
      },
      notify: { type: 'schedule', name: world.name('Night') },
    });
    await alertOps(world, 'At one in the night');
    await system.mailed(world.address('grace'), 'At one in the night');
    await system.until('2026-03-02T04:59:59Z');
    await alertOps(world, 'A second before six');
    await system.mailed(world.address('grace'), 'A second before six');
    await system.until('2026-03-02T05:00:00Z');
    await alertOps(world, 'At six');
    await system.mailed(world.address('ada'), 'At six');
    expect(await log(world, 'At six')).toContain(
      `Team [${world.name('Ops')}] passes over routing rule [Night]: it does not hold at that time in Europe/Rome.`,
    );
    await system.until('2026-03-02T21:00:00Z');
    await alertOps(world, 'At ten in the evening');
    await system.mailed(world.address('grace'), 'At ten in the evening');
  });
});

describe('a routing rule that ends in none', () => {
  it('pages nobody and says so, and leaves every other alert to the next rule', async () => {
    const { world, rules } = await opsOfAda();
    await system.api.create(rules, {
      name: 'Silence',
      criteria: {
        type: 'match-all-conditions',
        conditions: [{ field: 'tags', operation: 'contains', expectedValue: 'test' }],
      },
      notify: { type: 'none' },
    });
    await alertOps(world, 'Only a test', { tags: ['test'] });
    expect(await log(world, 'Only a test')).toContain(
      `Routing rule [Silence] of team [${world.name('Ops')}] notifies nobody.`,
    );
    expect(system.mailbox.unexpected()).toEqual([]);
    await alertOps(world, 'Not a test');
    await system.mailed(world.address('ada'), 'Not a test');
    expect(await log(world, 'Not a test')).toContain(
      'passes over routing rule [Silence]: the alert does not meet its criteria.',
    );
  });
});

describe('a renamed team', () => {
  it('keeps working by its new name at once, and not by its old one', async () => {
    const world = system.world();
    await world.users('ada');
    const { id } = await world.team('Ops', 'ada');
    await system.api.expect(200, 'PATCH', `/v2/teams/${id}`, { name: world.name('Platform') });
    await world.alert({ message: 'By the new name', responders: [world.responder('team', 'Platform')] });
    await system.mailed(world.address('ada'), 'By the new name');
    await alertOps(world, 'By the old name');
    expect(await log(world, 'By the old name')).toContain('Unknown responders, left out');
    expect(system.mailbox.unexpected()).toEqual([]);
  });
});
