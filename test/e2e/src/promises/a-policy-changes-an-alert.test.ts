import { describe, expect, it } from '@jest/globals';
import { eventually } from '@tocsin/testkit';
import { useSystem } from '../system.ts';

const system = useSystem();

describe('a policy of alerts', () => {
  it('changes what the alert says and whom it pages, before a user is paged', async () => {
    const scenario = system.scenario('policy');
    await scenario.users('ada', 'grace');
    const grace = await system.api.read<{ readonly id: string }>(`/v2/users/${scenario.address('grace')}`);
    await scenario.policy('Shouted', {
      message: '{{message.toUpperCase()}} on {{source}}',
      ignoreOriginalResponders: true,
      responders: [{ type: 'user', id: grace.id }],
      priority: 'P1',
    });
    const alias = scenario.name('disk');
    await scenario.alert({ alias, message: 'Disk full', source: 'db-1', responders: [scenario.user('ada')] });

    await system.mailbox.received(scenario.address('grace'), 'DISK FULL on db-1');
    expect(await scenario.alertOf(alias)).toMatchObject({ message: 'DISK FULL on db-1', priority: 'P1' });
    await eventually(async () => {
      expect(await scenario.logOf(alias)).toContain(`[${scenario.name('Shouted')}]`);
    });
    // A mail to ada would fail this file at its end.
  });
});
