import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { ManualClock } from '@tocsin/core';
import { type StateMessage, Teams, type TeamState } from '@tocsin/events';
import { PrincipalSigner, PrincipalVerifier, sendingIntegration } from './authentication/index.ts';
import {
  createServiceApp,
  defineInternalRoute,
  InternalClient,
  type InternalRoute,
  type Route,
  type RouteInput,
  stateLookUp,
  stateRoutes,
  statesLookUp,
} from './index.ts';
import { ada } from './testing/principal-samples.ts';

const KEY = 'a-signing-key-of-the-installation';
const clock = new ManualClock(new Date('2026-01-01T00:00:00Z'));
const unavailable = { code: 'unavailable' };

const opened: { server: Server; clients: InternalClient[] }[] = [];

async function serve(listener: RequestListener, { key = KEY, timeoutMs = 10_000 } = {}): Promise<InternalClient> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const client = new InternalClient({
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    signer: new PrincipalSigner([key]),
    caller: 'directory',
    audience: 'scheduling',
    clock,
    timeoutMs,
  });
  opened.push({ server, clients: [client] });
  return client;
}

const serviceOf = (...internalRoutes: InternalRoute[]) => serviceWith([], internalRoutes);

const serviceWith = (routes: readonly Route[], internalRoutes: readonly InternalRoute[] = []) =>
  createServiceApp({
    routes,
    internalRoutes,
    verifier: new PrincipalVerifier([KEY], 'scheduling'),
    clock,
    onDefect: () => undefined,
    meaningOf: (error) => error,
  });

afterEach(async () => {
  for (const { server, clients } of opened.splice(0)) {
    for (const client of clients) await client.close();
    server.closeAllConnections();
    server.close();
  }
});

describe('InternalClient', () => {
  it.each(['get', 'put', 'post', 'delete'] as const)('reaches a route by %s and says who asks', async (verb) => {
    const echo = defineInternalRoute({
      method: verb.toUpperCase() as 'PUT',
      path: '/internal/echo',
      body: z.object({ n: z.number().optional() }),
      handle: ({ body, caller }) => Promise.resolve({ status: 201, body: { data: { body, caller } } }),
    });
    const client = await serve(serviceOf(echo));
    const sends = verb === 'put' || verb === 'post';
    expect(await client[verb]('/internal/echo', { n: 1 })).toMatchObject({
      status: 201,
      body: { data: { body: sends ? { n: 1 } : {}, caller: 'directory' } },
    });
  });

  it('reaches an operation for a user, with the rights of the user and no more, by the id of the request', async () => {
    const seen: RouteInput<unknown, unknown>[] = [];
    const handle = (input: RouteInput<unknown, unknown>) => {
      seen.push(input);
      return Promise.resolve({ status: 202, body: { result: 'Request will be processed' } });
    };
    const client = await serve(serviceWith([{ operation: 'create-alert', body: z.unknown(), handle }]));
    const through = { ...ada('user'), through: 'Slack' };
    const requestId = '0b0a4b3c-6f1c-8f5c-8d5b-3b1c0c3c2a11';
    expect(await client.actingAs(through).post('/v2/alerts', { message: 'x' }, requestId)).toMatchObject({
      status: 202,
    });
    expect(seen).toMatchObject([{ principal: through, requestId, body: { message: 'x' } }]);
    expect(sendingIntegration(through)).toEqual({ id: through.userId, name: 'Slack', type: 'Chat' });
    expect(await client.actingAs(ada('observer')).post('/v2/alerts', {}, requestId)).toMatchObject({ status: 403 });
    expect(seen).toHaveLength(1);
  });

  it('hands back a refusal, which is for the asker to judge', async () => {
    const client = await serve(serviceOf());
    expect(await client.get('/internal/nothing')).toMatchObject({ status: 404, body: { message: 'No handler found' } });
  });

  it('is unavailable when the other service is unavailable', async () => {
    const client = await serve(() => undefined);
    opened[0]?.server.close();
    await expect(client.get('/internal/echo')).rejects.toMatchObject(unavailable);
  });

  it.each<[string, RequestListener]>([
    ['says nothing', () => undefined],
    ['hangs up', (request) => request.socket.destroy()],
    ['stops in the middle', (_, response) => response.writeHead(200).write('{"data":')],
    ['has trouble of its own', (_, response) => response.writeHead(503).end('{}')],
    ['answers no JSON', (_, response) => response.writeHead(200).end('<html>')],
  ])('is unavailable when the other service %s', async (_, listener) => {
    const client = await serve(listener, { timeoutMs: 200 });
    await expect(client.get('/internal/echo')).rejects.toMatchObject(unavailable);
  });

  it('is unavailable when the other service does not know our signing key', async () => {
    const route = defineInternalRoute({
      method: 'GET',
      path: '/internal/x',
      handle: () => Promise.resolve({ body: {} }),
    });
    const client = await serve(serviceOf(route), { key: 'the-signing-key-of-another-installation' });
    await expect(client.get('/internal/x')).rejects.toMatchObject(unavailable);
  });
});

describe('the look-up of a state', () => {
  const ops: StateMessage<TeamState> = {
    id: 'b8f1d1b0-1d5c-4f0e-8a8a-6a3e7f0d9c11',
    version: { epoch: 1, n: 1 },
    deleted: false,
    state: {
      id: 'b8f1d1b0-1d5c-4f0e-8a8a-6a3e7f0d9c11',
      name: 'Ops & Söhne',
      description: '',
      members: [],
      routingRules: [],
    },
  };
  const web = { ...ops, id: '2', state: { ...ops.state, id: '2', name: 'Web' } };
  const routes = stateRoutes(Teams, (index, values) =>
    Promise.resolve([ops, web].filter(({ state }) => index === 'name' && values.includes(state.name))),
  );

  it('finds what the owner has, by any key', async () => {
    const lookUp = stateLookUp(await serve(serviceOf(...routes)));
    expect(await lookUp(Teams, 'name', 'Ops & Söhne')).toEqual(ops);
  });

  it('finds nothing where the owner has nothing', async () => {
    const lookUp = stateLookUp(await serve(serviceOf(...routes)));
    expect(await lookUp(Teams, 'id', ops.id)).toBeUndefined();
  });

  it('finds all that the owner has of many', async () => {
    const lookUp = statesLookUp(await serve(serviceOf(...routes)));
    const names = Array.from({ length: 98 }, (_, n) => `${n} ${'\u0000'.repeat(1_000)}`);
    expect(await lookUp(Teams, 'name', [...names, 'Web', 'Ops & Söhne'])).toEqual([ops, web]);
    expect(await lookUp(Teams, 'id', names)).toEqual([]);
  });

  it('refuses more than 100 keys', async () => {
    const client = await serve(serviceOf(...routes));
    const keys = (count: number) => ({ index: 'name', values: Array.from({ length: count }, () => 'Web') });
    expect(await client.post('/internal/states/teams.v1', keys(100))).toMatchObject({ status: 200 });
    expect(await client.post('/internal/states/teams.v1', keys(101))).toMatchObject({
      status: 422,
      body: { errors: { values: 'should have at most 100 items' } },
    });
  });

  it('is unavailable when the owner answers what is no state', async () => {
    const broken = stateRoutes(Teams, () => Promise.resolve([{ id: 'x' }] as never));
    const client = await serve(serviceOf(...broken));
    await expect(stateLookUp(client)(Teams, 'id', 'x')).rejects.toMatchObject(unavailable);
    await expect(statesLookUp(client)(Teams, 'id', ['x', 'y'])).rejects.toMatchObject(unavailable);
  });

  it('asks for a key', async () => {
    const client = await serve(serviceOf(...routes));
    expect(await client.get('/internal/states/teams.v1')).toMatchObject({ status: 422 });
  });
});
