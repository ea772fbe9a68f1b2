import { gzipSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import { UnavailableError } from '@tocsin/core';
import { AlertCommand } from '@tocsin/events';
import { type Caller, PRINCIPAL_HEADER } from '@tocsin/http';
import { MAX_TURN_MS, measuredAnswer } from '@tocsin/testkit';
import request from 'supertest';
import { ACCOUNT, openService, TEAM, type TestService } from '../testing/app-fixture.ts';
import { created } from '../testing/integrations-fixture.ts';
import { CONFIRMATION, CONFIRMATION_PATH, SnsDouble } from '../testing/sns-double.ts';

const commandsOf = ({ publisher }: TestService): readonly AlertCommand[] =>
  publisher.published.map(({ message }) => AlertCommand.parse(message));

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
}

interface Sending {
  readonly caller?: Caller;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Sends bytes as they are. */
async function send(
  service: TestService,
  path: string,
  body: string | Buffer,
  { caller = ACCOUNT, headers = {} }: Sending = {},
): Promise<Answer> {
  const sent = request(service.app)
    .post(path)
    .set(PRINCIPAL_HEADER, await service.vouched(caller));
  for (const [name, value] of Object.entries(headers)) sent.set(name, value);
  return sent.serialize((written) => written as unknown as string).send(body);
}

const alert = (index: number, status = 'firing') => ({
  status,
  fingerprint: `f${index}`,
  labels: { alertname: `Disk${index}`, severity: 'critical' },
  annotations: { summary: `Disk ${index} is full`, description: 'Look.' },
});
const group = (...alerts: readonly object[]) => ({ version: '4', groupKey: 'g', status: 'firing', alerts });
const SCOPE = ACCOUNT.integrationId.slice(0, 8);
const aliasOf = (index: number) => `alertmanager:${SCOPE}:f${index}`;

describe('the request of a tool', () => {
  it('becomes a command for each item, in their order (Q1, Q3)', async () => {
    const service = await openService();
    const { status, body, headers } = await send(
      service,
      '/hooks/-',
      JSON.stringify(group(alert(1), alert(2, 'resolved'), alert(3))),
    );
    expect({ status, body, items: headers['x-item-count'] }).toEqual({
      status: 200,
      items: '3',
      body: {
        code: 200,
        status: 'successful',
        result: 'Request will be processed',
        took: expect.any(Number),
        requestId: headers['x-request-id'],
      },
    });
    const id = String(headers['x-request-id']);
    expect(commandsOf(service)).toMatchObject([
      {
        kind: 'create',
        requestId: id,
        identifier: { type: 'alias', value: aliasOf(1) },
        matchedAction: 'Open',
        actor: 'Alertmanager',
        alert: { message: 'Disk 1 is full', priority: 'P1', alias: aliasOf(1) },
        hook: { preset: 'alertmanager' },
      },
      {
        kind: 'close',
        hook: { preset: 'alertmanager' },
        requestId: `${id}:1`,
        identifier: { type: 'alias', value: aliasOf(2) },
        note: 'Look.',
      },
      { kind: 'create', requestId: `${id}:2`, identifier: { type: 'alias', value: aliasOf(3) } },
    ]);
    expect(service.hookItems).toEqual(['alertmanager create', 'alertmanager close', 'alertmanager create']);
  });

  it('opens an alert for each of two keys that are numbers of more digits than JavaScript keeps (Q1)', async () => {
    const service = await openService();
    const keys = ['12345678901234567890', '12345678901234567891'];
    for (const key of keys) await send(service, '/hooks/-', `{"message":"Disk full","key":${key}}`);
    expect(commandsOf(service)).toMatchObject(keys.map((key) => ({ alert: { alias: `fallback:${SCOPE}:${key}` } })));
  });

  it.each([
    ['without a content type', {}],
    ['as a form', { 'Content-Type': 'application/x-www-form-urlencoded' }],
    ['as text', { 'Content-Type': 'text/plain; charset=UTF-8' }],
    ['in gzip', { 'Content-Encoding': 'gzip' }],
  ])('is read as the JSON that it is, %s (Q1)', async (_, headers) => {
    const service = await openService();
    const json = '{"message":"Disk full","key":"disk","apiKey":"secret"}';
    const body = 'Content-Encoding' in headers ? gzipSync(json) : json;
    const { status } = await send(service, '/v1/json/whatever', body, { headers });
    expect(status).toBe(200);
    expect(commandsOf(service)).toMatchObject([{ alert: { message: 'Disk full', alias: `fallback:${SCOPE}:disk` } }]);
    expect(JSON.stringify(commandsOf(service))).not.toContain('secret');
  });

  it.each([
    ['of the path', '/hooks/-/opsgenie', 'Prometheus', 'opsgenie'],
    ['of the type of the integration', '/v1/json/nagios', 'Prometheus', 'alertmanager'],
    ['of the vendor', '/v1/json/Nagios', 'API', 'nagios'],
    ['that knows the request', '/hooks/-', 'API', 'grafana'],
  ])('is read by the preset %s (Q1)', async (_, path, integrationType, preset) => {
    const service = await openService();
    const sent = { version: '1', orgId: 1, title: 'Disk', state: 'alerting', groupKey: 'g', alerts: [alert(1)] };
    await send(service, path, JSON.stringify(sent), { caller: { ...ACCOUNT, integrationType } });
    expect(service.hookItems).toEqual([expect.stringMatching(`^${preset} `)]);
  });

  it('meets the actions of the integration where a user has written some (Q3)', async () => {
    const service = await openService();
    const { id } = await created(service, {});
    const filter = {
      conditionMatchType: 'match-all-conditions',
      conditions: [{ field: 'message', operation: 'contains', expectedValue: 'Disk' }],
    };
    await service.call('put', `/v2/integrations/${id}/actions`, {
      create: [{ type: 'create', name: 'Mine', filter, alias: '{{key}}', message: '{{_preset}}: {{message}}' }],
    });
    const caller = { ...ACCOUNT, integrationId: id };
    await send(service, '/hooks/-', JSON.stringify([{ message: 'Disk', key: 'd' }, { message: 'CPU' }]), { caller });
    expect(commandsOf(service)).toMatchObject([
      { kind: 'create', matchedAction: 'Mine', alert: { alias: 'd', message: 'fallback: Disk' } },
      { kind: 'create', dropped: expect.stringMatching('^No action of integration') },
    ]);
  });

  it('is counted by what each item came to, and logged where items are lost (Q3)', async () => {
    const service = await openService();
    const sent = (...items: readonly object[]) => send(service, '/hooks/-/fallback', JSON.stringify(items));
    await sent(DISK, { ...DISK, state: 'unheard-of' }, { ...DISK, state: 'closed' }, { ...DISK, state: 'ack' });
    expect(service.hookItems.splice(0)).toEqual(
      ['create', 'create', 'close', 'acknowledge'].map((each) => `fallback ${each}`),
    );
    expect(service.lostItems).toEqual([]);

    const { headers } = await sent({ message: 'No key' }, { message: 'No key', state: 'closed' }, DISK);
    expect(service.hookItems.splice(0)).toEqual(['fallback no-key', 'fallback no-key', 'fallback create']);
    const request = { integrationId: ACCOUNT.integrationId, requestId: headers['x-request-id'], preset: 'fallback' };
    expect(service.lostItems.splice(0)).toEqual([{ ...request, 'no-key': 2, unmatched: 0 }]);
    // What opens says in its log why no close finds it; what closes nothing says so in the status of its request.
    expect(commandsOf(service).slice(-3, -1)).toMatchObject([
      { kind: 'create', alert: { remarks: [expect.stringContaining("the sender's closes cannot find its alert")] } },
      { kind: 'create', dropped: expect.stringContaining('found no alias') },
    ]);

    const { id } = await created(service, {});
    const filter = (expectedValue: string) => ({
      conditionMatchType: 'match-all-conditions',
      conditions: [{ field: 'message', operation: 'equals', expectedValue }],
    });
    await service.call('put', `/v2/integrations/${id}/actions`, {
      ignore: [{ name: 'Quiet', filter: filter('quiet') }],
    });
    const caller = { ...ACCOUNT, integrationId: id };
    await send(service, '/hooks/-', JSON.stringify([{ message: 'quiet' }, DISK]), { caller });
    expect(service.hookItems).toEqual(['fallback ignored', 'fallback unmatched']);
    expect(service.lostItems).toMatchObject([{ integrationId: id, 'no-key': 0, unmatched: 1 }]);
  });

  it('goes to the team of its key (K4)', async () => {
    const service = await openService();
    await send(service, '/hooks/-', '{"message":"Disk full"}', { caller: TEAM });
    expect(commandsOf(service)).toMatchObject([
      { integration: { ownerTeamId: 'team-1' }, alert: { responders: [{ type: 'team', id: 'team-1' }] } },
    ]);
    expect(service.hookItems).toEqual(['fallback no-key']);
  });

  it.each(['', 'null', '{}', '[]'])('that says nothing (%j) opens an alert of its own', async (body) => {
    const service = await openService();
    expect((await send(service, '/hooks/-', body)).status).toBe(200);
    expect(commandsOf(service)).toMatchObject([{ kind: 'create', alert: { message: 'Alert from Webhook' } }]);
  });

  it('of 1000 items in nearly 4 MiB blocks the event loop for at most 20 ms of processor time', async () => {
    const service = await openService();
    const labels = Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`label-${index}`, 'é'.repeat(88)]));
    const body = JSON.stringify(group(...Array.from({ length: 1_000 }, (_, index) => ({ ...alert(index), labels }))));
    expect(Buffer.byteLength(body)).toBeGreaterThan(3_800_000);
    const headers = { [PRINCIPAL_HEADER]: await service.vouched(ACCOUNT) };
    const { status, longestTurnMs } = await measuredAnswer({ app: service.app, path: '/hooks/-', headers, body });
    expect(status).toBe(200);
    expect(longestTurnMs).toBeLessThanOrEqual(MAX_TURN_MS);
    expect(commandsOf(service).length % 1_000).toBe(0);
  });

  it('of long texts of nearly 4 MiB blocks the event loop for at most 20 ms of processor time', async () => {
    const service = await openService();
    const body = JSON.stringify({
      message: 'x\n'.repeat(330_000),
      details: ['\\'.repeat(499_000), '"'.repeat(499_000)],
      key: 'k',
    });
    const headers = { [PRINCIPAL_HEADER]: await service.vouched(ACCOUNT) };
    const { status, longestTurnMs } = await measuredAnswer({ app: service.app, path: '/hooks/-', headers, body });
    expect(status).toBe(200);
    expect(longestTurnMs).toBeLessThanOrEqual(MAX_TURN_MS);
  });
});

const DISK = { message: 'Disk full', key: 'disk', state: 'open' };
const opening = [{ kind: 'create', alert: { message: 'Disk full', alias: `fallback:${SCOPE}:disk` } }];
/** What Uptime Kuma sends. */
const KUMA = {
  heartbeat: JSON.stringify({ monitorID: 7, status: 0, msg: 'timeout', time: '2026-01-01' }),
  monitor: JSON.stringify({ id: 7, name: 'Shop' }),
  msg: '[Shop] Down',
};
const multipart = (fields: Readonly<Record<string, string>>) =>
  `${Object.entries(fields)
    .map(([name, value]) => `--x\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`)
    .join('')}--x\r\nContent-Disposition: form-data; name="f"; filename="f.txt"\r\n\r\nfile\r\n--x--\r\n`;

describe('a form or a query of a tool', () => {
  it.each([
    [
      'with its content type',
      { 'Content-Type': 'application/x-www-form-urlencoded' },
      String(new URLSearchParams(DISK)),
    ],
    ['with another content type', { 'Content-Type': 'application/json' }, String(new URLSearchParams(DISK))],
    ['in parts', { 'Content-Type': 'multipart/form-data; boundary=x' }, multipart(DISK)],
    ['with a field of JSON', {}, String(new URLSearchParams({ payload: JSON.stringify(DISK) }))],
    ['with a name twice', {}, `${String(new URLSearchParams(DISK))}&message=Other`],
  ])('%s is read by its fields (Q1)', async (_, headers, body) => {
    const service = await openService();
    expect((await send(service, '/hooks/-', body, { headers })).status).toBe(200);
    expect(commandsOf(service)).toMatchObject(opening);
  });

  it.each([
    ['a query of a GET', 'get', `/hooks/-?${String(new URLSearchParams(KUMA))}`, ''],
    ['a query of a POST without a body', 'post', `/hooks/-?${String(new URLSearchParams(KUMA))}`, ''],
    [
      'a form',
      'post',
      '/hooks/-',
      `data=${encodeURIComponent(`{"heartbeat":${KUMA.heartbeat},"monitor":${KUMA.monitor}}`)}`,
    ],
    ['a body of a PUT', 'put', '/hooks/-', `{"heartbeat":${KUMA.heartbeat},"monitor":${KUMA.monitor}}`],
    [
      'a body of a PUT to its preset',
      'put',
      '/hooks/-/uptime-kuma',
      `{"heartbeat":${KUMA.heartbeat},"monitor":${KUMA.monitor}}`,
    ],
  ] as const)('opens the alert of its tool by %s (Q1)', async (_, method, path, body) => {
    const service = await openService();
    const sent = request(service.app)
      [method](path)
      .set(PRINCIPAL_HEADER, await service.vouched(ACCOUNT));
    await sent
      .serialize((written) => written as unknown as string)
      .send(body)
      .expect(200);
    expect(commandsOf(service)).toMatchObject([{ kind: 'create', alert: { alias: `uptime-kuma:${SCOPE}:7` } }]);
  });

  it.each([
    [
      'a broken form in parts',
      'multipart/form-data; boundary=x',
      '--x\r\nContent-Disposition: form-data; name="a"',
      400,
    ],
    ['a form in parts without a boundary', 'multipart/form-data', multipart(DISK), 400],
    ['a form of too many fields', 'text/plain', 'a=1&'.repeat(501), 422],
    ['a form that is too large', 'text/plain', `a=${'x'.repeat(1_048_576)}`, 413],
  ])('is refused where it is %s, and opens one alert (Q4)', async (_, type, body, status) => {
    const service = await openService();
    expect((await send(service, '/hooks/-', body, { headers: { 'Content-Type': type } })).status).toBe(status);
    expect(commandsOf(service)).toMatchObject([{ identifier: { value: 'webhook:integration-1:unreadable' } }]);
  });

  it('is refused where a GET has no query, and opens no alert', async () => {
    const service = await openService();
    const { status, body } = await service.call('get', '/hooks/-');
    expect({ status, body }).toMatchObject({ status: 422, body: { errors: { query: 'should have a parameter' } } });
    expect(commandsOf(service)).toEqual([]);
  });
});

describe('an event of PagerDuty', () => {
  const event = (changes: object) =>
    JSON.stringify({
      routing_key: 'secret',
      event_action: 'trigger',
      dedup_key: 'disk-db-1',
      payload: { summary: 'Disk full', source: 'db-1', severity: 'warning' },
      ...changes,
    });

  it('opens, acknowledges and closes the alert of its key, whatever the type of the integration (Q7)', async () => {
    const service = await openService();
    const caller = { ...ACCOUNT, integrationType: 'Prometheus' };
    for (const event_action of ['trigger', 'acknowledge', 'resolve']) {
      const { status, body } = await send(service, '/v2/enqueue', event({ event_action }), { caller });
      expect({ status, body }).toMatchObject({
        status: 202,
        body: { status: 'success', message: 'Event processed', dedup_key: 'disk-db-1' },
      });
    }
    const identifier = { type: 'alias', value: `pagerduty:${SCOPE}:disk-db-1` };
    expect(commandsOf(service)).toMatchObject([
      { kind: 'create', identifier, alert: { message: 'Disk full', priority: 'P3' } },
      { kind: 'acknowledge', identifier },
      { kind: 'close', identifier },
    ]);
    expect(JSON.stringify(commandsOf(service))).not.toContain('secret');
  });

  it.each([[undefined], [null], [' ']])(
    'without a key (%j) gets one, by which it is resolved (Q7)',
    async (dedup_key) => {
      const service = await openService();
      const opening = await send(service, '/v2/enqueue', event({ dedup_key }));
      const { dedup_key: made } = opening.body as { readonly dedup_key: string };
      await send(service, '/v2/enqueue', event({ event_action: 'resolve', dedup_key: made }));
      await send(service, '/v2/enqueue', event({ dedup_key }));
      const [opened, closed, other] = commandsOf(service).map((command) => command.identifier.value);
      expect(opened).toBe(`pagerduty:${SCOPE}:${made}`);
      expect(closed).toBe(opened);
      expect(other).not.toBe(opened);
    },
  );

  it('without a key that comes twice has one key and one identity (Q6, Q7)', async () => {
    const service = await openService();
    const headers = { 'Idempotency-Key': 'once' };
    const answers = [1, 2].map(() => send(service, '/v2/enqueue', event({ dedup_key: undefined }), { headers }));
    const [first, again] = (await Promise.all(answers)).map(({ body }) => body as { readonly dedup_key: string });
    expect(again?.dedup_key).toBe(first?.dedup_key);
    const [one, two] = commandsOf(service).map(({ mail }) => mail?.key);
    expect(two).toBe(one);
  });

  it.each([
    ['no JSON', 'x', /^Request body is not valid JSON/],
    ['a list', `[${event({})}]`, /one event/],
    ['a text', '"x"', /one event/],
    ['without an action', event({ event_action: undefined }), /^event_action should be one of/],
    ['of another action', event({ event_action: 'change' }), /^event_action should be one of/],
    ['an end without a key', event({ event_action: 'resolve', dedup_key: '' }), /^dedup_key should name/],
    ['of a key that is a number', event({ dedup_key: 7 }), /^dedup_key should be a text/],
    ['of a key that is too long', event({ dedup_key: 'x'.repeat(256) }), /^dedup_key should be a text of at most 255/],
  ])(
    'that is %s is refused in the form that its clients read, and opens one alert (Q4, Q7)',
    async (_, sent, error) => {
      const service = await openService();
      const { status, body } = await send(service, '/v2/enqueue', sent);
      expect({ status, body }).toMatchObject({
        status: 400,
        body: { status: 'invalid event', message: expect.any(String), errors: [expect.stringMatching(error)] },
      });
      expect(commandsOf(service)).toMatchObject([{ identifier: { value: 'webhook:integration-1:unreadable' } }]);
    },
  );

  it('that lacks its payload opens an alert nevertheless (Q7)', async () => {
    const service = await openService();
    expect((await send(service, '/v2/enqueue', event({ payload: 'none' }))).status).toBe(202);
    expect(commandsOf(service)).toMatchObject([{ kind: 'create', alert: { message: 'Alert from PagerDuty events' } }]);
  });
});

describe('a message of a messaging service', () => {
  const ALARM = {
    AlarmName: 'cpu',
    AlarmArn: 'arn:aws:cloudwatch:eu-central-1:1:alarm:cpu',
    NewStateValue: 'ALARM',
    NewStateReason: 'over 90 %',
  };
  const sns = (changes: object) =>
    JSON.stringify({
      Type: 'Notification',
      MessageId: 'm-1',
      TopicArn: 'arn:aws:sns:eu-central-1:1:alarms',
      Message: JSON.stringify(ALARM),
      ...changes,
    });

  it('is read by the preset of its content, and has one identity in each delivery (Q6)', async () => {
    const service = await openService();
    for (const MessageId of ['m-1', 'm-1', 'm-2'])
      await send(service, '/hooks/-', sns({ MessageId }), { headers: { 'Content-Type': 'text/plain; charset=UTF-8' } });
    const commands = commandsOf(service);
    expect(commands).toMatchObject(
      commands.map(() => ({ kind: 'create', alert: { alias: `cloudwatch:${SCOPE}:${ALARM.AlarmArn}` } })),
    );
    const [first, again, other] = commands.map(({ mail }) => mail?.key);
    expect(first).toBeDefined();
    expect(again).toBe(first);
    expect(other).not.toBe(first);
  });

  it('that names no message has no identity', async () => {
    const service = await openService();
    await send(service, '/hooks/-', JSON.stringify(ALARM));
    expect(commandsOf(service)[0]?.mail).toBeUndefined();
    await send(service, '/hooks/-', JSON.stringify(ALARM), { headers: { 'Idempotency-Key': 'k' } });
    expect(commandsOf(service)[1]?.mail).toMatchObject({ hasMessageId: true });
  });

  it('that asks for a subscription is confirmed, and opens no alert, whatever the type of the integration (Q6)', async () => {
    const amazon = await SnsDouble.start();
    const service = await openService({ amazon });
    const { id } = await created(service, {});
    const caller = { ...ACCOUNT, integrationId: id, integrationType: 'CloudWatch' };
    const confirm = () => send(service, '/hooks/-', JSON.stringify(amazon.signed()), { caller });
    const answers = [await confirm(), await confirm()];
    expect(answers.map(({ status, headers }) => [status, headers['x-item-count']])).toEqual([
      [200, '1'],
      [200, '1'],
    ]);
    expect(commandsOf(service)).toEqual([]);
    const other = amazon.signed({ TopicArn: 'arn:aws:sns:eu-central-1:1:others' });
    await send(service, '/hooks/-', JSON.stringify(other), { caller });
    expect(commandsOf(service)).toMatchObject([
      { kind: 'create', alert: { description: expect.stringContaining(CONFIRMATION.SubscribeURL) } },
    ]);
    expect(amazon.asked.filter((path) => path === CONFIRMATION_PATH)).toHaveLength(2);
    amazon.stop();
  });

  it('that asks for a subscription opens an alert with its link where there is no way out, and without it if it is forged (Q6)', async () => {
    const amazon = await SnsDouble.start();
    const service = await openService();
    await send(service, '/hooks/-', JSON.stringify(amazon.signed()));
    await send(service, '/hooks/-', sns({ ...CONFIRMATION }));
    const [first, second] = commandsOf(service);
    const link = CONFIRMATION.SubscribeURL;
    expect(first).toMatchObject({ kind: 'create', alert: { description: expect.stringContaining(link) } });
    expect(second).toMatchObject({ kind: 'create', alert: { description: expect.not.stringContaining(link) } });
    amazon.stop();
  });
});

describe('a request of a tool that is refused', () => {
  it.each([
    ['no JSON', 'Disk full', 400, 'unreadable', /not valid JSON/],
    ['a number', '7', 400, 'unreadable', /should be a JSON object or list/],
    ['too deep', '['.repeat(65) + ']'.repeat(65), 422, 'unreadable', /at most 64 levels deep/],
    [
      'of a text that is too long',
      JSON.stringify({ message: 'x'.repeat(1_000_001) }),
      422,
      'unreadable',
      /no text of more than/,
    ],
    [
      'of more than 1000 items',
      JSON.stringify(group(...Array.from({ length: 1_001 }, (_, index) => alert(index)))),
      422,
      'too-large',
      /send them in several requests/,
    ],
  ])('because it is %s opens one alert of the integration in an hour (Q4)', async (_, sent, status, reason, text) => {
    const service = await openService();
    const answers = [await send(service, '/hooks/-', sent), await send(service, '/hooks/-', sent)];
    expect(answers.map((answer) => answer.status)).toEqual([status, status]);
    service.clock.advance(3_600_000);
    await send(service, '/hooks/-', sent);
    const commands = commandsOf(service);
    expect(commands).toMatchObject(
      commands.map(() => ({
        kind: 'create',
        identifier: { type: 'alias', value: `webhook:integration-1:${reason}` },
        alert: { description: expect.stringMatching(text) },
      })),
    );
    // It is no item, so no item of a later request raises it (Q9).
    expect(commands.map(({ hook }) => hook)).toEqual([undefined, undefined, undefined]);
    const [first, second, later] = commands.map(({ mail }) => mail?.key);
    expect(first).toBeDefined();
    expect(second).toBe(first);
    expect(later).not.toBe(first);
    expect(service.hookItems).toEqual([1, 2, 3].map(() => `none ${reason}`));
  });

  it('because its path names no preset says so, and opens nothing', async () => {
    const service = await openService();
    const { status, body } = await send(service, '/hooks/-/no-such', '{"message":"x"}');
    expect({ status, body }).toMatchObject({
      status: 404,
      body: { message: 'There is no preset [no-such].' },
    });
    expect(commandsOf(service)).toEqual([]);
  });

  it('because Kafka is unavailable is to be sent again (promise 1)', async () => {
    const service = await openService();
    service.publisher.refuseWith(new UnavailableError('unavailable'));
    expect((await send(service, '/hooks/-', JSON.stringify(group(alert(1), alert(2))))).status).toBe(503);
    expect((await send(service, '/hooks/-', 'no JSON')).status).toBe(503);
  });

  it('because it is over 4 MiB says so (E2)', async () => {
    const service = await openService();
    const body = gzipSync(Buffer.alloc(4_194_305, ' '));
    const answer = await send(service, '/hooks/-', body, { headers: { 'Content-Encoding': 'gzip' } });
    expect({ status: answer.status, body: answer.body }).toMatchObject({
      status: 413,
      body: { message: 'Request body is larger than 4 MiB.' },
    });
  });
});
