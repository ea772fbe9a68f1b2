import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { OPERATIONS } from '@tocsin/api';
import type { Api } from '../system/api.ts';
import { useSharedSystem } from '../system/system.ts';

const system = useSharedSystem();

type Fields = Readonly<Record<string, unknown>>;

/** Every operation on policies and maintenance windows, about `id`. */
const operations = (id: string) =>
  OPERATIONS.filter(({ path }) => /^\/v[12]\/(policies|maintenance)/.test(path)).map(({ method, path, right }) => ({
    method,
    path: path.replace(/\{\w+\}/, id),
    isWrite: right === 'write-configuration',
    isAboutOne: path.includes('{'),
  }));

const suppress = (name: string) => ({ type: 'notification-suppress', name, enabled: false });

/** Bodies that are in order, so that nothing but the key or the id is wrong. */
function bodyOf(method: string, path: string): Fields | undefined {
  if (method !== 'POST' && method !== 'PUT') return undefined;
  if (path.endsWith('/change-end-date')) return { endDate: '2036-01-01T00:00:00Z' };
  if (path.endsWith('/evaluate')) return { message: 'Disk full' };
  if (path.startsWith('/v1/policies')) return suppress('Refused');
  if (path.startsWith('/v2/policies')) return { type: 'notification', name: 'Refused', enabled: false, suppress: true };
  return { time: { type: 'indefinitely' }, rules: [{ entity: { id: policy, type: 'policy' }, state: 'disabled' }] };
}

let policy: string;
let window: string;
let team: { readonly id: string };

beforeAll(async () => {
  const scenario = system.scenario();
  team = await scenario.team('Ops');
  policy = (await system.api.create('/v1/policies', suppress('Kept'))).id;
  const time = { type: 'schedule', startDate: '2035-01-01T00:00:00Z', endDate: '2035-01-02T00:00:00Z' };
  const rules = [{ entity: { id: policy, type: 'policy' }, state: 'disabled' }];
  window = (await system.api.create('/v1/maintenance', { time, rules })).id;
});

/** Other tests list what there is. */
afterAll(async () => {
  await system.api.expect(200, 'DELETE', `/v1/maintenance/${window}`);
  await system.api.expect(200, 'DELETE', `/v1/policies/${policy}`);
});

const idFor = (path: string) => (path.includes('maintenance') ? window : policy);
const ofAll = () =>
  operations('{id}').map((operation) => ({
    ...operation,
    path: operation.path.replace('{id}', idFor(operation.path)),
  }));

async function keyOf(more: Fields): Promise<Api> {
  const name = system.scenario().name('Key');
  const made = await system.api.create<{ readonly apiKey: string }>('/v2/integrations', { type: 'API', name, ...more });
  await system.settle();
  return system.api.as(made.apiKey);
}

const send = (api: Api, { method, path }: { readonly method: string; readonly path: string }) =>
  api.request(method, path, bodyOf(method, path));

async function expectForbidden(key: Api, forbidden: ReturnType<typeof ofAll>): Promise<void> {
  for (const operation of forbidden) {
    const { status, body } = await send(key, operation);
    const { method, path } = operation;
    expect([method, path, status, body['code']]).toEqual([method, path, 403, 40301]);
  }
}

/** The state before and after a refusal. */
const stored = () =>
  Promise.all(
    [
      '/v1/policies',
      '/v2/policies/notification',
      '/v1/maintenance',
      `/v1/policies/${policy}`,
      `/v1/maintenance/${window}`,
    ].map((path) => system.api.read(path)),
  );

describe('every operation on policies and maintenance windows', () => {
  it.each(['not-an-id', '01890000-0000-7000-8000-000000000000'])('answers 404 where %s is nothing', async (id) => {
    const about = operations(id).filter(({ isAboutOne }) => isAboutOne);
    expect(about).toHaveLength(17);
    for (const operation of about) {
      const { status, body } = await send(system.api, operation);
      expect([operation.method, operation.path, status, body['message']]).toEqual([
        operation.method,
        operation.path,
        404,
        expect.not.stringContaining('No handler'),
      ]);
    }
  });

  it('is refused with 403 and 40301 to a key without access to configuration, and nothing changes (K3)', async () => {
    const [before, key] = [await stored(), await keyOf({})];
    await expectForbidden(key, ofAll());
    expect(await stored()).toEqual(before);
  });

  it('that writes is refused to a key that may only read; each other is answered, evaluate among them (K3)', async () => {
    const [before, key] = [await stored(), await keyOf({ allowConfigurationAccess: true, allowWriteAccess: false })];
    for (const operation of ofAll()) {
      const { status } = await send(key, operation);
      expect([operation.method, operation.path, status]).toEqual([
        operation.method,
        operation.path,
        operation.isWrite ? 403 : 200,
      ]);
    }
    expect(await stored()).toEqual(before);
  });

  it('that writes is refused to the key of a team where the thing is of the account (K4, K8)', async () => {
    const [before, key] = [await stored(), await keyOf({ allowConfigurationAccess: true, ownerTeam: team })];
    const ofTheAccount = ofAll().filter(({ isWrite, path }) => isWrite || path.startsWith('/v1/policies'));
    await expectForbidden(key, ofTheAccount);
    expect(await stored()).toEqual(before);
  });

  it('has no other method: 405 names those that there are', async () => {
    for (const path of [`/v1/policies/${policy}`, `/v2/policies/${policy}`, `/v1/maintenance/${window}`]) {
      const { headers } = await system.api.expect(405, 'PATCH', path, {});
      expect(headers.get('allow')?.split(/, */).sort()).toEqual(['DELETE', 'GET', 'HEAD', 'OPTIONS', 'PUT']);
    }
    for (const path of ['/v1/policies', '/v1/maintenance']) await system.api.expect(405, 'DELETE', path);
    await system.api.expect(405, 'PUT', '/v2/policies', {});
  });
});
