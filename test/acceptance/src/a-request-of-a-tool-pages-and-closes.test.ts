import { describe, expect, it } from '@jest/globals';
import { eventually } from '@tocsin/testkit';
import { useSystem } from './system/system.ts';

const system = useSystem({ LOG_LEVEL: 'trace' });

interface Integration {
  readonly id: string;
  readonly name: string;
  readonly apiKey: string;
}
interface Listed {
  readonly id: string;
  readonly alias: string;
  readonly message: string;
  readonly status: string;
}

/** Sends a request as a tool does: without a header of Tocsin, and with any body. */
const send = (path: string, request: RequestInit) => fetch(`${system.api.url}${path}`, request);
const post = (path: string, body: string, headers: Readonly<Record<string, string>> = {}) =>
  send(path, { method: 'POST', body, headers });

const prometheus = async (): Promise<Integration> => {
  const name = system.scenario().name('Prometheus');
  const { id, apiKey } = await system.api.create<Integration>('/v2/integrations', { type: 'Prometheus', name });
  return { id, name, apiKey };
};

const listed = ({ name }: Integration) =>
  system.api.read<Listed[]>(`/v2/alerts?limit=100&query=${encodeURIComponent(`integration.name: "${name}"`)}`);

/** What Alertmanager sends to a `webhook_configs` receiver. */
const group = (alerts: readonly object[], status: string) =>
  JSON.stringify({
    version: '4',
    groupKey: '{}:{cluster="eu"}',
    truncatedAlerts: 0,
    status,
    receiver: 'tocsin',
    groupLabels: { cluster: 'eu' },
    commonLabels: { cluster: 'eu' },
    commonAnnotations: {},
    externalURL: 'http://alertmanager.example.com:9093',
    alerts,
  });
const alert = (index: number, status = 'firing', severity = 'critical') => ({
  status,
  labels: { alertname: 'DiskFull', instance: `db-${index}`, severity },
  annotations: { summary: `Disk of db-${index} is full`, description: '94 % are used.' },
  startsAt: '2026-01-01T00:00:00Z',
  endsAt: '0001-01-01T00:00:00Z',
  generatorURL: 'http://prometheus.example.com/graph',
  fingerprint: `fingerprint-${index}`,
});

describe('the request of a tool', () => {
  it('pages the users of the team of its key, and closes exactly the one alert of fifty that is over (Q1, Q3)', async () => {
    const scenario = system.scenario();
    await scenario.users('ada');
    await scenario.team('Ops', 'ada');
    const tool = await prometheus();
    const ownerTeam = { name: scenario.name('Ops') };
    const body = { type: 'Prometheus', name: scenario.name('Alertmanager'), ownerTeam };
    const { apiKey } = await system.api.create<Integration>('/v2/integrations', body);
    await system.settle();

    const paging = await post(`/hooks/${apiKey}`, group([alert(1)], 'firing'));
    expect({ status: paging.status, body: await paging.json() }).toMatchObject({
      status: 200,
      body: { code: 200, status: 'successful', result: 'Request will be processed' },
    });
    await system.mailed(scenario.address('ada'), 'Disk of db-1 is full');

    const fifty = Array.from({ length: 50 }, (_, index) => index);
    expect(
      (
        await post(
          `/hooks/${tool.apiKey}`,
          group(
            fifty.map((index) => alert(index)),
            'firing',
          ),
        )
      ).status,
    ).toBe(200);
    await system.settle();
    const open = await listed(tool);
    expect(open.map(({ status }) => status)).toEqual(fifty.map(() => 'open'));

    const changed = fifty.map((index) => alert(index, index === 7 ? 'resolved' : 'firing'));
    const resolving = await post(`/hooks/${tool.apiKey}/alertmanager`, group(changed, 'firing'));
    expect(resolving.status).toBe(200);
    await system.settle();
    const closed = (await listed(tool)).filter(({ status }) => status === 'closed');
    expect(closed).toMatchObject([
      { message: 'Disk of db-7 is full', alias: expect.stringMatching(/:fingerprint-7$/) },
    ]);
    const log = await system.api.read<{ log: string }[]>(`/v2/alerts/${closed[0]?.id ?? ''}/logs`);
    expect(log.map((entry) => entry.log)).toContainEqual(expect.stringMatching(/^Alert closed via Prometheus\[/));
    expect(await listed(tool)).toHaveLength(50);

    const again = await post(`/hooks/${tool.apiKey}`, group([alert(7, 'resolved')], 'resolved'));
    await system.settle();
    expect(await system.api.read(`/v2/alerts/requests/${again.headers.get('X-Request-ID') ?? ''}`)).toMatchObject({
      isSuccess: true,
      status: expect.stringMatching(/^No open alert has the alias \[.*:fingerprint-7\]: nothing to close$/),
    });
  });

  it.each([
    ['a new page', undefined],
    ['the first page, where a policy suppresses warnings', 'warnings'],
  ])(
    'that says critical after warning leads to %s; a further one, and a warning, count alone (Q9)',
    async (_, policy) => {
      const scenario = system.scenario();
      await scenario.users('ada');
      await scenario.team('Ops', 'ada');
      const body = { type: 'Prometheus', name: scenario.name('Raised'), ownerTeam: { name: scenario.name('Ops') } };
      const tool = await system.api.create<Integration>('/v2/integrations', body);
      if (policy !== undefined) {
        const conditions = [
          { field: 'priority', operation: 'equals', expectedValue: 'P3' },
          { field: 'message', operation: 'contains', expectedValue: 'db-9' },
        ];
        await scenario.policy(policy, { suppress: true, filter: { type: 'match-all-conditions', conditions } });
      }
      await system.settle();
      const subject = (priority: string) => `[${priority}] Disk of db-9 is full`;
      const mails = () => system.mailbox.mails.filter(({ to }) => to.includes(scenario.address('ada')));
      const sent = async (severity: string) => {
        expect((await post(`/hooks/${tool.apiKey}`, group([alert(9, 'firing', severity)], 'firing'))).status).toBe(200);
        await system.settle();
      };
      await sent('warning');
      if (policy === undefined) await system.mailed(scenario.address('ada'), subject('P3'));
      expect(mails()).toHaveLength(policy === undefined ? 1 : 0);
      await sent('critical');
      await system.mailed(scenario.address('ada'), subject('P1'));
      for (const severity of ['critical', 'warning']) await sent(severity);
      expect(mails()).toHaveLength(policy === undefined ? 2 : 1);
      const [raised] = await listed({ ...tool, name: body.name });
      expect(raised).toMatchObject({ priority: 'P1', count: 4, status: 'open' });
      const { steps } = await system.api.read<{ steps: object[] }>(`/v2/alerts/${raised?.id ?? ''}/explanation`);
      expect(steps).toContainEqual(expect.objectContaining({ subject: 'priority', outcome: 'raised' }));
    },
  );

  it('is read where scripts for the original send it, whatever its content type, by the key in its body (Q1, Q2)', async () => {
    const tool = await prometheus();
    const body = JSON.stringify({ apiKey: tool.apiKey, message: 'Disk full', key: 'disk', state: 'open' });
    const answers = [
      await post('/jsm/ops/integration/v1/json/some-tool', body, { 'Content-Type': 'text/plain' }),
      await post(`/v1/json/integrations/webhooks/netdata?apiKey=${tool.apiKey}`, group([alert(1)], 'firing')),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    await system.settle();
    expect(await listed(tool)).toHaveLength(2);
    const alerts = JSON.stringify(
      await Promise.all((await listed(tool)).map(({ id }) => system.api.read(`/v2/alerts/${id}`))),
    );
    expect(alerts).not.toContain(tool.apiKey);
  });

  it('opens and closes by the methods and the query of tools that cannot post (Q1)', async () => {
    const tool = await prometheus();
    const hook = `/hooks/${tool.apiKey}`;
    const body = group([alert(1, 'resolved')], 'resolved');
    const statusesAfter = async (path: string, request: RequestInit = {}) => {
      expect((await send(path, request)).status).toBe(200);
      await system.settle();
      return (await listed(tool)).map(({ status }) => status).toSorted();
    };
    expect(await statusesAfter(`${hook}?fingerprint=disk&status=firing`)).toEqual(['open']);
    expect(await statusesAfter(`${hook}/alertmanager?fingerprint=disk&status=resolved`)).toEqual(['closed']);
    expect(await statusesAfter(hook, { method: 'PUT', body: group([alert(1)], 'firing') })).toEqual(['closed', 'open']);
    expect(await statusesAfter(`${hook}/alertmanager`, { method: 'PUT', body })).toEqual(['closed', 'closed']);
  });

  it('comes to what is tried before, and is counted as traffic of its integration (Q5, P21)', async () => {
    const tool = await prometheus();
    const sent = group([alert(1)], 'firing');
    const integration = `/v2/integrations/${tool.id}`;
    const { body } = await system.api.expect(200, 'POST', `${integration}/try`, { raw: sent });
    const { preset, items } = body['data'] as { readonly preset: string; readonly items: readonly object[] };
    expect({ preset, alerts: await listed(tool) }).toEqual({ preset: 'alertmanager', alerts: [] });
    await post(`/hooks/${tool.apiKey}`, sent);
    await system.settle();
    const [opened] = await listed(tool);
    expect(items).toMatchObject([
      { effect: 'create', alias: opened?.alias, alert: { message: opened?.message }, outcome: 'opened' },
    ]);
    const triedAgain = async (...alerts: readonly object[]) => {
      const { body: again } = await system.api.expect(200, 'POST', `${integration}/try`, {
        raw: group(alerts, 'firing'),
      });
      return (again['data'] as { readonly items: readonly object[] }).items;
    };
    const openAlert = { id: opened?.id, status: 'open', acknowledged: false, priority: 'P1' };
    expect(await triedAgain(alert(1), alert(1, 'resolved'), alert(1, 'resolved'))).toMatchObject([
      { outcome: 'counted', openAlert },
      { outcome: 'closed', openAlert },
      { outcome: 'nothing-to-close', requestStatus: expect.stringContaining('nothing to close') },
    ]);
    expect(await listed(tool)).toMatchObject([{ status: 'open', count: 1 }]);
    await eventually(
      async () => {
        const { hours } = await system.api.read<{ readonly hours: readonly object[] }>(`${integration}/traffic`);
        expect(hours).toMatchObject([{ writes: 1, alerts: 1, refused: 0 }]);
      },
      { everyMs: 500 },
    );
  });

  it('of a client of PagerDuty opens and closes an alert, and is answered as that client expects (Q7)', async () => {
    const tool = await prometheus();
    const event = (event_action: string, dedup_key?: string) =>
      JSON.stringify({
        routing_key: tool.apiKey,
        event_action,
        ...(dedup_key !== undefined && { dedup_key }),
        payload: { summary: 'Disk full', source: 'db-1', severity: 'critical' },
      });
    const json = { 'Content-Type': 'application/json' };
    const opening = await post('/v2/enqueue', event('trigger'), json);
    expect(opening.status).toBe(202);
    const { status, message, dedup_key: key } = (await opening.json()) as Record<string, string>;
    expect({ status, message, key }).toEqual({
      status: 'success',
      message: 'Event processed',
      key: expect.any(String),
    });
    await system.settle();
    expect(await listed(tool)).toMatchObject([{ message: 'Disk full', status: 'open' }]);
    expect((await post('/jsm/ops/integration/v2/enqueue', event('resolve', key), json)).status).toBe(202);
    await system.settle();
    expect(await listed(tool)).toMatchObject([{ message: 'Disk full', status: 'closed' }]);
    const refused = await post('/v2/enqueue', event('change'), json);
    expect({ status: refused.status, body: await refused.json() }).toMatchObject({
      status: 400,
      body: { status: 'invalid event', errors: [expect.stringMatching(/^event_action/)] },
    });
  });

  it('that cannot be read opens one alert that says so (Q4)', async () => {
    const tool = await prometheus();
    for (const body of ['Disk full', 'Disk full again']) {
      const answer = await post(`/hooks/${tool.apiKey}`, body);
      expect({ status: answer.status, body: await answer.json() }).toMatchObject({
        status: 400,
        body: { message: 'Request body is not valid JSON.' },
      });
    }
    await system.settle();
    expect(await listed(tool)).toMatchObject([{ alias: `webhook:${tool.id}:unreadable`, status: 'open', count: 1 }]);
  });

  it('is shown with what it came to, without its secrets, which are in no log either (Q8)', async () => {
    const tool = await prometheus();
    const secret = system.scenario().name('canary-secret');
    const body = JSON.stringify({ ...JSON.parse(group([alert(1)], 'firing')), auth: secret, key: tool.apiKey });
    const headers = { 'User-Agent': `Tool token=${secret}`, Cookie: secret, 'X-Signature': secret };
    await post(`/hooks/${tool.apiKey}?password=${secret}`, body, headers);
    await post(`/hooks/${tool.apiKey}`, `{"password":"${secret}"`);
    const samples = `/v2/integrations/${tool.id}/samples`;
    const found = await eventually(async () => {
      const listed = await system.api.read<{ id: string; items: { requestId: string }[] }[]>(samples);
      expect(listed).toHaveLength(2);
      return listed;
    });
    // The clock of the system stands still, and both came at once.
    const [refused, taken] = found.toSorted((a, b) => a.items.length - b.items.length);
    expect(refused).toMatchObject({ refusal: 'Request body is not valid JSON.', items: [] });
    expect(taken).toMatchObject({
      preset: 'alertmanager',
      items: [{ effect: 'create', action: { name: 'Open' }, alias: expect.stringMatching(/:fingerprint-1$/) }],
    });
    await system.settle();
    const status = await system.api.read<object>(`/v2/alerts/requests/${taken?.items[0]?.requestId ?? ''}`);
    expect(status).toMatchObject({ isSuccess: true });
    const shown = await Promise.all(
      [refused, taken].map((each) => system.api.read<{ request: object }>(`${samples}/${each?.id ?? ''}`)),
    );
    const { request } = shown[1] as { request: object };
    const tried = await system.api.request('POST', `/v2/integrations/${tool.id}/try`, request);
    expect(tried.body['data']).toMatchObject({ preset: 'alertmanager', items: [{ effect: 'create' }] });
    for (const each of [secret, tool.apiKey]) {
      expect(JSON.stringify(shown)).not.toContain(each);
      expect(system.logged().filter((line) => line.includes(each))).toEqual([]);
    }
  });

  it('leaves its key in no log (K1, Q2)', async () => {
    const tool = await prometheus();
    await post(`/hooks/${tool.apiKey}`, group([alert(1)], 'firing'));
    await post(`/hooks/${tool.apiKey}/no-such-preset`, '{}');
    await post(`/hooks/${tool.apiKey}/no/such/path`, '{}');
    await post(`/v1/json/zabbix?apiKey=${tool.apiKey}`, 'no JSON');
    await system.settle();
    expect(system.logged().filter((line) => line.includes(tool.apiKey))).toEqual([]);
    expect(system.logged().some((line) => line.includes('A request of a tool is refused.'))).toBe(true);
  });
});
