import { describe, expect, it } from '@jest/globals';
import { useSystem } from './system/system.ts';
import type { World } from './system/world.ts';

const system = useSystem();
const HOUR_MS = 3_600_000;

/** The duties of Ada are Grace's for the next hour. */
async function adaIsAway(): Promise<World> {
  const world = system.world();
  await world.users('ada', 'grace', 'edsger');
  await forward(world, 'ada', 'grace');
  return world;
}

async function forward(world: World, from: string, to: string): Promise<void> {
  await system.api.create('/v2/forwarding-rules', {
    ...{ fromUser: world.user(from), toUser: world.user(to) },
    startDate: system.clock.now().toISOString(),
    endDate: new Date(system.clock.now().getTime() + HOUR_MS).toISOString(),
  });
}

/** Once other services know of what was made, for which they have a second (E13). */
async function alert(world: World, message: string, responder: object): Promise<void> {
  await system.settle();
  await world.alert({ message, alias: world.name(message), responders: [responder] });
}

describe('a forwarded user', () => {
  it('who is named as responder is not mailed, and their deputy is; the log says who was forwarded', async () => {
    const world = await adaIsAway();
    await alert(world, 'Named', world.user('ada'));
    await system.mailed(world.address('grace'), 'Named');
    const path = `/v2/alerts/${encodeURIComponent(world.name('Named'))}/logs?identifierType=alias&limit=100`;
    const logs = await system.api.read<{ log: string }[]>(path);
    const said = logs.map(({ log }) => log).join('\n');
    expect(said).toContain(`The duty of ${world.address('ada')} is forwarded to ${world.address('grace')}`);
  });

  it('who is on call is not mailed, and their deputy is', async () => {
    const world = await adaIsAway();
    await world.schedule('Ops', { participants: ['ada'] });
    await alert(world, 'On call', world.responder('schedule', 'Ops'));
    await system.mailed(world.address('grace'), 'On call');
  });

  it('who is named by an escalation is not mailed, and their deputy is', async () => {
    const world = await adaIsAway();
    await world.escalation('Late', { delay: 5, to: { type: 'user', name: 'ada' } });
    await alert(world, 'Escalated', world.responder('escalation', 'Late'));
    await system.pass(5);
    await system.mailed(world.address('grace'), 'Escalated');
  });

  it('who is a member of a team is not mailed, and their deputy is, once', async () => {
    const world = await adaIsAway();
    await world.team('Crew', 'ada', 'grace');
    await world.escalation('Everybody', { delay: 0, to: { type: 'team', name: 'Crew' }, notifyType: 'all' });
    await alert(world, 'To all', world.responder('escalation', 'Everybody'));
    await system.mailed(world.address('grace'), 'To all');
  });

  it('is mailed again from the end of the rule on, read when a rule fires', async () => {
    const world = await adaIsAway();
    const ada = { type: 'user', name: 'ada' } as const;
    await world.escalation('Twice', { delay: 59, to: ada }, { delay: 60, to: ada });
    await alert(world, 'Before and after', world.responder('escalation', 'Twice'));
    await system.pass(59);
    await system.mailed(world.address('grace'), 'Before and after');
    await system.pass(1);
    await system.mailed(world.address('ada'), 'Before and after');
  });

  it('whose deputy is forwarded too is stood in for by the last of the chain', async () => {
    const world = await adaIsAway();
    await forward(world, 'grace', 'edsger');
    await alert(world, 'Chain', world.user('ada'));
    await system.mailed(world.address('edsger'), 'Chain');
  });
});
