import { createHash, randomUUID } from 'node:crypto';
import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually, type Scenario } from '@tocsin/testkit';
import { useSystem } from '../system/system.ts';
import { Alertmanager } from './alertmanager.ts';

const system = useSystem();
let scenario: Scenario;
let teamId: string;
let keyFile: string;
let alertmanager: Alertmanager;
let config: object;
const ends: (() => Promise<void>)[] = [];

type Alert = Readonly<Record<string, unknown>> & { readonly id: string };

beforeAll(async () => {
  scenario = system.scenario();
  await scenario.users('ada');
  teamId = (await scenario.team('Ops')).id;
  const integration = { type: 'Prometheus', name: scenario.name('Alertmanager') };
  const { apiKey } = await system.api.create<{ readonly apiKey: string }>('/v2/integrations', integration);
  await system.settle();
  keyFile = path.join(await fs.mkdtemp(path.join(os.tmpdir(), 'tocsin-key-')), 'key');
  await fs.writeFile(keyFile, apiKey);
  ends.push(() => fs.rm(path.dirname(keyFile), { recursive: true }));
  config = configuration(apiKey);
  alertmanager = await started();
});

async function started(): Promise<Alertmanager> {
  const one = await Alertmanager.start(config);
  ends.push(() => one.stop());
  return one;
}

afterAll(async () => {
  await Promise.all(ends.map((end) => end()));
});

/** Three receivers, chosen by the label `receiver`; Alertmanager waits for nothing that it need not wait for. */
function configuration(apiKey: string): object {
  const words = {
    message: '{{ .CommonLabels.alertname }} on {{ .Alerts.Firing | len }} disks',
    description: '{{ range .Alerts.Firing }}{{ .Annotations.summary }}. {{ end }}',
    source: 'prometheus.example.com',
    priority: '{{ if eq .CommonLabels.severity "page" }}P1{{ else }}P4{{ end }}',
  };
  const rest = {
    entity: 'db1',
    note: 'Look at the runbook',
    tags: 'storage,{{ .CommonLabels.severity }}',
    actions: 'Grow',
    details: { runbook: 'https://example.com/disks' },
    responders: [
      { type: 'team', name: scenario.name('Ops') },
      { type: 'user', username: scenario.address('ada') },
    ],
  };
  const receivers = {
    plain: { ...words, ...rest, api_url: system.api.url, api_key_file: keyFile },
    updating: { ...words, api_url: `${system.api.url}/`, api_key: apiKey, update_alerts: true },
    terse: { ...words, api_url: system.api.url, api_key: apiKey, update_alerts: true, description: '' },
  };
  return {
    route: {
      receiver: 'plain',
      group_by: ['alertname', 'run'],
      group_wait: '50ms',
      group_interval: '200ms',
      repeat_interval: '1h',
      routes: Object.keys(receivers).map((receiver) => ({ receiver, matchers: [`receiver="${receiver}"`] })),
    },
    receivers: Object.entries(receivers).map(([name, config]) => ({ name, opsgenie_configs: [config] })),
  };
}

/** Alerts of one group, which no other test has. */
function group(receiver: string, alertname = 'Disk full') {
  const run = randomUUID();
  const disk = (device: string, times: object = {}) => ({
    labels: { alertname, device, receiver, run, severity: 'page' },
    annotations: { summary: `${device} is full` },
    ...times,
  });
  const key = `{}/{receiver="${receiver}"}:{alertname="${alertname}", run="${run}"}`;
  const alias = createHash('sha256').update(key).digest('hex');
  return { run, alias, fires: disk, ended: (device: string) => disk(device, { endsAt: '2001-01-01T00:00:00Z' }) };
}

const ofAlias = (alias: string) => system.api.read<Alert>(`/v2/alerts/${alias}?identifierType=alias`);
const ofId = (id: string) => system.api.read<Alert>(`/v2/alerts/${id}`);

/** The alert of this alias, once it has these fields. */
const becomes = (alias: string, fields: object) =>
  eventually(
    async () => {
      const alert = await ofAlias(alias);
      expect(alert).toMatchObject(fields);
      return alert;
    },
    { everyMs: 50 },
  );

/** All disks of the group are fine again: Alertmanager closes its alert. */
async function closes(id: string, { ended }: ReturnType<typeof group>): Promise<Alert> {
  await alertmanager.receive(ended('sda'), ended('sdb'));
  return eventually(
    async () => {
      const alert = await ofId(id);
      expect(alert).toMatchObject({ status: 'closed' });
      return alert;
    },
    { everyMs: 50 },
  );
}

describe('Prometheus Alertmanager', () => {
  it('opens an alert with all that it says, raises its count and leaves its words, and closes it', async () => {
    const disks = group('plain');
    await alertmanager.receive(disks.fires('sda'));
    const opened = await becomes(disks.alias, { count: 1 });
    expect(opened).toMatchObject({
      message: 'Disk full on 1 disks',
      description: 'sda is full. ',
      status: 'open',
      alias: disks.alias,
      priority: 'P1',
      source: 'prometheus.example.com',
      entity: 'db1',
      actions: ['Grow'],
      tags: ['storage', 'page'],
      details: { alertname: 'Disk full', device: 'sda', run: disks.run, runbook: 'https://example.com/disks' },
      integration: { type: 'Prometheus', name: scenario.name('Alertmanager') },
    });
    expect(opened['responders']).toContainEqual({ type: 'team', id: teamId });
    expect(opened['responders']).toHaveLength(2);
    await system.mailed(scenario.address('ada'), 'Disk full on 1 disks');
    await alertmanager.receive(disks.fires('sdb'));
    await becomes(disks.alias, { count: 2 });
    const closed = await closes(opened.id, disks);
    // Its requests before the close have been processed before it.
    expect(closed).toMatchObject({ message: opened['message'], description: opened['description'], count: 2 });
    const notes = await system.api.read<readonly { readonly note: string }[]>(`/v2/alerts/${opened.id}/notes`);
    expect(notes.map(({ note }) => note)).toContain('Look at the runbook');
    expect(await alertmanager.notifications()).toMatchObject({ failed: 0 });
  });

  it('with update_alerts gives an alert the words of the group as it is now', async () => {
    const disks = group('updating');
    await alertmanager.receive(disks.fires('sda'));
    const first = { message: 'Disk full on 1 disks', description: 'sda is full. ' };
    const { id } = await becomes(disks.alias, { ...first, count: 1 });
    await alertmanager.receive(disks.fires('sdb'));
    const both = { message: 'Disk full on 2 disks', description: 'sda is full. sdb is full. ' };
    await becomes(disks.alias, { ...both, count: 2, id });
    expect(await closes(id, disks)).toMatchObject({ ...both, status: 'closed' });
    expect(await alertmanager.notifications()).toMatchObject({ failed: 0 });
  });

  it('with update_alerts and no description updates the message, and is not refused', async () => {
    const disks = group('terse');
    await alertmanager.receive(disks.fires('sda'));
    const { id } = await becomes(disks.alias, { description: '' });
    await alertmanager.receive(disks.fires('sdb'));
    await becomes(disks.alias, { message: 'Disk full on 2 disks', description: '', count: 2, id });
    await closes(id, disks);
    const logs = await system.api.read<readonly { readonly log: string }[]>(`/v2/alerts/${id}/logs?order=asc`);
    const updates = ['Alert message updated', 'Alert description updated'];
    expect(logs.map(({ log }) => log)).toEqual(
      ['Alert created', ...updates, 'Alert repeated', ...updates, 'Alert closed'].map((said) =>
        expect.stringContaining(said),
      ),
    );
    expect(await alertmanager.notifications()).toMatchObject({ failed: 0 });
  });

  it('cuts a long message to what is taken, counted in characters and not in bytes', async () => {
    const disks = group('updating', '🔥'.repeat(140));
    await alertmanager.receive(disks.fires('sda'));
    const { id, message } = await becomes(disks.alias, { message: expect.stringMatching(/^🔥+…$/u) });
    expect(Array.from(message as string)).toHaveLength(130);
    await closes(id, disks);
    expect(await alertmanager.notifications()).toMatchObject({ failed: 0 });
  });

  it('opens a new alert under the alias of one that is closed', async () => {
    const disks = group('updating');
    await alertmanager.receive(disks.fires('sda'));
    const { id } = await becomes(disks.alias, { count: 1 });
    await closes(id, disks);
    await alertmanager.receive(disks.fires('sda'));
    const again = await becomes(disks.alias, { status: 'open', count: 1 });
    expect(again.id).not.toBe(id);
    await closes(again.id, disks);
  });

  it('and another one of the same configuration mean the same alert', async () => {
    const disks = group('updating');
    await alertmanager.receive(disks.fires('sda'));
    const { id } = await becomes(disks.alias, { count: 1 });
    const another = await started();
    await another.receive(disks.fires('sda'));
    await becomes(disks.alias, { count: 2, id });
    await closes(id, disks);
    // The other closes what is closed already: accepted, and settled as such.
    await another.receive(disks.ended('sda'));
    await eventually(async () => {
      expect(await another.notifications()).toEqual({ sent: 2, failed: 0 });
    });
  });
});
