import { describe, it } from '@jest/globals';
import { useSystem } from './system/system.ts';

const system = useSystem();

describe('an alert', () => {
  it('mails who is on call, and nobody else', async () => {
    const world = system.world();
    await world.users('ada', 'grace');
    await world.schedule('On call', { participants: ['ada', 'grace'] });
    await world.alert({ message: 'Disk full', responders: [world.responder('schedule', 'On call')] });
    await system.mailed(world.address('ada'), 'Disk full');
  });

  it('mails the next person after the weekly hand-off', async () => {
    const world = system.world();
    await world.users('ada', 'grace');
    await world.schedule('Weekly', { participants: ['ada', 'grace'], type: 'weekly' });
    const responders = [world.responder('schedule', 'Weekly')];
    await system.pass(7 * 24 * 60 - 1);
    await world.alert({ message: 'A minute before the hand-off', responders });
    await system.mailed(world.address('ada'), 'A minute before');
    await system.pass(1);
    await world.alert({ message: 'At the hand-off', responders });
    await system.mailed(world.address('grace'), 'At the hand-off');
  });

  it('mails the members of a team that was created a moment ago', async () => {
    const world = system.world();
    await world.users('ada', 'grace');
    await world.team('Ops', 'ada', 'grace');
    await world.alert({ message: 'Fresh team', responders: [world.responder('team', 'Ops')] });
    await system.mailed(world.address('ada'), 'Fresh team');
    await system.mailed(world.address('grace'), 'Fresh team');
  });
});
