import { describe, expect, it } from '@jest/globals';
import type { Scenario } from '@tocsin/testkit';
import { useSystem } from './system/system.ts';

const system = useSystem();

const user = (name: string) => ({ type: 'user', name }) as const;

async function scenarioWithEscalation(): Promise<Scenario> {
  const scenario = system.scenario();
  await scenario.users('ada', 'grace', 'edsger');
  await scenario.escalation(
    'Step by step',
    { delay: 0, to: user('ada') },
    { delay: 5, to: user('grace') },
    { delay: 10, to: user('edsger'), condition: 'if-not-closed' },
  );
  return scenario;
}

const alertOf = (scenario: Scenario, alias: string) => ({
  message: alias,
  alias,
  responders: [scenario.responder('escalation', 'Step by step')],
});

describe('an alert that no user acknowledges', () => {
  it('reaches the next person at exactly the delay of their rule, and not a moment before', async () => {
    const scenario = await scenarioWithEscalation();
    await scenario.alert(alertOf(scenario, 'alone'));
    await system.mailed(scenario.address('ada'), 'alone');
    await system.pass(5 - 1 / 60_000);
    expect(system.mailbox.unexpected()).toEqual([]);
    await system.pass(1 / 60_000);
    await system.mailed(scenario.address('grace'), 'alone');
    await system.pass(5);
    await system.mailed(scenario.address('edsger'), 'alone');
  });
});

describe('an acknowledgement', () => {
  it('stops the rules that ask for it, and not those that ask for a close', async () => {
    const scenario = await scenarioWithEscalation();
    await scenario.alert(alertOf(scenario, 'taken'));
    await system.mailed(scenario.address('ada'), 'taken');
    await scenario.act('taken', 'acknowledge', { user: scenario.address('ada') });
    await system.pass(9);
    expect(system.mailbox.unexpected()).toEqual([]);
    await system.pass(1);
    await system.mailed(scenario.address('edsger'), 'taken');
    const alert = await system.api.read<object>('/v2/alerts/taken?identifierType=alias');
    expect(alert).toMatchObject({ acknowledged: true, owner: scenario.address('ada'), report: { ackTime: 0 } });
  });
});

describe('a close', () => {
  it('ends everything, and the log says what happened and why', async () => {
    const scenario = await scenarioWithEscalation();
    const requestId = await scenario.alert(alertOf(scenario, 'over'));
    await system.mailed(scenario.address('ada'), 'over');
    await scenario.act('over', 'close', { note: 'Disk replaced' });
    await system.pass(60);
    const { alertId } = await system.api.read<{ alertId: string }>(`/v2/alerts/requests/${requestId}`);
    const logs = await system.api.read<{ log: string }[]>(`/v2/alerts/${alertId}/logs?limit=100&order=asc`);
    const text = logs.map(({ log }) => log).join('\n');
    for (const said of ['Rule 1 of escalation', 'Paged', 'was handed over']) expect(text).toContain(said);
    expect(await system.api.read(`/v2/alerts/${alertId}`)).toMatchObject({ status: 'closed' });
  });
});

describe('a schedule without a user on call', () => {
  it('is logged, and the next rule runs at once', async () => {
    const scenario = system.scenario();
    await scenario.users('grace');
    await scenario.schedule('Empty');
    const empty = { type: 'schedule', name: 'Empty' } as const;
    await scenario.escalation('Empty first', { delay: 0, to: empty }, { delay: 5, to: user('grace') });
    const requestId = await scenario.alert({
      message: 'Empty step',
      responders: [scenario.responder('escalation', 'Empty first')],
    });
    await system.mailed(scenario.address('grace'), 'Empty step');
    await system.pass(10);
    const { alertId } = await system.api.read<{ alertId: string }>(`/v2/alerts/requests/${requestId}`);
    const logs = await system.api.read<{ log: string }[]>(`/v2/alerts/${alertId}/logs?limit=100`);
    expect(logs.map(({ log }) => log).join('\n')).toContain('found no recipient; the next rule follows at once');
  });
});
