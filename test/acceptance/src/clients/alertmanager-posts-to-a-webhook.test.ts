import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually, type Scenario } from '@tocsin/testkit';
import { useSystem } from '../system/system.ts';
import { Alertmanager } from './alertmanager.ts';

const system = useSystem();
let scenario: Scenario;
let alertmanager: Alertmanager;

interface Alert {
  readonly id: string;
  readonly alias: string;
  readonly message: string;
  readonly priority: string;
  readonly status: string;
}

/** The receiver as the page of the preset says; Alertmanager waits for nothing that it need not wait for. */
function configuration(urls: Readonly<Record<string, string>>): object {
  return {
    route: {
      receiver: 'paging',
      group_by: ['cluster'],
      group_wait: '50ms',
      group_interval: '200ms',
      repeat_interval: '1h',
      routes: Object.keys(urls).map((receiver) => ({ receiver, matchers: [`receiver="${receiver}"`] })),
    },
    receivers: Object.entries(urls).map(([name, url]) => ({
      name,
      webhook_configs: [{ url, send_resolved: true, max_alerts: 0 }],
    })),
  };
}

async function hookOf(name: string, more: object = {}): Promise<string> {
  const body = { type: 'Prometheus', name: scenario.name(name), ...more };
  const { apiKey } = await system.api.create<{ readonly apiKey: string }>('/v2/integrations', body);
  return `${system.api.url}/hooks/${apiKey}`;
}

beforeAll(async () => {
  scenario = system.scenario();
  await scenario.users('ada');
  await scenario.team('Ops', 'ada');
  const urls = {
    paging: await hookOf('paging', { ownerTeam: { name: scenario.name('Ops') } }),
    group: await hookOf('group'),
  };
  await system.settle();
  alertmanager = await Alertmanager.start(configuration(urls));
});

afterAll(() => alertmanager.stop());

const disk = (receiver: string, instance: string, times: object = {}) => ({
  labels: { alertname: 'Disk full', cluster: 'eu', instance, receiver, severity: 'critical' },
  annotations: { summary: `The disk of ${instance} is full`, description: '94 % are used.' },
  ...times,
});
const ENDED = { endsAt: '2001-01-01T00:00:00Z' };

const alertsOf = (name: string) =>
  system.api.read<readonly Alert[]>(
    `/v2/alerts?limit=100&query=${encodeURIComponent(`integration.name: "${scenario.name(name)}"`)}`,
  );

const becomes = (name: string, check: (alerts: readonly Alert[]) => void) =>
  eventually(
    async () => {
      check(await alertsOf(name));
    },
    { everyMs: 100 },
  );

describe('the webhook of Prometheus Alertmanager', () => {
  it('opens an alert that pages the team of its key, and closes it', async () => {
    await alertmanager.receive(disk('paging', 'db-1'));
    await becomes('paging', (alerts) => {
      expect(alerts).toMatchObject([{ message: 'The disk of db-1 is full', priority: 'P1', status: 'open' }]);
    });
    await system.mailed(scenario.address('ada'), 'The disk of db-1 is full');
    await alertmanager.receive(disk('paging', 'db-1', ENDED));
    await becomes('paging', (alerts) => {
      expect(alerts.map(({ status }) => status)).toEqual(['closed']);
    });
  });

  it('closes exactly the alert of a group of fifty that is over', async () => {
    const fifty = Array.from({ length: 50 }, (_, index) => `db-${index}`);
    await alertmanager.receive(...fifty.map((instance) => disk('group', instance)));
    await becomes('group', (alerts) => {
      expect(alerts.map(({ status }) => status)).toEqual(fifty.map(() => 'open'));
    });
    await alertmanager.receive(disk('group', 'db-7', ENDED));
    await becomes('group', (alerts) => {
      expect(alerts.filter(({ status }) => status === 'closed')).toMatchObject([
        { message: 'The disk of db-7 is full' },
      ]);
    });
    await system.settle();
    expect((await alertsOf('group')).filter(({ status }) => status === 'open')).toHaveLength(49);
    expect(await alertmanager.notifications('webhook')).toMatchObject({ failed: 0 });
  });
});
