import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { systemClock } from '@tocsin/core';
import { OPERATIONS, type Method, type Operation } from '@tocsin/api';
import type { ServiceName } from '@tocsin/events';
import { startMongo, type OwnMongo } from '@tocsin/testkit';
import { Api } from './system/api.ts';
import type { Answer } from './system/answer.ts';
import { startComposed, type ComposedService } from './system/composed-service.ts';
import { newInstallation } from './system/installation.ts';
import { RECIPES } from './system/recipes.ts';

const ID = 'f2c8a1de-5b07-4d5e-9c53-6a0b7a3d1e42';
const OWNER = 'owner@example.com';
const SEARCH = { name: 'Mine', query: 'status:open', owner: { username: OWNER } };
const CLOSED_PORT = 'smtp://127.0.0.1:9';

type Asked = readonly [owner: ServiceName, kind: string, method: Method, path: string, body?: object];

/** One of each kind of every service that owns a database. */
const ASKED: readonly Asked[] = [
  ['alert-ingest', 'list', 'GET', '/v2/integrations'],
  ['alert-ingest', 'read', 'GET', `/v2/integrations/${ID}`],
  ['alert-ingest', 'write', 'POST', '/v2/integrations', { name: 'New', type: 'API' }],
  ['alert-processor', 'list', 'GET', '/v2/alerts'],
  ['alert-processor', 'read', 'GET', `/v2/alerts/${ID}`],
  ['alert-processor', 'write', 'POST', '/v2/alerts/saved-searches', SEARCH],
  ['scheduling', 'list', 'GET', '/v2/schedules'],
  ['scheduling', 'read', 'GET', `/v2/schedules/${ID}`],
  ['scheduling', 'write', 'POST', '/v2/schedules', { name: 'New' }],
  ['directory', 'list', 'GET', '/v2/users'],
  ['directory', 'read', 'GET', `/v2/users/${ID}`],
  ['directory', 'write', 'POST', '/v2/teams', { name: 'New' }],
];

let mongo: OwnMongo;
let api: Api;
let services: readonly ComposedService[];
/** By method and path; all were asked at once, because each takes seconds. */
let answers: ReadonlyMap<string, Answer>;
beforeAll(async () => {
  mongo = await startMongo();
  const installation = await newInstallation(CLOSED_PORT, 'silent');
  const start = (recipe: (typeof RECIPES)[number]) => {
    const environment = { ...installation.environmentOf(recipe.name), MONGODB_URI: mongo.uri };
    return startComposed(recipe, environment, systemClock, () => undefined);
  };
  services = await Promise.all(RECIPES.map(start));
  api = new Api(installation.gatewayUrl);
  await api.create('/v2/users', { username: OWNER, fullName: 'Owner', role: { name: 'User' } });
  await mongo.kill();
  const answered = ASKED.map(
    async ([, , method, path, body]) => [`${method} ${path}`, await api.request(method, path, body)] as const,
  );
  answers = new Map(await Promise.all(answered));
});
afterAll(async () => {
  await mongo.restart();
  await Promise.all(services.map((service) => service.stop()));
  await mongo.stop();
});

/** Asked with an id and nothing else: what needs more is refused before the database is asked. */
async function answerTo({ method, path }: Operation): Promise<Answer> {
  const body = method === 'GET' || method === 'DELETE' ? undefined : {};
  return api.request(method, path.replaceAll(/\{\w+\}/g, ID), body);
}

describe('a service whose MongoDB is gone', () => {
  it.each(ASKED)('%s answers a %s with 503 and the envelope (E2)', (...[, , method, path]) => {
    const answer = answers.get(`${method} ${path}`);
    if (answer === undefined) throw new Error('it was not asked');
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, expect.stringMatching(/^\d+$/)]);
    expect(answer.body).toMatchObject({ message: expect.any(String), took: expect.any(Number) });
    expect(answer.body['requestId']).toBe(answer.headers.get('x-request-id'));
  });

  it('answers no operation as a defect of its own', async () => {
    const all = await Promise.all(
      OPERATIONS.map(async (operation) => ({ id: operation.id, status: (await answerTo(operation)).status })),
    );
    expect(all.filter(({ status }) => status === 500)).toEqual([]);
  });
});
