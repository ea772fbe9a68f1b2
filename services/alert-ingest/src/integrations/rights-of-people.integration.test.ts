import { beforeEach, describe, expect, it } from '@jest/globals';
import { OPERATIONS, peopleOf } from '@tocsin/api';
import type { UserPrincipal } from '@tocsin/http';
import { signedIn } from '@tocsin/testkit';
import { nextVersion } from './integration.ts';
import { openService, OPS, type TestService } from '../testing/app-fixture.ts';

const WRITES = OPERATIONS.filter((each) => each.owner === 'alert-ingest' && peopleOf(each) === 'team-admin');
const url = 'https://chat.example.com/services/secret-path';
const webhook = { type: 'Webhook', name: 'Chat', url, ownerTeam: { name: 'Ops' } };
const admin = signedIn({ [OPS.id]: 'admin' });
const member = signedIn({ [OPS.id]: 'user', red: 'admin' });
const refused = (message: string) => ({ status: 403, body: { message } });
const LEAVE = refused('Only an owner or admin of the account can leave an integration without owner team.');

let service: TestService;
let id: string;

beforeEach(async () => {
  service = await openService();
  service.teams.put(OPS.id, OPS);
  service.teams.put('red', { ...OPS, id: 'red', name: 'Red' });
  const { body } = await service.call('post', '/v2/integrations', webhook);
  ({ id } = body['data'] as { id: string });
});

/** Gives the integration to team Red after it is read and before it is written. */
function moveAfterRead(): void {
  const { store } = service;
  const find = store.find.bind(store);
  store.find = async (wanted) => {
    const found = await find(wanted);
    store.find = find;
    await store.update(id, (current) => ({
      ...current,
      ownerTeam: { id: 'red', name: 'Red' },
      version: nextVersion(current),
    }));
    return found;
  };
}

const call = (method: 'get' | 'post' | 'put' | 'delete', path: string, body: object | undefined, by: UserPrincipal) =>
  service.call(method, path, body, by);
const seen = async (by: UserPrincipal) =>
  (await call('get', `/v2/integrations/${id}`, undefined, by)).body['data'] as Record<string, unknown>;

describe('a user who does not administer the owner team', () => {
  it.each(WRITES.map((each) => [each.id]))('is refused by %s (K12)', async (operationId) => {
    const operation = WRITES.find((each) => each.id === operationId);
    if (operation === undefined) throw new RangeError(`${operationId} is no write of an integration.`);
    const path = operation.path.replace('{integrationId}', id);
    const example = operation.body?.example as object | undefined;
    const named = ['create-integration', 'update-integration'].includes(operationId);
    const body = named ? { ...webhook, name: 'New' } : (example ?? {});
    const method = operation.method.toLowerCase() as 'post';
    const answer = await service.call(method, path, body, member);
    expect(answer.status).toBe(403);
    expect(answer.body['message']).toMatch(/^Only an admin of team \[Ops\], or an admin of the account, can /);
  });

  it('is refused before the recipients of a body are looked up', async () => {
    const recipients = [{ type: 'user', username: 'ghost@example.com' }];
    const ours = { type: 'API', name: 'New', ownerTeam: { id: 'red' }, recipients };
    const made = await call('post', '/v2/integrations', { ...ours, ownerTeam: { id: OPS.id } }, member);
    const moved = await call('put', `/v2/integrations/${id}`, { ...webhook, ...ours, type: 'Webhook' }, admin);
    expect([made.status, moved.status]).toEqual([403, 403]);
    expect((await call('post', '/v2/integrations', ours, member)).status).toBe(404);
  });

  it('reads it without what may be secret (K10)', async () => {
    expect(await seen(member)).toMatchObject({ name: 'Chat', url: 'https://chat.example.com/*****' });
    expect((await call('get', `/v2/integrations/${id}/actions`, undefined, member)).status).toBe(200);
    expect((await call('get', '/v2/integrations', undefined, member)).body).toMatchObject({ data: [{ id }] });
  });

  it('cannot ask what only a key can ask about itself (K11)', async () => {
    const answer = await call('post', '/v2/integrations/authenticate', { type: 'API' }, admin);
    expect(answer).toMatchObject({ status: 403, body: { message: 'Only an API key can do this, not a user.' } });
  });
});

describe('an integration that is given to another team while a write of it is under way', () => {
  const ON_IT = WRITES.filter(({ path }) => path.includes('{integrationId}'));

  it.each(ON_IT.map((each) => [each.id, each] as const))('is not changed by %s (K12)', async (_, operation) => {
    moveAfterRead();
    const path = operation.path.replace('{integrationId}', id);
    const sent = operation.id === 'update-integration' ? { ...webhook, name: 'New' } : operation.body?.example;
    const answer = await service.call(operation.method.toLowerCase() as 'post', path, sent ?? {}, admin);
    const message = 'Only an admin of team [Red], or an admin of the account, can change integration [Chat].';
    expect(answer).toMatchObject(refused(message));
    expect(await service.store.find(id)).toMatchObject({ version: { n: 2 }, ownerTeam: { id: 'red' } });
  });

  it('is not removed after it was disabled', async () => {
    const { store } = service;
    const remove = store.remove.bind(store);
    store.remove = async (...given) => {
      await store.update(id, (current) => ({ ...current, ownerTeam: { id: 'red', name: 'Red' } }));
      return remove(...given);
    };
    expect((await call('delete', `/v2/integrations/${id}`, undefined, admin)).status).toBe(403);
    expect(await store.find(id)).toMatchObject({ ownerTeam: { id: 'red' } });
  });
});

describe('an admin of the team', () => {
  it('creates, reads whole, changes, rotates and deletes its integrations', async () => {
    const made = await call(
      'post',
      '/v2/integrations',
      { type: 'API', name: 'Ours', ownerTeam: { id: OPS.id } },
      admin,
    );
    expect(made).toMatchObject({
      status: 201,
      body: { data: { teamId: OPS.id, apiKey: expect.any(String) as unknown } },
    });
    expect(await seen(admin)).toMatchObject({ url });
    const path = `/v2/integrations/${id}`;
    expect((await call('put', path, { ...webhook, name: 'Chat 2' }, admin)).status).toBe(200);
    expect((await call('post', `${path}/rotate-key`, undefined, admin)).status).toBe(200);
    expect((await call('post', `${path}/disable`, undefined, admin)).status).toBe(200);
    expect((await call('delete', path, undefined, admin)).status).toBe(200);
  });

  it('makes no key of the account, neither anew nor by leaving out the owner team (K12)', async () => {
    expect(await call('post', '/v2/integrations', { type: 'API', name: 'All' }, admin)).toMatchObject(LEAVE);
    const { ownerTeam: _, ...without } = webhook;
    expect(await call('put', `/v2/integrations/${id}`, without, admin)).toMatchObject(LEAVE);
    expect(await seen(admin)).toMatchObject({ ownerTeam: { id: OPS.id } });
  });

  it('gives none to a team that they do not administer', async () => {
    const moved = await call('put', `/v2/integrations/${id}`, { ...webhook, ownerTeam: { id: 'red' } }, admin);
    const message = 'Only an admin of team [Red], or an admin of the account, can give it an integration.';
    expect(moved).toMatchObject(refused(message));
  });
});
