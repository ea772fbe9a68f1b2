import { describe, expect, it } from '@jest/globals';
import supertest from 'supertest';
import { z } from 'zod';
import { ManualClock } from '@tocsin/clock';
import {
  type AppError,
  BadGatewayError,
  ConflictError,
  GatewayTimeoutError,
  InUseError,
  InvalidError,
  NotFoundError,
  NotProcessedError,
  ThrottledError,
  UnavailableError,
} from '@tocsin/errors';
import { type Caller, type Principal, PRINCIPAL_HEADER, PrincipalSigner, PrincipalVerifier } from '@tocsin/key-auth';
import { createServiceApp, defineInternalRoute, defineRoute, type Route, type RouteInput } from './index.ts';

const KEY = 'a-signing-key-of-the-installation';
const UUID_V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const principal: Principal = {
  integrationId: '5d1c8c1e-7d0a-4d1c-9d1d-0a7f3c1b2a3c',
  integrationName: 'Default API',
  integrationType: 'API',
  teamId: undefined,
  mayWrite: true,
  mayConfigure: true,
};
const clock = new ManualClock(new Date('2026-01-01T00:00:00Z'));
const signer = new PrincipalSigner([KEY]);

interface Service {
  readonly send: (method: 'get' | 'post' | 'put' | 'patch' | 'delete', path: string, caller?: Caller) => supertest.Test;
  readonly defects: unknown[];
  readonly inputs: RouteInput<unknown, unknown>[];
}

async function service(routes: readonly Route[] = []): Promise<Service> {
  const defects: unknown[] = [];
  const inputs: RouteInput<unknown, unknown>[] = [];
  const close = defineRoute({
    operation: 'close-alert',
    query: z.object({ identifierType: z.string().optional() }),
    body: z.object({ note: z.string().optional(), tags: z.array(z.object({ name: z.string() })).optional() }),
    handle: (input) => {
      inputs.push(input);
      return Promise.resolve({
        status: 202,
        headers: { 'X-Extra': 'yes' },
        body: { result: 'Request will be processed' },
      });
    },
  });
  const internal = defineInternalRoute({
    method: 'PUT',
    path: '/internal/teams/:teamId/defaults',
    query: z.object({ dry: z.string().optional() }),
    body: z.object({ teamName: z.string() }),
    handle: ({ params, query, body, caller }) => Promise.resolve({ body: { data: { params, query, body, caller } } }),
  });
  const app = createServiceApp({
    routes: [close, ...routes],
    internalRoutes: [internal],
    verifier: new PrincipalVerifier([KEY]),
    clock,
    onDefect: (error, requestId) => defects.push([error, requestId]),
    meaningOf: (error) => (error === outage ? new UnavailableError('The database is away.') : error),
  });
  const tokens = new Map<Caller, string>();
  for (const caller of [principal, readOnly, teamMember, scheduling]) {
    tokens.set(caller, await signer.sign(caller, clock.now()));
  }
  const send: Service['send'] = (method, path, caller = principal) =>
    supertest(app)
      [method](path)
      .set(PRINCIPAL_HEADER, tokens.get(caller) ?? 'nonsense');
  return { send, defects, inputs };
}
/** A failure of the driver, which only the service can tell from a defect. */
const outage = new Error('connection closed');
const readOnly: Principal = { ...principal, mayWrite: false };
const teamMember: Principal = { ...principal, teamId: 'b8f1d1b0-1d5c-4f0e-8a8a-6a3e7f0d9c11' };
const scheduling = { service: 'scheduling' } as const;
const stranger: Principal = { ...principal, integrationName: 'Forged' };

const answering = (operation: Route['operation'], handle: () => Promise<never>) => defineRoute({ operation, handle });

describe('an operation', () => {
  it('is answered in the envelope: what the route says, took and the request id of the gateway (E1, E3)', async () => {
    const { send } = await service();
    const requestId = '01890a5d-ac96-774b-bcce-b302099a8057';
    const response = await send('post', '/v2/alerts/x/close').set('X-Request-ID', requestId).expect(202);
    expect(response.body).toEqual({
      result: 'Request will be processed',
      took: expect.any(Number),
      requestId,
    });
    expect((response.body as { took: number }).took).toBeGreaterThanOrEqual(0.001);
    expect(response.headers).toMatchObject({ 'x-request-id': requestId, 'x-extra': 'yes' });
    expect(response.headers['content-type']).toBe('application/json; charset=utf-8');
    expect(response.headers['x-powered-by']).toBeUndefined();
  });

  it('gets an id, UUID v7, where none was given or it has no such form', async () => {
    const { send } = await service();
    for (const given of ['', 'nonsense']) {
      const response = await send('post', '/v2/alerts/x/close').set('X-Request-ID', given);
      expect(response.headers['x-request-id']).toMatch(UUID_V7);
      expect((response.body as { requestId: string }).requestId).toBe(response.headers['x-request-id']);
    }
  });

  it('is told who calls, from where, under which name, and what is meant, decoded', async () => {
    const { send, inputs } = await service();
    await send('post', '/v2/alerts/a%2Fb+c/close/?identifierType=alias&identifierType=id&other=1', teamMember)
      .set('X-Forwarded-For', '203.0.113.9')
      .set('X-Tocsin-Public-Url', 'https://tocsin.example.com')
      .send({ note: 'done', unknown: true });
    expect(inputs).toEqual([
      {
        params: { identifier: 'a/b+c' },
        query: { identifierType: 'alias' },
        body: { note: 'done' },
        principal: teamMember,
        requestId: expect.stringMatching(UUID_V7),
        callerAddress: '203.0.113.9',
        publicUrl: 'https://tocsin.example.com',
      },
    ]);
  });

  it('takes the connection for what the gateway does not say', async () => {
    const { send, inputs } = await service();
    await send('post', '/v2/alerts/x/close').set('Host', 'tocsin.local:8080');
    expect(inputs[0]).toMatchObject({ callerAddress: '127.0.0.1', publicUrl: 'http://tocsin.local:8080' });
  });

  it('repeats the status in the body where it is about integrations, and nowhere else (E1)', async () => {
    const create = defineRoute({
      operation: 'create-integration',
      handle: () => Promise.resolve({ status: 201, body: { data: {} } }),
    });
    const { send } = await service([create]);
    expect((await send('post', '/v2/integrations').expect(201)).body).toMatchObject({ code: 201, data: {} });
    expect((await send('post', '/v2/alerts/x/close')).body).not.toHaveProperty('code');
  });

  it('is answered by one route at most', async () => {
    await expect(
      service([defineRoute({ operation: 'close-alert', handle: () => Promise.reject(new Error()) })]),
    ).rejects.toThrow('Two routes answer close-alert.');
  });
});

describe('a caller', () => {
  it('without a valid signature is refused (K6)', async () => {
    const { send, inputs } = await service();
    const response = await send('post', '/v2/alerts/x/close', stranger).expect(401);
    expect(response.body).toMatchObject({ message: 'Could not authenticate' });
    expect(inputs).toEqual([]);
  });

  it('without the right is refused, the code first (E1, K3)', async () => {
    const { send, inputs } = await service();
    const response = await send('post', '/v2/alerts/x/close', readOnly).expect(403);
    expect(response.text).toMatch(/^\{"code":40301,"message":"To perform this action, use an API key/);
    expect(inputs).toEqual([]);
  });

  it('that is a service has no business with operations', async () => {
    const { send } = await service();
    expect((await send('post', '/v2/alerts/x/close', scheduling)).status).toBe(403);
  });
});

describe('a path', () => {
  it('that is documented and not built is not found, after the rights check', async () => {
    const { send } = await service();
    const response = await send('post', '/v2/alerts').expect(404);
    expect(response.body).toMatchObject({ message: 'No handler found' });
    await send('post', '/v2/alerts', readOnly).expect(403);
    await send('post', '/v2/alerts', stranger).expect(401);
  });

  it('that is not documented is not found', async () => {
    const { send } = await service();
    const response = await send('get', '/v1/incidents').expect(404);
    expect(response.body).toMatchObject({ message: 'No handler found' });
  });

  it('that does not take the method says which it takes', async () => {
    const { send } = await service();
    const response = await send('put', '/v2/alerts/x/close').expect(405);
    expect(response.headers['allow']).toBe('POST');
  });
});

describe('a body (E2, E5)', () => {
  it.each(['application/json', 'application/json; charset=UTF-8', 'Application/JSON', 'application/vnd.api+json', ''])(
    'is read as JSON under the content type %p',
    async (type) => {
      const { send, inputs } = await service();
      await send('post', '/v2/alerts/x/close').send('{"note":"n"}').set('Content-Type', type).expect(202);
      expect(inputs[0]?.body).toEqual({ note: 'n' });
    },
  );

  it.each([undefined, '', 'application/json', 'text/plain'])(
    'may be absent where no field is required, with the content type %p',
    async (type) => {
      const { send, inputs } = await service();
      const request = send('post', '/v2/alerts/x/close');
      await (type === undefined ? request : request.set('Content-Type', type)).expect(202);
      expect(inputs[0]?.body).toEqual({});
    },
  );

  it('that is null is an absent one', async () => {
    const { send, inputs } = await service();
    await send('post', '/v2/alerts/x/close').type('json').serialize(String).send('null').expect(202);
    expect(inputs[0]?.body).toEqual({});
  });

  it.each(['{', '{"note":}', 'note=n', '{"note":"n"} x'])('that is not JSON is malformed: %s', async (text) => {
    const { send, inputs } = await service();
    const response = await send('post', '/v2/alerts/x/close').type('json').serialize(String).send(text).expect(400);
    expect(response.body).toMatchObject({ message: 'Request body is not valid JSON.' });
    expect(inputs).toEqual([]);
  });

  it.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/json; charset=utf-99',
  ])('of the type %s is not supported', async (type) => {
    const { send, inputs } = await service();
    await send('post', '/v2/alerts/x/close').set('Content-Type', type).serialize(String).send('{}').expect(415);
    expect(inputs).toEqual([]);
  });

  it('over 1 MiB is too large, one of 1 MiB is not', async () => {
    const { send, inputs } = await service();
    const ofBytes = (bytes: number) => `{"pad":"${'x'.repeat(bytes - 10)}"}`;
    await send('post', '/v2/alerts/x/close').type('json').serialize(String).send(ofBytes(1_048_576)).expect(202);
    await send('post', '/v2/alerts/x/close').type('json').serialize(String).send(ofBytes(1_048_577)).expect(413);
    expect(inputs).toHaveLength(1);
  });

  it.each([
    ['{"note":5}', { note: 'should be a string' }],
    ['{"tags":[{"name":"a"},{}]}', { 'tags[1].name': 'should be provided' }],
    ['{"tags":"a","note":[]}', { tags: 'should be an array', note: 'should be a string' }],
    ['[]', { body: 'should be an object' }],
    ['"x"', { body: 'should be an object' }],
  ])('with wrong fields names each once: %s (E4)', async (text, errors) => {
    const { send, inputs } = await service();
    const response = await send('post', '/v2/alerts/x/close').type('json').serialize(String).send(text).expect(422);
    expect(response.body).toMatchObject({
      message: 'Request body is not processable. Please check the errors.',
      errors,
    });
    expect(inputs).toEqual([]);
  });

  it('of a GET, or where the route wants none, is ignored', async () => {
    const ignoring = [
      defineRoute({
        operation: 'get-alert',
        body: z.object({}),
        handle: ({ body }) => Promise.resolve({ body: { got: body } }),
      }),
      defineRoute({ operation: 'delete-team', handle: ({ body }) => Promise.resolve({ body: { got: body } }) }),
    ];
    const { send } = await service(ignoring);
    const read = await send('get', '/v2/alerts/x').type('text').serialize(String).send('{').expect(200);
    expect(read.body).toMatchObject({ got: {} });
    await send('delete', '/v2/teams/x').type('text').serialize(String).send('{').expect(200);
  });
});

describe('a query', () => {
  it('with a wrong value is refused, naming the parameter', async () => {
    const flat = defineRoute({
      operation: 'list-on-calls',
      query: z.object({ flat: z.enum(['true', 'false'], 'should be true or false') }),
      handle: () => Promise.resolve({ body: {} }),
    });
    const { send } = await service([flat]);
    const response = await send('get', '/v2/schedules/on-calls?flat=maybe').expect(422);
    expect(response.body).toMatchObject({ errors: { flat: 'should be true or false' } });
  });
});

describe('an error of a route', () => {
  const refusals: [AppError, number, Record<string, string>][] = [
    [new NotFoundError('m'), 404, {}],
    [new NotProcessedError('m'), 404, { 'x-opsgenie-errortype': 'RequestNotProcessed' }],
    [new ConflictError('m'), 409, {}],
    [new InvalidError('m'), 422, {}],
    [new InUseError('m'), 428, {}],
    [
      new ThrottledError('m'),
      429,
      {
        'x-ratelimit-state': 'THROTTLED',
        'x-ratelimit-reason': 'ACCOUNT',
        'x-ratelimit-period-in-sec': '60',
        'retry-after': '1',
      },
    ],
    [new ThrottledError('m', { retryAfterSeconds: 3_540 }), 429, { 'retry-after': '3540' }],
    [new BadGatewayError('m'), 502, {}],
    [new UnavailableError('m', { cause: new Error('10.0.0.7 is down') }), 503, { 'retry-after': '1' }],
    [new GatewayTimeoutError('m'), 504, {}],
  ];

  it.each(refusals)('%p is told in its own words alone (E1, E2)', async (error, status, headers) => {
    const { send, defects } = await service([answering('get-alert', () => Promise.reject(error))]);
    const response = await send('get', '/v2/alerts/x').expect(status);
    expect(Object.keys(response.body as object)).toEqual(['message', 'took', 'requestId']);
    expect(response.body).toMatchObject({ message: 'm' });
    expect(response.headers).toMatchObject(headers);
    expect(defects).toEqual([]);
  });

  it('that nobody expected is a 500 that tells nothing, and is reported once', async () => {
    const error = new Error('secret');
    const { send, defects } = await service([answering('get-alert', () => Promise.reject(error))]);
    const response = await send('get', '/v2/alerts/x').expect(500);
    expect(response.body).toMatchObject({ message: 'Internal Server Error' });
    expect(response.text).not.toContain('secret');
    expect(defects).toEqual([[error, response.headers['x-request-id']]]);
  });

  it('are 503 where the service knows its failure for an outage', async () => {
    const { send, defects } = await service([answering('get-alert', () => Promise.reject(outage))]);
    const response = await send('get', '/v2/alerts/x');
    expect(response.status).toBe(503);
    expect(response.headers).toHaveProperty('retry-after');
    expect(defects).toEqual([]);
  });
});

describe('an internal route', () => {
  it('answers a service, in the same envelope', async () => {
    const { send } = await service();
    const response = await send('put', '/internal/teams/a%20b/defaults?dry=yes', scheduling).send({ teamName: 'Ops' });
    expect(response.body).toMatchObject({
      data: { params: { teamId: 'a b' }, query: { dry: 'yes' }, body: { teamName: 'Ops' }, caller: 'scheduling' },
      requestId: expect.stringMatching(UUID_V7),
    });
  });

  it('is closed to keys and to strangers', async () => {
    const { send } = await service();
    for (const [caller, status] of [
      [principal, 403],
      [stranger, 401],
    ] as const) {
      expect((await send('put', '/internal/teams/x/defaults', caller).send({ teamName: 'Ops' })).status).toBe(status);
    }
  });

  it('refuses a wrong body like any other', async () => {
    const { send } = await service();
    const response = await send('put', '/internal/teams/x/defaults', scheduling).send({}).expect(422);
    expect(response.body).toMatchObject({ errors: { teamName: 'should be provided' } });
  });
});
