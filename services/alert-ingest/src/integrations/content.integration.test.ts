import { AlertCommands } from '@tocsin/events';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { ACCOUNT, OPS, openService, TEAM, type TestService } from '../testing/app-fixture.ts';

let service: TestService;

beforeEach(async () => {
  service = await openService();
  service.teams.put(OPS.id, OPS);
});

const BARE = { type: 'API', name: 'Probe' };
const CONTENT = {
  assignedTeam: { id: OPS.id, name: OPS.name },
  priority: 'P2',
  customPriority: '{{details.p}}',
  tags: ['prod', '{{entity}}'],
  extraProperties: { 'a.b': '{{source}}', $c: 'x' },
  ignoreTagsFromPayload: true,
  ignoreExtraPropertiesFromPayload: true,
};

const create = (fields: object) => service.call('post', '/v2/integrations', { ...BARE, ...fields });
const put = (id: string, body: object, caller = ACCOUNT) => service.call('put', `/v2/integrations/${id}`, body, caller);

async function created(fields: object = {}): Promise<string> {
  const { status, body } = await create(fields);
  expect(status).toBe(201);
  return (body as { data: { id: string } }).data.id;
}

async function detail(id: string): Promise<Record<string, unknown>> {
  return ((await service.call('get', `/v2/integrations/${id}`)).body as { data: Record<string, unknown> }).data;
}

describe('what an integration says of its alerts (wire facts 5)', () => {
  it('is given back as it was written (E10), and a PUT of that changes nothing', async () => {
    const id = await created(CONTENT);
    const before = await detail(id);
    expect(before).toMatchObject(CONTENT);
    expect((await put(id, before)).status).toBe(200);
    expect(await detail(id)).toEqual(before);
    expect((await put(id, await detail(id))).status).toBe(200);
    expect(await detail(id)).toEqual(before);
  });

  it('returns to its defaults by a PUT that leaves it out', async () => {
    const bare = await detail(await created({ name: 'Bare' }));
    const id = await created(CONTENT);
    expect((await put(id, BARE)).status).toBe(200);
    expect(await detail(id)).toEqual({ ...bare, id, name: BARE.name });
  });

  it.each([
    [{ assignedTeam: null, priority: null, customPriority: null, tags: null, extraProperties: null }],
    [{ assignedTeam: {}, priority: '', customPriority: '', tags: [], extraProperties: {} }],
    [{ assignedTeam: { id: '', name: '' }, ignoreTagsFromPayload: null, ignoreExtraPropertiesFromPayload: 'False' }],
  ])('is absent in what clients send for nothing: %j (E5, E12)', async (fields) => {
    const bare = await detail(await created({ name: 'Bare' }));
    const id = await created(fields);
    expect(await detail(id)).toEqual({ ...bare, id, name: BARE.name });
  });

  it('names the assigned team by what it is called now, and 404 where there is none', async () => {
    const id = await created({ assignedTeam: { name: 'Ops' } });
    service.teams.put(OPS.id, { ...OPS, name: 'Night watch' });
    expect(await detail(id)).toMatchObject({ assignedTeam: { id: OPS.id, name: 'Night watch' } });
    for (const assignedTeam of [{ id: 'none' }, { name: 'Missing' }])
      expect((await create({ name: 'Other', assignedTeam })).status).toBe(404);
    expect((await put(id, { ...BARE, assignedTeam: { id: 'none' } })).status).toBe(404);
    expect(await detail(id)).toMatchObject({ assignedTeam: { id: OPS.id } });
  });

  const long = (length: number) => 'x'.repeat(length);
  const many = (count: number) => Array.from({ length: count }, (_, index) => `t${index}`);
  const map = (count: number) => Object.fromEntries(many(count).map((name) => [name, 'v']));

  it.each([
    [{ tags: many(20) }],
    [{ tags: [long(1_000)] }],
    [{ customPriority: long(1_000) }],
    [{ extraProperties: map(1_000) }],
    [{ extraProperties: { [long(1_000)]: long(1_000) } }],
    [{ priority: 'p1' }],
  ])('is taken at its limits', async (fields) => {
    expect((await create(fields)).status).toBe(201);
  });

  it.each([
    [{ tags: many(21) }, 'tags', 'should have at most 20 items'],
    [{ tags: [long(1_001)] }, 'tags[0]', 'should be at most 1000 characters'],
    [{ tags: 'prod' }, 'tags', 'should be a list'],
    [{ customPriority: long(1_001) }, 'customPriority', 'should be at most 1000 characters'],
    [{ extraProperties: map(1_001) }, 'extraProperties', 'should have at most 1000 items'],
    [{ extraProperties: { a: long(1_001) } }, 'extraProperties.a', 'should be at most 1000 characters'],
    [{ extraProperties: ['a'] }, 'extraProperties', 'should be a map of strings'],
    [{ extraProperties: { ['__proto__']: 'x' } }, 'extraProperties', 'should have no name that is __proto__'],
    [{ priority: 'P6' }, 'priority', 'should be one of [ P1, P2, P3, P4, P5 ]'],
    [{ assignedTeam: 'Ops' }, 'assignedTeam', 'should be an object with id or name'],
    [{ ignoreTagsFromPayload: 'x' }, 'ignoreTagsFromPayload', 'should be true or false'],
    [{ ignoreExtraPropertiesFromPayload: 1 }, 'ignoreExtraPropertiesFromPayload', 'should be true or false'],
  ])('is refused over them, and changes nothing: %#', async (fields, field, said) => {
    const id = await created(CONTENT);
    const before = await detail(id);
    for (const answer of [await create({ name: 'Other', ...fields }), await put(id, { ...BARE, ...fields })])
      expect(answer).toMatchObject({ status: 422, body: { errors: { [field]: expect.stringContaining(said) } } });
    expect(await detail(id)).toEqual(before);
  });

  it('is in every alert from the answer on, until a PUT takes it away (E13)', async () => {
    const { priority, tags, extraProperties } = { priority: 'P2', tags: ['{{source}}'], extraProperties: { k: 'v' } };
    const id = await created({ priority, tags, extraProperties, assignedTeam: { name: 'Ops' } });
    const caller = { ...ACCOUNT, integrationId: id };
    const made = async (body: object = {}) => {
      expect((await service.call('post', '/v2/alerts', { message: 'Disk full', ...body }, caller)).status).toBe(202);
      return service.publisher.published.at(-1);
    };
    expect(await made({ source: 'probe', tags: ['sent'], details: { k: 'sent' } })).toMatchObject({
      topic: AlertCommands.name,
      message: {
        alert: {
          priority: 'P2',
          tags: ['sent', 'probe'],
          details: { k: 'sent' },
          responders: [{ type: 'team', id: OPS.id }],
        },
      },
    });
    expect(await made({ priority: 'P5', teams: [{ name: 'Others' }] })).toMatchObject({
      message: { alert: { priority: 'P5', responders: [{ type: 'team', name: 'Others' }] } },
    });
    expect((await put(id, BARE)).status).toBe(200);
    expect(await made()).toMatchObject({
      message: { alert: { priority: 'P3', tags: [], details: {}, responders: [] } },
    });
  });

  it('may be written by the key of the team that owns the integration (K8)', async () => {
    const id = await created({ ownerTeam: { name: 'Ops' } });
    expect((await put(id, { ...BARE, ...CONTENT }, TEAM)).status).toBe(200);
    expect(await detail(id)).toMatchObject({ ...CONTENT, ownerTeam: { id: OPS.id } });
  });
});
