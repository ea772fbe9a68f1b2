import { describe, expect, it } from '@jest/globals';
import type { Scenario } from '@tocsin/testkit';
import { useSystem } from './system/system.ts';

const system = useSystem();

/** Ada at once, Grace after 5 minutes, and again 10 minutes later. */
async function repeatingScenario(repeat: object): Promise<Scenario> {
  const scenario = system.scenario();
  await scenario.users('ada', 'grace');
  await scenario.repeatingEscalation(
    'Again',
    { waitInterval: 10, count: 1, ...repeat },
    { delay: 0, to: { type: 'user', name: 'ada' } },
    { delay: 5, to: { type: 'user', name: 'grace' } },
  );
  return scenario;
}

/** Once other services know of the escalation, for which they have a second (E13). */
async function start(scenario: Scenario, alias: string): Promise<void> {
  await system.settle();
  await scenario.alert({ message: alias, alias, responders: [scenario.responder('escalation', 'Again')] });
}

describe('an escalation that repeats', () => {
  it('mails everybody again the wait after its last rule, as often as it is meant to, and says so', async () => {
    const scenario = await repeatingScenario({});
    await start(scenario, 'unheard');
    for (const round of [0, 1]) {
      await system.mailed(scenario.address('ada'), 'unheard');
      await system.pass(5);
      await system.mailed(scenario.address('grace'), 'unheard');
      if (round === 0) await system.pass(10);
    }
    await system.pass(24 * 60);
    expect(await scenario.logOf('unheard')).toContain('starts again: repeat 1 of 1');
  });

  it('mails no user again once a user has acknowledged', async () => {
    const scenario = await repeatingScenario({});
    await start(scenario, 'heard');
    await system.mailed(scenario.address('ada'), 'heard');
    await scenario.act('heard', 'acknowledge', { user: scenario.address('ada') });
    await system.pass(24 * 60);
    expect(await scenario.logOf('heard')).toContain('the alert is acknowledged');
  });

  it('that resets recipients undoes the acknowledgement and mails everybody again', async () => {
    const scenario = await repeatingScenario({ resetRecipientStates: true });
    await start(scenario, 'forgotten');
    await system.mailed(scenario.address('ada'), 'forgotten');
    await scenario.act('forgotten', 'acknowledge', { user: scenario.address('ada') });
    await system.pass(15 - 1 / 60_000);
    expect(await scenario.alertOf('forgotten')).toMatchObject({ acknowledged: true });
    await system.pass(1 / 60_000);
    await system.mailed(scenario.address('ada'), 'forgotten');
    expect(await scenario.alertOf('forgotten')).toMatchObject({ acknowledged: false, isSeen: false, status: 'open' });
    await system.pass(5);
    await system.mailed(scenario.address('grace'), 'forgotten');
    expect(await scenario.logOf('forgotten')).toContain('the acknowledgement is undone');
  });

  it('that closes its alert after all does so the wait after the last repeat, acknowledged or not', async () => {
    const scenario = await repeatingScenario({ closeAlertAfterAll: true });
    await start(scenario, 'given-up');
    await system.mailed(scenario.address('ada'), 'given-up');
    const { id } = await scenario.alertOf<{ id: string }>('given-up');
    await scenario.act('given-up', 'acknowledge', { user: scenario.address('ada') });
    await system.pass(30 - 1 / 60_000);
    expect(await scenario.alertOf('given-up')).toMatchObject({ status: 'open' });
    await system.pass(1 / 60_000);
    expect(await system.api.read(`/v2/alerts/${id}`)).toMatchObject({
      status: 'closed',
      report: { closedBy: 'System', closeTime: 30 * 60_000 },
    });
  });

  it('keeps the rules with which it started', async () => {
    const scenario = await repeatingScenario({});
    await start(scenario, 'changed');
    await system.mailed(scenario.address('ada'), 'changed');
    const path = `/v2/escalations/${encodeURIComponent(scenario.name('Again'))}?identifierType=name`;
    const rules = [{ delay: { timeAmount: 1 }, recipient: scenario.user('ada') }];
    await system.api.expect(200, 'PATCH', path, { rules, repeat: {} });
    await system.pass(5);
    await system.mailed(scenario.address('grace'), 'changed');
    await system.pass(10);
    await system.mailed(scenario.address('ada'), 'changed');
    expect(await scenario.logOf('changed')).toContain('the escalation was changed since');
    await scenario.act('changed', 'close');
  });
});
