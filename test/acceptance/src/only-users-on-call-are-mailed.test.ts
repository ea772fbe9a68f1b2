import { describe, it } from '@jest/globals';
import { useSystem } from './system/system.ts';

const system = useSystem();

describe('an alert', () => {
  it('mails the users on call, and no other user', async () => {
    const scenario = system.scenario();
    await scenario.users('ada', 'grace');
    await scenario.schedule('On call', { participants: ['ada', 'grace'] });
    await scenario.alert({ message: 'Disk full', responders: [scenario.responder('schedule', 'On call')] });
    await system.mailed(scenario.address('ada'), 'Disk full');
  });

  it('mails the next person after the weekly hand-off', async () => {
    const scenario = system.scenario();
    await scenario.users('ada', 'grace');
    await scenario.schedule('Weekly', { participants: ['ada', 'grace'], type: 'weekly' });
    const responders = [scenario.responder('schedule', 'Weekly')];
    await system.pass(7 * 24 * 60 - 1);
    await scenario.alert({ message: 'A minute before the hand-off', responders });
    await system.mailed(scenario.address('ada'), 'A minute before');
    await system.pass(1);
    await scenario.alert({ message: 'At the hand-off', responders });
    await system.mailed(scenario.address('grace'), 'At the hand-off');
  });

  it('mails the members of a team that was created a moment ago', async () => {
    const scenario = system.scenario();
    await scenario.users('ada', 'grace');
    await scenario.team('Ops', 'ada', 'grace');
    await scenario.alert({ message: 'Fresh team', responders: [scenario.responder('team', 'Ops')] });
    await system.mailed(scenario.address('ada'), 'Fresh team');
    await system.mailed(scenario.address('grace'), 'Fresh team');
  });
});
