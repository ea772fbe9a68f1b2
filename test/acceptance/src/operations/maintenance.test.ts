import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { formatInstant } from '@tocsin/events';
import type { Scenario } from '@tocsin/testkit';
import type { Fields } from '../system/policies.ts';
import { useSharedSystem } from '../system/system.ts';

const system = useSharedSystem();
const PATH = '/v1/maintenance';

const HOUR_MS = 3_600_000;
const inHours = (hours: number): string => formatInstant(new Date(system.clock.now().getTime() + hours * HOUR_MS));
const from = (start: number, end: number) => ({ type: 'schedule', startDate: inHours(start), endDate: inHours(end) });
const planned = () => from(1, 2);
const active = () => from(-24 * 365, 1);
const over = () => from(-2, -1);

let scenario: Scenario;
let made: string[];
let integration: { readonly id: string; readonly apiKey: string };
let policy: string;

beforeEach(async () => {
  made = [];
  scenario = system.scenario();
  integration = await system.api.create('/v2/integrations', { type: 'API', name: scenario.name('Probe') });
  const quiet = { type: 'notification-suppress', name: 'Quiet', enabled: false };
  policy = (await system.api.create('/v1/policies', quiet)).id;
});
/** Other tests list what there is. */
afterEach(async () => {
  for (const path of made) await system.api.request('DELETE', path);
  await system.api.expect(200, 'DELETE', `/v1/policies/${policy}`);
});

const ofIntegration = () => ({ entity: { id: integration.id, type: 'integration' }, state: 'disabled' });
const ofPolicy = () => ({ entity: { id: policy, type: 'policy' }, state: 'enabled' });
const window = (more: Fields = {}): Fields => ({
  description: 'New disks',
  time: planned(),
  rules: [ofIntegration(), ofPolicy()],
  ...more,
});

async function create(more: Fields = {}): Promise<string> {
  const { id } = await system.api.create(PATH, window(more));
  made.push(`${PATH}/${id}`);
  return `${PATH}/${id}`;
}
const read = (path: string) => system.api.read<Fields>(path);
const put = (path: string, body: Fields) => system.api.request('PUT', path, body);
const end = (path: string, hours: number) =>
  system.api.request('POST', `${path}/change-end-date`, { endDate: inHours(hours) });
const cancel = (path: string) => system.api.request('POST', `${path}/cancel`);

/** The windows of this test that a list shows. */
async function listed(query = ''): Promise<readonly Fields[]> {
  const ids = new Set(made.map((path) => path.split('/').at(-1)));
  return (await system.api.read<readonly Fields[]>(PATH + query)).filter(({ id }) => ids.has(id as string));
}

describe('maintenance (part 1, 2.7 and 4.4)', () => {
  it.each(['for-5-minutes', 'for-30-minutes', 'for-1-hour', 'indefinitely'])(
    'create-maintenance %s makes a window that is active at once, its dates left out',
    async (type) => {
      const answer = await system.api.expect(201, 'POST', PATH, window({ time: { type } }));
      const { id } = answer.body['data'] as { id: string };
      made.push(`${PATH}/${id}`);
      const said = { id, status: 'active', time: { type }, description: 'New disks' };
      expect(answer.body).toMatchObject({ result: 'Created' });
      expect(answer.body['data']).toEqual(said);
      expect(await read(`${PATH}/${id}`)).toEqual({ ...said, rules: [ofIntegration(), ofPolicy()] });
    },
  );

  it('create-maintenance, get-maintenance: its status follows from time alone, its rules as they were written', async () => {
    const rules = [{ entity: ofIntegration().entity }, ofPolicy()];
    for (const [status, time] of [
      ['planned', planned()],
      ['active', active()],
      ['past', over()],
    ] as const)
      expect(await read(await create({ time, rules }))).toMatchObject({
        status,
        time,
        rules: [ofIntegration(), ofPolicy()],
      });
  });

  it.each([
    ['time', { time: undefined }],
    ['time.type', { time: { type: 'for-2-hours' } }],
    ['time.startDate', { time: { type: 'schedule', endDate: '2036-01-01T00:00:00Z' } }],
    [
      'time.endDate',
      { time: { type: 'schedule', startDate: '2036-01-01T00:00:00Z', endDate: '2036-01-01T00:00:00Z' } },
    ],
    ['rules', { rules: [] }],
    ['state', { rules: [{ entity: { id: 'x', type: 'integration' }, state: 'enabled' }] }],
    ['state', { rules: [{ entity: { id: 'x', type: 'policy' } }] }],
    ['entity.type', { rules: [{ entity: { id: 'x', type: 'schedule' }, state: 'disabled' }] }],
  ])('create-maintenance refuses a wrong %s and names it', async (field, wrong) => {
    const { body } = await system.api.expect(422, 'POST', PATH, window(wrong));
    expect(Object.keys(body['errors'] as object).join()).toContain(field);
  });

  it.each(['integration', 'policy'])('create-maintenance refuses an unknown %s and names it', async (type) => {
    const rules = [ofPolicy(), { entity: { id: 'not-there', type }, state: 'disabled' }];
    const { body } = await system.api.expect(404, 'POST', PATH, window({ rules }));
    expect(body['message']).toContain('not-there');
  });

  it('update-maintenance replaces a planned window; what was read changes nothing; any other is refused', async () => {
    const path = await create();
    const before = await read(path);
    expect((await put(path, before)).status).toBe(200);
    expect(await read(path)).toEqual(before);
    const { body } = await put(path, { time: from(3, 4), rules: [ofPolicy()] });
    expect(body['data']).toEqual({ id: before['id'], status: 'planned', time: from(3, 4), description: '' });
    expect(await read(path)).toMatchObject({ time: from(3, 4), rules: [ofPolicy()] });
    for (const time of [active(), over()]) {
      const other = await create({ time });
      expect((await put(other, window())).status).toBe(422);
      expect(await read(other)).toMatchObject({ time });
    }
    await cancel(path);
    expect((await put(path, window())).status).toBe(422);
  });

  it('change-maintenance-end-date moves the end of an active window, which is a scheduled one then', async () => {
    const path = await create({ time: { type: 'for-1-hour' } });
    expect((await end(path, 5)).body['data']).toMatchObject({ status: 'active', time: from(0, 5) });
    expect(await read(path)).toMatchObject({ time: from(0, 5), rules: [ofIntegration(), ofPolicy()] });
    expect((await end(path, -1)).status).toBe(422);
    const without = await system.api.expect(422, 'POST', `${path}/change-end-date`, {});
    expect(without.body['errors']).toHaveProperty('endDate');
    for (const time of [planned(), over()]) expect((await end(await create({ time }), 5)).status).toBe(422);
    expect(await read(path)).toMatchObject({ time: from(0, 5) });
  });

  it('cancel-maintenance ends a planned or an active window, once', async () => {
    for (const time of [planned(), active()]) {
      const path = await create({ time });
      expect((await cancel(path)).body).toMatchObject({ result: 'Cancelled' });
      expect(await read(path)).toMatchObject({ status: 'cancelled', time });
      expect((await cancel(path)).status).toBe(422);
    }
    expect((await cancel(await create({ time: over() }))).status).toBe(422);
  });

  it('list-maintenances shows all, those to come, or those that are over, cancelled ones among them', async () => {
    const paths = [await create(), await create({ time: active() }), await create({ time: over() }), await create()];
    await cancel(paths[3] ?? '');
    const all = ['planned', 'active', 'past', 'cancelled'];
    const statuses = async (query: string) => (await listed(query)).map(({ status }) => status);
    for (const query of ['', '?type=all', '?type=', '?type=ALL']) expect(await statuses(query)).toEqual(all);
    expect(await statuses('?type=non-expired')).toEqual(['planned', 'active']);
    expect(await statuses('?type=past')).toEqual(['past', 'cancelled']);
    expect((await listed())[0]).toEqual(expect.not.objectContaining({ rules: expect.anything() }));
    await system.api.expect(422, 'GET', `${PATH}?type=some`);
  });

  it('delete-maintenance: it is gone at once, whatever its status', async () => {
    for (const time of [planned(), active(), over()]) {
      const path = await create({ time });
      expect((await system.api.expect(200, 'DELETE', path)).body).toMatchObject({ result: 'Deleted' });
      for (const method of ['GET', 'DELETE']) await system.api.expect(404, method, path);
    }
    expect(await listed()).toEqual([]);
  });

  it('a window whose policy is deleted keeps its rule (P9)', async () => {
    const other = await system.api.create('/v1/policies', {
      type: 'notification-suppress',
      name: 'Gone',
      enabled: false,
    });
    const rules = [{ entity: { id: other.id, type: 'policy' }, state: 'enabled' }];
    const path = await create({ rules });
    await system.api.expect(200, 'DELETE', `/v1/policies/${other.id}`);
    const before = await read(path);
    expect(before).toMatchObject({ rules });
  });
});

describe('the key of a team', () => {
  it('silences its own integration, and no other thing (K8)', async () => {
    const team = await scenario.team('Ops');
    const { id, apiKey } = await system.api.create<typeof integration>('/v2/integrations', {
      type: 'API',
      name: scenario.name('Own'),
      ownerTeam: team,
      allowConfigurationAccess: true,
    });
    await system.settle();
    const key = system.api.as(apiKey);
    const ownRule = { entity: { id, type: 'integration' }, state: 'disabled' };
    const own = await key.create(PATH, window({ rules: [ownRule] }));
    made.push(`${PATH}/${own.id}`);
    expect(await key.read(`${PATH}/${own.id}`)).toMatchObject({ rules: [ownRule] });
    for (const rules of [[ofIntegration()], [ownRule, ofPolicy()]])
      expect((await key.expect(403, 'POST', PATH, window({ rules }))).body).toMatchObject({ code: 40301 });
    const ofTheAccount = await create();
    for (const [method, path, body] of [
      ['PUT', ofTheAccount, window({ rules: [ownRule] })],
      ['POST', `${ofTheAccount}/cancel`, {}],
      ['DELETE', ofTheAccount, undefined],
    ] as const)
      expect((await key.expect(403, method, path, body)).body).toMatchObject({ code: 40301 });
  });
});
