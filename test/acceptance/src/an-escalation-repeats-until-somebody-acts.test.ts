import { describe, expect, it } from '@jest/globals';
import { useSystem } from './system/system.ts';
import type { World } from './system/world.ts';

const system = useSystem();

/** Ada at once, Grace after 5 minutes, and again 10 minutes later. */
async function worldRepeating(repeat: object): Promise<World> {
  const world = system.world();
  await world.users('ada', 'grace');
  await world.repeatingEscalation(
    'Again',
    { waitInterval: 10, count: 1, ...repeat },
    { delay: 0, to: { type: 'user', name: 'ada' } },
    { delay: 5, to: { type: 'user', name: 'grace' } },
  );
  return world;
}

/** Once other services know of the escalation, for which they have a second (E13). */
async function start(world: World, alias: string): Promise<void> {
  await system.settle();
  await world.alert({ message: alias, alias, responders: [world.responder('escalation', 'Again')] });
}

async function said(alias: string): Promise<string> {
  const logs = await system.api.read<{ log: string }[]>(`/v2/alerts/${alias}/logs?identifierType=alias&limit=100`);
  return logs.map(({ log }) => log).join('\n');
}

const alertOf = (alias: string) => system.api.read(`/v2/alerts/${alias}?identifierType=alias`);

describe('an escalation that repeats', () => {
  it('mails everybody again the wait after its last rule, as often as it is meant to, and says so', async () => {
    const world = await worldRepeating({});
    await start(world, 'unheard');
    for (const round of [0, 1]) {
      await system.mailed(world.address('ada'), 'unheard');
      await system.pass(5);
      await system.mailed(world.address('grace'), 'unheard');
      if (round === 0) await system.pass(10);
    }
    await system.pass(24 * 60);
    expect(await said('unheard')).toContain('starts again: repetition 1 of 1');
  });

  it('mails nobody again once somebody has acknowledged', async () => {
    const world = await worldRepeating({});
    await start(world, 'heard');
    await system.mailed(world.address('ada'), 'heard');
    await world.act('heard', 'acknowledge', { user: world.address('ada') });
    await system.pass(24 * 60);
    expect(await said('heard')).toContain('the alert is acknowledged');
  });

  it('that resets recipients undoes the acknowledgement and mails everybody again', async () => {
    const world = await worldRepeating({ resetRecipientStates: true });
    await start(world, 'forgotten');
    await system.mailed(world.address('ada'), 'forgotten');
    await world.act('forgotten', 'acknowledge', { user: world.address('ada') });
    await system.pass(15 - 1 / 60_000);
    expect(await alertOf('forgotten')).toMatchObject({ acknowledged: true });
    await system.pass(1 / 60_000);
    await system.mailed(world.address('ada'), 'forgotten');
    expect(await alertOf('forgotten')).toMatchObject({ acknowledged: false, isSeen: false, status: 'open' });
    await system.pass(5);
    await system.mailed(world.address('grace'), 'forgotten');
    expect(await said('forgotten')).toContain('the acknowledgement is undone');
  });

  it('that closes its alert after all does so the wait after the last repetition, acknowledged or not', async () => {
    const world = await worldRepeating({ closeAlertAfterAll: true });
    await start(world, 'given-up');
    await system.mailed(world.address('ada'), 'given-up');
    const { id } = (await alertOf('given-up')) as { id: string };
    await world.act('given-up', 'acknowledge', { user: world.address('ada') });
    await system.pass(30 - 1 / 60_000);
    expect(await alertOf('given-up')).toMatchObject({ status: 'open' });
    await system.pass(1 / 60_000);
    expect(await system.api.read(`/v2/alerts/${id}`)).toMatchObject({
      status: 'closed',
      report: { closedBy: 'System', closeTime: 30 * 60_000 },
    });
  });

  it('keeps the rules with which it started', async () => {
    const world = await worldRepeating({});
    await start(world, 'changed');
    await system.mailed(world.address('ada'), 'changed');
    const path = `/v2/escalations/${encodeURIComponent(world.name('Again'))}?identifierType=name`;
    const rules = [{ delay: { timeAmount: 1 }, recipient: world.user('ada') }];
    await system.api.expect(200, 'PATCH', path, { rules, repeat: {} });
    await system.pass(5);
    await system.mailed(world.address('grace'), 'changed');
    await system.pass(10);
    await system.mailed(world.address('ada'), 'changed');
    expect(await said('changed')).toContain('the escalation was changed since');
    await world.act('changed', 'close');
  });
});
