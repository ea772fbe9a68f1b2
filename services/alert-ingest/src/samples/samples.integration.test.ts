import { beforeEach, describe, expect, it } from '@jest/globals';
import { UnavailableError } from '@tocsin/core';
import { type Caller, PRINCIPAL_HEADER } from '@tocsin/http';
import { MAX_TURN_MS, measuredAnswer, signedIn } from '@tocsin/testkit';
import request from 'supertest';
import { ACCOUNT, openService, OPS, TEAM, type TestService } from '../testing/app-fixture.ts';
import { nextVersion } from '../integrations/integration.ts';
import { created } from '../testing/integrations-fixture.ts';
import { Recorder } from './operations.ts';
import { SampleStore } from './store.ts';

interface Listed {
  readonly id: string;
  readonly isTruncated: boolean;
  readonly itemCount: number;
}

let service: TestService;
let id: string;
let apiKey: string;
let tool: Caller;

beforeEach(async () => {
  await open({});
});

async function open(options: Parameters<typeof openService>[0]): Promise<void> {
  service = await openService(options);
  service.teams.put(OPS.id, OPS);
  ({ id, apiKey } = await created(service, { type: 'Prometheus', name: 'Tool' }));
  tool = { ...ACCOUNT, integrationId: id, integrationType: 'Prometheus' };
}

interface Sending {
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly caller?: Caller;
}

/** Sends bytes as they are, by POST. */
async function send(body: string | Buffer, { path = '/hooks/-', headers = {}, caller = tool }: Sending = {}) {
  const sent = request(service.app)
    .post(path)
    .set(PRINCIPAL_HEADER, await service.vouched(caller));
  for (const [name, value] of Object.entries(headers)) sent.set(name, value);
  return sent.serialize((written) => written as unknown as string).send(body);
}

const read = async (path = '', caller: Caller = ACCOUNT) =>
  service.call('get', `/v2/integrations/${id}/samples${path}`, undefined, caller);
const listed = async () => (await read()).body['data'] as readonly Listed[];
const requestOf = async (sample: Listed | undefined) =>
  ((await read(`/${sample?.id ?? ''}`)).body['data'] as { request: Record<string, unknown> }).request;

/** The samples after those that wait are stored. */
async function stored(): Promise<readonly Listed[]> {
  await service.recorder.storeWaiting();
  return listed();
}

const alert = (status: string, key = 'f1') => ({ status, fingerprint: key, labels: { alertname: 'DiskFull' } });
const group = (...alerts: readonly object[]) => JSON.stringify({ version: '4', groupKey: 'g', alerts });

describe('the samples of an integration (Q8)', () => {
  it('are its last requests, the newest first, each with what its items came to', async () => {
    const first = await send(group(alert('firing'), alert('resolved'), alert('unheard-of', '')));
    service.clock.advance(1_000);
    const second = await send('{"status":', {
      path: '/hooks/-?site=a',
      headers: { 'Content-Type': 'text/plain; charset=UTF-8', 'User-Agent': 'Tool/1' },
    });
    const third = await send(group(), { path: '/hooks/-/no-such' });
    const alias = `alertmanager:${id.slice(0, 8)}:f1`;
    const requestId = String(first.headers['x-request-id']);
    expect(new Set(await stored())).toEqual(
      new Set([
        {
          id: third.headers['x-request-id'],
          receivedAt: '2026-01-01T00:00:01Z',
          refusal: 'There is no preset [no-such].',
          itemCount: 0,
          items: [],
          isTruncated: false,
        },
        {
          id: second.headers['x-request-id'],
          receivedAt: '2026-01-01T00:00:01Z',
          refusal: 'Request body is not valid JSON.',
          itemCount: 0,
          items: [],
          isTruncated: false,
        },
        {
          id: requestId,
          receivedAt: '2026-01-01T00:00:00Z',
          preset: 'alertmanager',
          itemCount: 3,
          items: [
            { requestId, state: 'open', effect: 'create', alias, action: { type: 'create', name: 'Open' } },
            {
              requestId: `${requestId}:1`,
              state: 'close',
              effect: 'close',
              alias,
              action: { type: 'close', name: 'Close' },
            },
            {
              requestId: `${requestId}:2`,
              effect: 'create',
              alias: expect.stringContaining(':g'),
              action: { type: 'create', name: 'Open' },
            },
          ],
          isTruncated: false,
        },
      ]),
    );
    expect((await listed()).at(-1)?.id).toBe(requestId);
    const unreadable = (await listed()).find((each) => each.id === second.headers['x-request-id']);
    expect(await requestOf(unreadable)).toEqual({
      raw: '{"status":',
      headers: { 'user-agent': 'Tool/1' },
      query: { site: 'a' },
      contentType: 'text/plain',
    });
  });

  it('are those of events of PagerDuty too, without the routing key', async () => {
    const event = { routing_key: apiKey, event_action: 'trigger', dedup_key: 'd', payload: { summary: 'Disk full' } };
    await send(JSON.stringify(event), { path: '/v2/enqueue' });
    const [sample] = await stored();
    expect(sample).toMatchObject({ preset: 'pagerduty', items: [{ effect: 'create' }] });
    expect(JSON.parse(String((await requestOf(sample))['raw']))).toEqual({ ...event, routing_key: '***' });
  });

  it('show a topic of Amazon SNS that waits for its confirmation, by the alert that has its link', async () => {
    const [Type, TopicArn] = ['SubscriptionConfirmation', 'arn:aws:sns:eu-central-1:1:t'];
    const SubscribeURL = 'https://sns.eu-central-1.amazonaws.com/?Action=ConfirmSubscription';
    await send(JSON.stringify({ Type, TopicArn, SubscribeURL }));
    const item = { effect: 'create', alias: expect.stringContaining(`webhook:${id}:subscription:`) };
    expect(await stored()).toMatchObject([{ itemCount: 1, items: [item] }]);
  });

  it('say why an item had no effect', async () => {
    await service.call('put', `/v2/integrations/${id}/actions`, { ignore: [{ name: 'Quiet' }] });
    await send(group(alert('firing')));
    expect(await stored()).toMatchObject([
      {
        items: [
          {
            effect: 'none',
            action: { type: 'ignore', name: 'Quiet' },
            reason: 'Ignored by action [Quiet] of integration [Tool].',
          },
        ],
      },
    ]);
  });

  it.each([
    ['JSON', '/hooks/-', { 'Content-Type': 'text/plain' }, group(alert('firing'))],
    ['a form', '/hooks/-/fallback', {}, 'message=Disk+full&key=d&data=%7B%22a%22%3A1%7D'],
    [
      'a form in parts',
      '/v1/json/prtg',
      { 'Content-Type': 'multipart/form-data; boundary=x' },
      '--x\r\nContent-Disposition: form-data; name="status"\r\n\r\nDown\r\n--x--\r\n',
    ],
    ['an event in headers', '/hooks/-', { 'ce-id': '1', 'ce-source': 's' }, '{"message":"m"}'],
    ['a query', '/hooks/-?message=Disk+full&key=d', {}, ''],
  ])('of %s are bodies of trials, which come to the same', async (_, path, headers, body) => {
    await send(body, { path, headers });
    const [sample] = await stored();
    const tried = await service.call('post', `/v2/integrations/${id}/try`, await requestOf(sample));
    const { preset, items } = tried.body['data'] as { preset: string; items: { alias: string; effect: string }[] };
    expect(sample).toMatchObject({
      preset,
      itemCount: items.length,
      items: items.map(({ alias, effect }) => ({ alias, effect })),
    });
  });

  it('are as many as is set, whichever process got the requests', async () => {
    await open({ webhookSamples: 3 });
    const other = new Recorder({
      samples: 3,
      store: new SampleStore(service.connection),
      findIntegration: (each) => service.store.find(each),
      keepingSamples: (ids) => service.store.keepingSamples(ids),
    });
    for (let count = 0; count < 5; count += 1) {
      service.clock.advance(1_000);
      await send(group(alert('firing', `f${count}`)));
      other.record({
        integrationId: id,
        requestId: `other-${count}`,
        receivedAt: new Date(service.clock.now().getTime() + 500),
        sent: { body: { type: '', bytes: Buffer.from('{}') }, headers: {}, query: {} },
        result: { refusal: 'no' },
      });
      await Promise.all([service.recorder.storeWaiting(), other.storeWaiting()]);
    }
    expect(await stored()).toMatchObject([{ id: 'other-4' }, { itemCount: 1 }, { id: 'other-3' }]);
    expect(await service.connection.db?.collection('integration_samples').countDocuments()).toBe(3);
  });

  it('are none where none are to be kept, and of an integration that is deleted', async () => {
    await send(group(alert('firing')));
    await service.call('delete', `/v2/integrations/${id}`);
    await service.recorder.storeWaiting();
    await open({ webhookSamples: 0 });
    await send(group(alert('firing')));
    expect(await stored()).toEqual([]);
    expect(await service.connection.db?.collection('integration_samples').countDocuments()).toBe(0);
  });

  describe('of an integration that keeps none', () => {
    const inDatabase = () => service.connection.db?.collection('integration_samples').countDocuments();
    const keep = async (keepSamples: boolean) => {
      const body = { type: 'Prometheus', name: 'Tool', keepSamples };
      expect((await service.call('put', `/v2/integrations/${id}`, body)).status).toBe(200);
    };

    it('are deleted once that is answered, none comes, and none of before comes back with it', async () => {
      await send(group(alert('firing')));
      const [sample] = await stored();
      await send(group(alert('firing')));
      await keep(false);
      expect(await inDatabase()).toBe(0);
      await send(group(alert('firing')));
      expect(await stored()).toEqual([]);
      expect((await read(`/${sample?.id ?? ''}`)).status).toBe(404);
      await keep(true);
      expect(await stored()).toEqual([]);
      await send(group(alert('firing')));
      expect(await stored()).toHaveLength(1);
    });

    it('are shown by no answer and deleted soon, where the process died before it could', async () => {
      await send(group(alert('firing')));
      const [sample] = await stored();
      // As the process has left it that died then.
      await service.store.update(id, (current) => ({ ...current, keepSamples: false, version: nextVersion(current) }));
      expect(await inDatabase()).toBe(1);
      expect(await listed()).toEqual([]);
      expect((await read(`/${sample?.id ?? ''}`)).status).toBe(404);
      await service.recorder.removeUnkept();
      await service.recorder.removeUnkept();
      expect(await inDatabase()).toBe(0);
    });

    it('are deleted soon that another process was about to store', async () => {
      const store = new SampleStore(service.connection);
      const other = new Recorder({
        samples: 20,
        findIntegration: (each) => service.store.find(each),
        keepingSamples: (ids) => service.store.keepingSamples(ids),
        store: {
          add: async (...added) => {
            await keep(false);
            await store.add(...added);
          },
          integrationIds: () => store.integrationIds(),
          removeOf: (ids) => store.removeOf(ids),
        },
      });
      other.record({
        ...{ integrationId: id, requestId: 'late', receivedAt: service.clock.now(), result: { refusal: 'no' } },
        sent: { body: { type: '', bytes: Buffer.from('{}') }, headers: {}, query: {} },
      });
      await other.storeWaiting();
      expect([await inDatabase(), await listed()]).toEqual([1, []]);
      await other.removeUnkept();
      expect(await inDatabase()).toBe(0);
    });
  });

  it('of others stay, where an integration is deleted or keeps none', async () => {
    const { id: other } = await created(service, { name: 'Other' });
    await send(group(alert('firing')));
    await send(group(alert('firing')), { caller: { ...ACCOUNT, integrationId: other } });
    await stored();
    await service.call('delete', `/v2/integrations/${other}`);
    await service.recorder.removeUnkept();
    expect(await listed()).toHaveLength(1);
    expect(await service.connection.db?.collection('integration_samples').countDocuments()).toBe(1);
  });

  it('end after 65 536 characters, and say so', async () => {
    await send(
      group(...Array.from({ length: 1_000 }, (_, index) => ({ ...alert('firing', `f${index}`), x: 'x'.repeat(100) }))),
    );
    const [sample] = await stored();
    expect(sample).toMatchObject({ isTruncated: true, itemCount: 1_000 });
    const { raw } = await requestOf(sample);
    expect(String(raw).length).toBeLessThan(66_000);
    expect(JSON.parse(String(raw))).toMatchObject({ alerts: expect.arrayContaining([expect.anything()]) });
  });

  it('are for those who may read the integration', async () => {
    await send(group(alert('firing')));
    const [sample] = await stored();
    const paths = ['', `/${sample?.id ?? ''}`];
    const statuses = async (caller: Caller) => {
      const answers = await Promise.all(paths.map((path) => read(path, caller)));
      return answers.map(({ status }) => status);
    };
    expect(await statuses(TEAM)).toEqual([403, 403]);
    expect(await statuses({ ...ACCOUNT, mayConfigure: false })).toEqual([403, 403]);
    expect(await statuses(signedIn({ [OPS.id]: 'user' }))).toEqual([200, 200]);
    const { id: other } = await created(service, { name: 'Other', ownerTeam: { name: 'Ops' } });
    const path = `/v2/integrations/${other}/samples`;
    expect((await service.call('get', path, undefined, TEAM)).status).toBe(200);
    // A sample of another integration.
    expect((await service.call('get', `${path}/${sample?.id ?? ''}`, undefined, TEAM)).status).toBe(404);
    expect((await read('/none')).status).toBe(404);
    expect((await service.call('get', '/v2/integrations/none/samples')).status).toBe(404);
  });
});

describe('secrets of a request', () => {
  const CANARY = 'canary-4711';
  const JSON_BODY = JSON.stringify({
    message: `see https://user:${CANARY}@a.example.com/?token=${CANARY}`,
    password: CANARY,
    auth: { user: CANARY },
    headers: [{ name: 'X-Api-Key', value: CANARY }],
    tags: [['session_token', CANARY]],
    inner: JSON.stringify({ clientSecret: CANARY }),
  });

  it.each<[string, string, Readonly<Record<string, string>>, (key: string) => string]>([
    ['JSON', '/hooks/-', {}, () => JSON_BODY],
    ['the query', `/hooks/-?token=${CANARY}&apiKey=${CANARY}&data={"password":"${CANARY}"}`, {}, () => '{}'],
    [
      'headers',
      '/hooks/-',
      {
        Authorization: `Bearer ${CANARY}`,
        Cookie: CANARY,
        'X-Signature': CANARY,
        'User-Agent': `Tool (token=${CANARY})`,
      },
      () => '{}',
    ],
    ['a form', '/hooks/-', {}, () => String(new URLSearchParams({ password: CANARY, payload: JSON_BODY }))],
    [
      'a form in parts',
      '/hooks/-',
      { 'Content-Type': 'multipart/form-data; boundary=x' },
      () => `--x\r\nContent-Disposition: form-data; name="password"\r\n\r\n${CANARY}\r\n--x--\r\n`,
    ],
    [
      'a broken form in parts',
      '/hooks/-',
      { 'Content-Type': 'multipart/form-data; boundary=x' },
      () => `--x\r\nContent-Disposition: form-data; name="password"\r\n\r\n${CANARY}`,
    ],
    ['broken JSON', '/hooks/-', {}, () => JSON_BODY.slice(0, -1)],
    ['a form that is too large', '/hooks/-', {}, () => `password=${CANARY}&a=${'x'.repeat(1_100_000)}`],
    ['another language', '/hooks/-', {}, () => `<login><password>${CANARY}</password></login>`],
    [
      'a message of Amazon SNS',
      '/hooks/-',
      {},
      () =>
        JSON.stringify({
          Type: 'SubscriptionConfirmation',
          TopicArn: 'arn:aws:sns:eu-central-1:1:t',
          Token: CANARY,
          Signature: CANARY,
          SubscribeURL: `https://sns.eu-central-1.amazonaws.com/?Action=ConfirmSubscription&Token=${CANARY}`,
        }),
    ],
    ['its own key', '/hooks/-', {}, (key) => JSON.stringify({ key, text: `called /hooks/${key}/x` })],
    ['its own key in the path', `/hooks/-/%s`, {}, () => '{}'],
  ])('in %s are in no sample, nor in the database', async (_, path, headers, body) => {
    await send(body(apiKey), { path: path.replace('%s', apiKey), headers });
    const [sample] = await stored();
    expect(sample).toBeDefined();
    const shown = JSON.stringify([
      await read(),
      await read(`/${sample?.id ?? ''}`),
      await service.connection.db?.collection('integration_samples').find().toArray(),
    ]);
    for (const secret of [CANARY, apiKey, encodeURIComponent(CANARY)]) expect(shown).not.toContain(secret);
    expect(service.hookItems.join()).not.toContain(CANARY);
  });
});

describe('the recorder', () => {
  const recorderOf = (added: string[], samples = 20) =>
    new Recorder({
      samples,
      findIntegration: (each) => service.store.find(each),
      keepingSamples: (ids) => service.store.keepingSamples(ids),
      store: {
        integrationIds: () => Promise.resolve([]),
        removeOf: () => Promise.resolve(),
        add: (integrationId, recorded) => {
          added.push(`${integrationId} ${recorded.map((each) => each.id).join(' ')}`);
          return Promise.resolve();
        },
      },
    });
  const answered = (integrationId: string, requestId: string, bytes = 2) => ({
    integrationId,
    requestId,
    receivedAt: new Date(0),
    sent: { body: { type: '', bytes: Buffer.alloc(bytes, ' ') }, headers: {}, query: {} },
    result: { refusal: 'no' },
  });

  it('delays and fails no request, whatever becomes of the sample', async () => {
    await service.connection.db?.collection('integration_samples').drop();
    await service.connection.db?.createCollection('integration_samples', { validator: { never: 1 } });
    expect((await send(group(alert('firing')))).status).toBe(200);
    expect(service.publisher.published).toHaveLength(1);
    await expect(service.recorder.storeWaiting()).rejects.toThrow();
    await service.connection.db?.collection('integration_samples').drop();
    await service.recorder.storeWaiting();
    expect(await listed()).toEqual([]);
  });

  it('records what Kafka did not take', async () => {
    service.publisher.refuseWith(new UnavailableError('Kafka is unavailable.'));
    expect((await send(group(alert('firing')))).status).toBe(503);
    expect(await stored()).toMatchObject([{ refusal: 'Kafka is unavailable.' }]);
  });

  it('keeps of each integration the newest that wait', async () => {
    const added: string[] = [];
    const recorder = recorderOf(added, 2);
    for (const requestId of ['1', '2', '3']) recorder.record(answered(id, requestId));
    await recorder.storeWaiting();
    expect(added).toEqual([`${id} 2 3`]);
  });

  it('holds a bounded number of bytes of each integration and of all, and none again once they are stored', async () => {
    const ids = await Promise.all(
      Array.from({ length: 6 }, async (_, index) => (await created(service, { name: `Tool ${index}` })).id),
    );
    const added: string[] = [];
    const recorder = recorderOf(added);
    for (let round = 0; round < 2; round += 1) {
      for (const each of ids)
        for (const requestId of ['1', '2', '3']) recorder.record(answered(each, requestId, 2_000_000));
      await recorder.storeWaiting();
      expect(added.splice(0)).toEqual(ids.slice(0, 4).map((each) => `${each} 2 3`));
    }
    for (const each of ids) recorder.record(answered(each, 'largest', 4_194_304));
    await recorder.storeWaiting();
    expect(added).toHaveLength(4);
  });

  it('stores the samples of others where one integration is busy', async () => {
    const { id: quiet } = await created(service, { name: 'Quiet' });
    const added: string[] = [];
    const recorder = recorderOf(added, 100);
    for (let count = 0; count < 500; count += 1) recorder.record(answered(id, String(count)));
    recorder.record(answered(quiet, 'q'));
    await recorder.storeWaiting();
    for (let count = 0; count < 500; count += 1) recorder.record(answered(id, String(count)));
    await recorder.storeWaiting();
    expect(added.map((each) => each.split(' ')[0])).toEqual([id, quiet, id]);
  });

  it.each([
    [
      'of 1000 items',
      group(
        ...Array.from({ length: 1_000 }, (_, index) => ({ ...alert('firing', `f${index}`), x: 'é'.repeat(1_900) })),
      ),
    ],
    ['of long texts', JSON.stringify(Array.from({ length: 8 }, () => 'x=\\"'.repeat(120_000)))],
    ['that is not readable', `{"a":"${'password=é '.repeat(300_000)}`],
  ])('blocks the event loop for at most 20 ms of processor time: a request %s in nearly 4 MiB', async (_, body) => {
    expect(Buffer.byteLength(body)).toBeGreaterThan(3_000_000);
    const { status, longestTurnMs } = await measuredAnswer({
      path: '/',
      headers: {},
      app: (_request, response) => {
        service.recorder.record({
          ...answered(id, '1'),
          sent: { body: { type: '', bytes: Buffer.from(body) }, headers: {}, query: {} },
        });
        void service.recorder.storeWaiting().then(() => response.end());
      },
    });
    expect(status).toBe(200);
    expect(longestTurnMs).toBeLessThanOrEqual(MAX_TURN_MS);
    expect(await listed()).toMatchObject([{ isTruncated: true }]);
  });
});
