import { setTimeout as pause } from 'node:timers/promises';
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Scenario } from '@tocsin/testkit';
import { useSystem } from './system/system.ts';

const system = useSystem();
/** Longer than the silence by which a monitor that begins knows of an outage. */
const OUTAGE_MS = 3_000;

let scenario: Scenario;
let apiKey: string;

beforeAll(async () => {
  scenario = system.scenario();
  await scenario.users('ada');
  await scenario.schedule('Nights', { participants: ['ada'] });
  await scenario.escalation('Nights', { delay: 0, to: { type: 'schedule', name: 'Nights' } });
  const team = await scenario.team('Ops', 'ada');
  const [rule] = await system.api.read<{ id: string }[]>(`/v2/teams/${team.id}/routing-rules`);
  await system.api.expect(200, 'PATCH', `/v2/teams/${team.id}/routing-rules/${rule?.id ?? ''}`, {
    notify: { type: 'escalation', name: scenario.name('Nights') },
  });
  const integration = { type: 'API', name: scenario.name('Probe'), allowConfigurationAccess: true };
  ({ apiKey } = await system.api.create<{ apiKey: string }>('/v2/integrations', integration));
  await system.settle();
});

const pathOf = (name: string) => `/v2/heartbeats/${encodeURIComponent(name)}`;
const ping = (name: string) => system.api.expect(202, 'GET', `${pathOf(name)}/ping`);
const aliasOf = (name: string) => `heartbeat:${name}`;
const isExpired = async (name: string) => (await system.api.read<{ expired: boolean }>(pathOf(name))).expired;

/** Creates a heartbeat of ten minutes of Ops, which is enabled. */
async function heartbeat(of: string, more: object = {}): Promise<string> {
  const name = scenario.name(of);
  const ownerTeam = { name: scenario.name('Ops') };
  const body = { name, interval: 10, intervalUnit: 'minutes', enabled: true, ownerTeam, ...more };
  await system.api.as(apiKey).create('/v2/heartbeats', body);
  return name;
}

const pagedAbout = (words: string) => system.mailed(scenario.address('ada'), words);

const alertsOf = async (name: string) => {
  const query = encodeURIComponent(`alias:"${aliasOf(name)}"`);
  return system.api.read<{ status: string; createdAt: string }[]>(`/v2/alerts?query=${query}&order=asc`);
};

describe('a heartbeat', () => {
  it('expires exactly at its interval, pages who is on call for its team, and is closed by the next ping', async () => {
    const name = await heartbeat('backup', {
      alertMessage: 'Backup is missing',
      alertPriority: 'P1',
      alertTags: ['db'],
    });
    await system.pass(60);
    expect([await isExpired(name), await alertsOf(name)]).toEqual([false, []]);
    await ping(name);
    await system.pass(9.999);
    expect(await isExpired(name)).toBe(false);
    const dueAt = new Date(system.clock.now().getTime() + 60);
    await system.pass(0.001);
    await pagedAbout('Backup is missing');
    expect(await isExpired(name)).toBe(true);
    const alert = await scenario.alertOf(aliasOf(name));
    expect(alert).toMatchObject({
      status: 'open',
      priority: 'P1',
      tags: ['db'],
      message: 'Backup is missing',
      responders: [{ type: 'team' }],
      integration: { name: scenario.name('Probe') },
    });
    expect(new Date(alert['createdAt'] as string)).toEqual(dueAt);

    await system.pass(100);
    expect(await alertsOf(name)).toHaveLength(1);
    await ping(name);
    await system.settle();
    expect(await alertsOf(name)).toMatchObject([{ status: 'closed' }]);
    expect(await isExpired(name)).toBe(false);

    await system.pass(10);
    await pagedAbout('Backup is missing');
    expect(await alertsOf(name)).toMatchObject([{ status: 'closed' }, { status: 'open' }]);
    await system.api.expect(200, 'DELETE', pathOf(name));
    await system.settle();
    expect(await alertsOf(name)).toMatchObject([{ status: 'closed' }, { status: 'closed' }]);
  });

  it('is waited for once it is enabled, anew when its interval is written, and not once it is disabled', async () => {
    const name = await heartbeat('restore', { enabled: false });
    await system.api.expect(200, 'POST', `${pathOf(name)}/enable`);
    await system.pass(9);
    await system.api.expect(200, 'PATCH', pathOf(name), { interval: 20 });
    await system.pass(19);
    expect(await isExpired(name)).toBe(false);
    await system.pass(1);
    await pagedAbout(`${name} is expired`);
    await system.api.expect(200, 'POST', `${pathOf(name)}/disable`);
    await system.settle();
    expect(await alertsOf(name)).toMatchObject([{ status: 'closed' }]);
    await system.pass(100);
    expect(await alertsOf(name)).toHaveLength(1);
  });

  it('of no team opens an alert and pages no user', async () => {
    const name = await heartbeat('orphan', { ownerTeam: undefined });
    await ping(name);
    await system.pass(10);
    expect(await alertsOf(name)).toMatchObject([{ status: 'open' }]);
    await ping(name);
    await system.settle();
    expect(await alertsOf(name)).toMatchObject([{ status: 'closed' }]);
    await system.api.expect(200, 'DELETE', pathOf(name));
    // A mail to a user would fail this test at its end.
  });

  it('opens its alert although a window silences the integration that created it (H5)', async () => {
    const integrations = await system.api.read<{ id: string; name: string }[]>('/v2/integrations');
    const id = integrations.find(({ name }) => name === scenario.name('Probe'))?.id;
    const window = await system.api.create('/v1/maintenance', {
      time: { type: 'indefinitely' },
      rules: [{ entity: { id, type: 'integration' }, state: 'disabled' }],
    });
    const name = await heartbeat('silenced');
    await ping(name);
    await system.pass(10);
    await system.mailed(scenario.address('ada'), `${name} is expired`);
    await system.api.expect(200, 'DELETE', `/v1/maintenance/${window.id}`);
    await system.api.expect(200, 'DELETE', pathOf(name));
  });

  it('does not expire within one interval of an outage of the monitor, and then it does (H2)', async () => {
    const name = await heartbeat('outage');
    await ping(name);
    await system.pass(5);
    await system.without('heartbeat-monitor', async () => {
      expect((await system.api.request('GET', `${pathOf(name)}/ping`)).status).toBeGreaterThanOrEqual(502);
      await pause(OUTAGE_MS);
      await system.pass(60);
    });
    await system.pass(9);
    expect(await isExpired(name)).toBe(false);
    await system.pass(1);
    await pagedAbout(`${name} is expired`);
    await system.api.expect(200, 'DELETE', pathOf(name));
  });
});
