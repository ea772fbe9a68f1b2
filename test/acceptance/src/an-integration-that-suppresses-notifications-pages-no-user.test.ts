import { describe, expect, it } from '@jest/globals';
import { byAlias } from '@tocsin/testkit';
import { useSystem } from './system/system.ts';

const system = useSystem();

describe('an integration that suppresses notifications', () => {
  it('keeps its alerts with their responders, and pages no user: at once, later, or added by hand; the log says why', async () => {
    const scenario = system.scenario();
    await scenario.users('ada', 'grace');
    await scenario.escalation(
      'Nights',
      { delay: 0, to: { type: 'user', name: 'ada' } },
      { delay: 5, to: { type: 'user', name: 'ada' } },
    );
    const { apiKey } = await system.api.create<{ apiKey: string }>('/v2/integrations', {
      type: 'API',
      name: scenario.name('Quiet'),
      suppressNotifications: true,
    });
    const alias = scenario.name('disk');
    const responders = [scenario.responder('escalation', 'Nights')];
    await system.api.as(apiKey).expect(202, 'POST', '/v2/alerts', { message: 'Disk full', alias, responders });
    await system.pass(10);
    await scenario.act(alias, 'responders', { responder: scenario.user('grace') });
    await scenario.act(alias, 'acknowledge');
    await scenario.act(alias, 'unacknowledge');
    await system.pass(10);

    expect(await scenario.alertOf(alias)).toMatchObject({
      status: 'open',
      acknowledged: false,
      responders: [{ type: 'escalation' }, { type: 'user' }],
    });
    const logs = await system.api.read<{ log: string }[]>(byAlias(alias, '/logs'));
    const why = `Integration [${scenario.name('Quiet')}] suppresses notifications: no user is paged`;
    expect(logs.filter(({ log }) => log === why)).toHaveLength(2);
    expect(await system.api.read(byAlias(alias, '/recipients'))).toEqual([]);
    // A mail to a user would fail this test at its end.
  });
});
