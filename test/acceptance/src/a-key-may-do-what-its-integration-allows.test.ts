import { describe, expect, it } from '@jest/globals';
import { API_KEY } from './system/api.ts';
import { useSystem } from './system/system.ts';

const system = useSystem();

async function keyOf(integration: Readonly<Record<string, unknown>>): Promise<string> {
  const { apiKey } = await system.api.create<{ apiKey: string }>('/v2/integrations', { type: 'API', ...integration });
  return apiKey;
}

describe('a key without write access', () => {
  it('reads, and is refused what writes', async () => {
    const api = system.api.as(await keyOf({ name: 'Read only', allowWriteAccess: false }));
    expect((await api.request('GET', '/v2/alerts')).status).toBe(200);
    const refused = await api.request('POST', '/v2/alerts', { message: 'Not allowed' });
    expect(refused.status).toBe(403);
    expect(refused.body).toMatchObject({ code: 40301 });
  });
});

describe('a key with neither read nor write access', () => {
  it('sends requests of tools, which open and close their own alert, and is refused all else (K3)', async () => {
    const name = system.scenario().name('sender');
    const key = await keyOf({ name, allowReadAccess: false, allowWriteAccess: false });
    const api = system.api.as(key);
    const send = (path: string, body: object) => api.request('POST', path, body);
    const other = system.scenario().name('other');
    await system.api.expect(202, 'POST', '/v2/alerts', { message: 'Another', alias: other });

    const sent = await send(`/hooks/${key}`, { message: 'Disk full', key: name, state: 'open' });
    expect(sent.status).toBe(200);
    expect((await send('/v1/json/script', { state: 'ok', key: 'none' })).status).toBe(200);
    const event = { event_action: 'trigger', dedup_key: name, payload: { summary: 'Disk full' } };
    expect((await send('/v2/enqueue', event)).status).toBe(202);
    await system.settle();
    const { data: alerts } = (await system.api.expect(200, 'GET', '/v2/alerts?query=status:open')).body as {
      readonly data: readonly { readonly id: string; readonly alias: string; readonly integration: { name: string } }[];
    };
    const own = alerts.filter(({ integration }) => integration.name === name);
    expect(own).toHaveLength(2);

    for (const [method, path, body] of [
      ['GET', '/v2/alerts'],
      ['GET', `/v2/alerts/${own[0]?.id ?? ''}`],
      ['GET', `/v2/alerts/requests/${String(sent.body['requestId'])}`],
      ['POST', '/v2/alerts', { message: 'Not allowed' }],
      ['POST', `/v2/alerts/${other}/close?identifierType=alias`, {}],
      ['DELETE', `/v2/alerts/${own[0]?.id ?? ''}`],
      ['GET', '/v2/integrations'],
      ['GET', '/v2/request-limits'],
      ['GET', '/v2/users'],
    ] as const)
      expect(await api.request(method, path, body)).toMatchObject({ status: 403, body: { code: 40301 } });

    expect((await send(`/hooks/${key}`, { key: name, state: 'closed' })).status).toBe(200);
    await system.settle();
    const open = await system.api.read<readonly { readonly alias: string }[]>('/v2/alerts?query=status:open');
    expect(open.map(({ alias }) => alias)).toContain(other);
    expect(open.filter(({ alias }) => own.some((each) => each.alias === alias))).toHaveLength(1);
  });
});

describe('a key without configuration access', () => {
  it('creates alerts and is refused configuration', async () => {
    const api = system.api.as(await keyOf({ name: 'Alerts only' }));
    expect((await api.request('POST', '/v2/alerts', { message: 'Allowed' })).status).toBe(202);
    expect((await api.request('GET', '/v2/users')).status).toBe(403);
  });
});

describe('a key of a disabled integration', () => {
  it('is not known any more at once, and is again when it is enabled (K2)', async () => {
    const created = await system.api.create<{ id: string; apiKey: string }>('/v2/integrations', {
      type: 'API',
      name: 'Switched',
    });
    const api = system.api.as(created.apiKey);
    expect((await api.request('GET', '/v2/alerts')).status).toBe(200);
    await system.api.expect(200, 'POST', `/v2/integrations/${created.id}/disable`);
    await system.settle();
    expect((await api.request('GET', '/v2/alerts')).status).toBe(401);
    await system.api.expect(200, 'POST', `/v2/integrations/${created.id}/enable`);
    await system.settle();
    expect((await api.request('GET', '/v2/alerts')).status).toBe(200);
  });
});

describe('a key', () => {
  const base64 = (text: string) => Buffer.from(text).toString('base64');

  it.each([
    ['in the query', () => ({}), `?apiKey=${API_KEY}`],
    ['after its scheme', () => ({ authorization: `GenieKey ${API_KEY}` }), ''],
    ['after its scheme in another case', () => ({ authorization: `geniekey ${API_KEY}` }), ''],
    ['as the password without a user', () => ({ authorization: `Basic ${base64(`:${API_KEY}`)}` }), ''],
    ['as a whole credential', () => ({ authorization: `Basic ${base64(API_KEY)}` }), ''],
  ])('%s opens and closes an alert, as the samples of the documentation send it', async (_, credentials, query) => {
    const headers = { 'content-type': 'application/json', ...credentials() };
    const alias = system.scenario().name('key');
    const send = (path: string, body?: string) =>
      fetch(system.api.url + path + query, { method: 'POST', headers, ...(body !== undefined && { body }) });
    expect((await send('/v2/alerts', JSON.stringify({ message: 'Disk full', alias }))).status).toBe(202);
    await system.settle();
    const { id } = await system.api.read<{ id: string }>(`/v2/alerts/${alias}?identifierType=alias`);
    expect((await send(`/v2/alerts/${id}/close`)).status).toBe(202);
    await system.settle();
    expect(await system.api.read(`/v2/alerts/${id}`)).toMatchObject({ status: 'closed' });
  });
});

describe('every answer', () => {
  it.each([
    ['GET', '/v2/alerts', undefined, 200],
    ['POST', '/v2/alerts', {}, 422],
    ['GET', '/v2/alerts/none', undefined, 404],
    ['GET', '/v2/nothing', undefined, 404],
    ['PATCH', '/v2/alerts', undefined, 405],
    ['GET', '/v2/heartbeats', undefined, 200],
  ] as const)('%s %s carries the headers of E3 and one request id', async (method, path, body, status) => {
    const answer = await system.api.request(method, path, body);
    expect(answer.status).toBe(status);
    expect(answer.headers.get('x-request-id')).toBe(answer.body['requestId']);
    expect(Number(answer.headers.get('x-response-time'))).toBeGreaterThanOrEqual(0.001);
    expect(answer.headers.get('x-ratelimit-state')).toBe('OK');
    expect(answer.body['took']).toEqual(expect.any(Number));
  });

  it('of an unknown key is 401 and of a key that is none is 422 (E4)', async () => {
    expect(
      (await system.api.as('5f1d0a52-6d2b-4e0f-9d3f-000000000000').request('GET', '/v2/alerts')).body,
    ).toMatchObject({
      message: 'Could not authenticate',
    });
    expect(await system.api.as('no-key').request('GET', '/v2/alerts')).toMatchObject({
      status: 422,
      body: { message: 'Key format is not valid!' },
    });
  });

  it('to a 202 has no data (wire facts 1.1)', async () => {
    const { body } = await system.api.expect(202, 'POST', '/v2/alerts', { message: 'Hello' });
    expect(Object.keys(body).sort()).toEqual(['requestId', 'result', 'took']);
  });
});

describe('a list of alerts', () => {
  it('visits each alert once by following next, and stops', async () => {
    const scenario = system.scenario();
    for (let index = 0; index < 7; index += 1)
      await scenario.alert({ message: `paged ${index}`, alias: scenario.name(`p${index}`) });
    await system.settle();
    const seen: string[] = [];
    let path: string | undefined = '/v2/alerts?limit=3&sort=createdAt&order=asc';
    while (path !== undefined) {
      const { body } = await system.api.expect(200, 'GET', path);
      seen.push(...(body['data'] as { id: string }[]).map(({ id }) => id));
      const next = (body['paging'] as { next?: string }).next;
      path = next === undefined ? undefined : new URL(next).pathname + new URL(next).search;
    }
    expect(new Set(seen).size).toBe(seen.length);
    expect(seen.length).toBeGreaterThanOrEqual(7);
  });
});
