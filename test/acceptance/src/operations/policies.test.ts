import { describe, expect, it } from '@jest/globals';
import { deletedAfterEach, inUnits, policyOfType, TYPES, type Fields, type ListedPolicy } from '../system/policies.ts';
import { useSharedSystem } from '../system/system.ts';

const system = useSharedSystem();
const PATH = '/v1/policies';

const NAMES = Object.keys(TYPES);
const without = (body: Fields, field: string): Fields =>
  Object.fromEntries(Object.entries(body).filter(([name]) => name !== field));

const made = deletedAfterEach(system, PATH);

async function create(type: string, more: Fields = {}): Promise<string> {
  const { id } = await system.api.create(PATH, policyOfType(type, more));
  made.push(id);
  return `${PATH}/${id}`;
}
const idOf = (path: string) => path.split('/').at(-1) ?? '';
const read = (path: string) => system.api.read<Fields>(path);
const listed = () => system.api.read<readonly ListedPolicy[]>(PATH);
const post = (path: string, sent?: unknown) => system.api.expect(200, 'POST', path, sent);
const refused = async (expected: number, method: string, path: string, sent?: unknown) =>
  (await system.api.expect(expected, method, path, sent)).body;

describe('policies (part 1, 2.8 and 4.5)', () => {
  it.each(NAMES)(
    'create-policy and get-policy: a policy of type %s is made, and comes back as written',
    async (type) => {
      const answer = await system.api.expect(201, 'POST', PATH, policyOfType(type, { enabled: 'false' }));
      expect(answer.body).toMatchObject({
        result: 'Created',
        data: { id: expect.any(String), name: 'A policy', type, enabled: false },
      });
      const { id } = answer.body['data'] as { id: string };
      made.push(id);
      expect(await read(`${PATH}/${id}`)).toMatchObject({ id, ...policyOfType(type) });
    },
  );

  it.each(NAMES)('create-policy refuses one of type %s without what it needs, and makes nothing', async (type) => {
    const before = await listed();
    const needs = TYPES[type]?.needs ?? '';
    expect(await refused(422, 'POST', PATH, without(policyOfType(type), needs))).toMatchObject({
      errors: { [needs]: expect.any(String) },
    });
    expect(await listed()).toEqual(before);
  });

  it.each([
    ['type', { type: 'notification-renotify' }],
    ['name', { name: 'n'.repeat(513) }],
    ['policyDescription', { policyDescription: 'd'.repeat(513) }],
    ['duration', { duration: inUnits(0, 'minutes') }],
    ['maxRepeatCount', { maxRepeatCount: 21 }],
    ['filter', { filter: { type: 'match-some' } }],
  ])('create-policy refuses a wrong %s and names it', async (field, wrong) => {
    const { errors } = await refused(422, 'POST', PATH, policyOfType('auto-restart-notifications', wrong));
    expect(Object.keys(errors as object).join()).toContain(field);
  });

  it('create-policy refuses a recipient that does not exist, and names it', async () => {
    const recipients = [{ type: 'team', name: 'Unknown team' }];
    const { message } = await refused(404, 'POST', PATH, policyOfType('modify', { recipients }));
    expect(message).toContain('Unknown team');
  });

  it('get-policy names recipients by id and name, however they were written (E10)', async () => {
    const scenario = system.scenario();
    const { id } = await scenario.team('Ops');
    await scenario.users('ada');
    await system.settle();
    const recipients = [scenario.responder('team', 'Ops'), scenario.user('ada'), { type: 'all' }];
    const path = await create('modify', { recipients });
    expect((await read(path))['recipients']).toEqual([
      { type: 'team', id, name: scenario.name('Ops') },
      { type: 'user', id: expect.any(String), username: scenario.address('ada') },
      { type: 'all' },
    ]);
  });

  it.each(NAMES)('update-policy with what was read of one of type %s changes nothing (E10)', async (type) => {
    const path = await create(type);
    const [before, byVersionTwo] = [await read(path), await read(`/v2/policies/${idOf(path)}`)];
    expect((await system.api.expect(200, 'PUT', path, before)).body).toMatchObject({ result: 'Updated' });
    expect(await read(path)).toEqual(before);
    expect(await read(`/v2/policies/${idOf(path)}`)).toEqual(byVersionTwo);
  });

  it('update-policy replaces all but the type, which it refuses to change', async () => {
    const path = await create('auto-close');
    await system.api.expect(200, 'PUT', path, {
      type: 'auto-close',
      name: 'New',
      enabled: true,
      duration: inUnits(1, 'hours'),
    });
    const after = await read(path);
    expect(after).toMatchObject({ name: 'New', enabled: true, duration: inUnits(1, 'hours') });
    expect(after).not.toHaveProperty('timeRestrictions');
    expect(await refused(422, 'PUT', path, policyOfType('notification-suppress'))).toMatchObject({
      errors: { type: expect.any(String) },
    });
    expect(await read(path)).toEqual(after);
  });

  it('enable-policy and disable-policy say what they did; repeated, they say it again', async () => {
    const path = await create('notification-suppress');
    for (const [verb, result, enabled] of [
      ['enable', 'Enabled', true],
      ['enable', 'Enabled', true],
      ['disable', 'Disabled', false],
    ] as const) {
      expect((await post(`${path}/${verb}`)).body).toMatchObject({ result });
      expect(await read(path)).toMatchObject({ enabled });
    }
  });

  it('list-policies groups them: auto-restart, auto-close, notification, modify, each from 0 on', async () => {
    for (const type of NAMES) await create(type, { name: type });
    await create('modify', { name: 'modify again' });
    expect((await listed()).map(({ name, type, order }) => [name, type, order])).toEqual([
      ['auto-restart-notifications', 'auto-restart-notifications', 0],
      ['auto-close', 'auto-close', 0],
      ['notification-suppress', 'notification-suppress', 0],
      ['notification-delay', 'notification-delay', 1],
      ['notification-deduplication', 'notification-deduplication', 2],
      ['modify', 'modify', 0],
      ['modify again', 'modify', 1],
    ]);
  });

  it('change-policy-order moves a policy within its group: first without a target, last beyond the end', async () => {
    const paths: string[] = [];
    for (const name of ['a', 'b', 'c']) {
      await create('auto-close', { name: `between ${name}` });
      paths.push(await create(name === 'b' ? 'notification-delay' : 'notification-suppress', { name }));
    }
    const order = async () =>
      (await listed())
        .filter(({ type }) => type.startsWith('notification'))
        .map(({ name }) => name)
        .join('');
    const move = async (index: number, sent: Fields) => post(`${paths[index] ?? ''}/change-order`, sent);
    expect((await move(2, {})).body).toMatchObject({ result: 'Order Changed' });
    expect(await order()).toBe('cab');
    await move(2, { targetIndex: 1 });
    expect(await order()).toBe('acb');
    await move(0, { targetIndex: 99 });
    expect(await order()).toBe('cba');
    const wrong = await refused(422, 'POST', `${paths[0] ?? ''}/change-order`, { targetIndex: -1 });
    expect(wrong).toMatchObject({ errors: { targetIndex: expect.any(String) } });
    expect(await order()).toBe('cba');
  });

  it('delete-policy: it is gone at once, and the others close the gap', async () => {
    const [first, second] = [await create('modify'), await create('modify', { name: 'second' })];
    expect((await system.api.expect(200, 'DELETE', first)).body).toMatchObject({ result: 'Deleted' });
    expect((await system.api.request('GET', first)).status).toBe(404);
    expect(await listed()).toMatchObject([{ id: idOf(second), order: 0 }]);
  });
});
