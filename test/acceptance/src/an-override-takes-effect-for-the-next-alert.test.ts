import { describe, expect, it } from '@jest/globals';
import type { Scenario } from '@tocsin/testkit';
import { useSystem } from './system/system.ts';

const system = useSystem();

const overridesOf = (scenario: Scenario) =>
  `/v2/schedules/${encodeURIComponent(scenario.name('Ops'))}/overrides?scheduleIdentifierType=name`;
const from = (startDate: string, over: Readonly<Record<string, unknown>>) => ({
  alias: 'swap',
  startDate,
  endDate: '2026-03-31T00:00:00Z',
  ...over,
});

describe('an override', () => {
  it('that was created a second ago decides who is mailed, and so does its end', async () => {
    const scenario = system.scenario();
    await scenario.users('ada', 'grace');
    await scenario.schedule('Ops', { participants: ['ada'] });
    const responders = [scenario.responder('schedule', 'Ops')];
    const startDate = system.clock.now().toISOString();
    const endDate = new Date(system.clock.now().getTime() + 3_600_000).toISOString();
    await system.api.create(overridesOf(scenario), from(startDate, { user: scenario.user('grace'), endDate }));
    await scenario.alert({ message: 'Right after it', responders });
    await system.mailed(scenario.address('grace'), 'Right after it');
    await system.pass(60);
    await scenario.alert({ message: 'At its end', responders });
    await system.mailed(scenario.address('ada'), 'At its end');
  });

  it('without a user keeps every user from being mailed, until it is deleted', async () => {
    const scenario = system.scenario();
    await scenario.users('ada');
    await scenario.schedule('Ops', { participants: ['ada'] });
    const responders = [scenario.responder('schedule', 'Ops')];
    const startDate = system.clock.now().toISOString();
    await system.api.create(overridesOf(scenario), from(startDate, { user: { type: 'none' } }));
    await scenario.alert({ message: 'For no user', responders });
    await system.settle();
    await system.api.expect(200, 'DELETE', overridesOf(scenario).replace('?', '/swap?'));
    await scenario.alert({ message: 'For Ada again', responders });
    await system.mailed(scenario.address('ada'), 'For Ada again');
  });

  it('goes with its user, and so do the forwarding rules from and to them', async () => {
    const scenario = system.scenario();
    await scenario.users('ada', 'grace');
    await scenario.schedule('Ops', { participants: ['ada'] });
    const startDate = system.clock.now().toISOString();
    const endDate = '2026-03-31T00:00:00Z';
    const [ada, grace] = [scenario.user('ada'), scenario.user('grace')];
    await system.api.create(overridesOf(scenario), from(startDate, { user: grace }));
    for (const [fromUser, toUser] of [
      [grace, ada],
      [ada, grace],
    ])
      await system.api.create('/v2/forwarding-rules', { fromUser, toUser, startDate, endDate });
    await system.api.expect(200, 'DELETE', `/v2/users/${scenario.address('grace')}`);
    await system.settle();
    expect(await system.api.read(overridesOf(scenario))).toEqual([]);
    expect(await system.api.read(`/v2/users/${scenario.address('ada')}/forwarding-rules`)).toEqual([]);
    const named = await system.api.read<readonly { readonly toUser: unknown }[]>('/v2/forwarding-rules');
    expect(named).toEqual([]);
  });
});
