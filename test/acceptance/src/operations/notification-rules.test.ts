import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Scenario } from '@tocsin/testkit';
import { useSharedSystem } from '../system/system.ts';

const system = useSharedSystem();
let scenario: Scenario;
let email: string;
let rules: string;

beforeEach(async () => {
  scenario = system.scenario();
  await scenario.users('ada', 'bob');
  email = scenario.address('ada');
  rules = `/v2/users/${email}/notification-rules`;
});

interface Listed {
  readonly id: string;
  readonly name: string;
  readonly actionType: string;
  readonly order: number;
  readonly enabled: boolean;
}

const night = {
  type: 'time-of-day',
  restriction: { startHour: 22, startMin: 15, endHour: 6, endMin: 0 },
};
const p1 = {
  type: 'match-all-conditions',
  conditions: [{ field: 'priority', not: false, operation: 'equals', expectedValue: 'P1' }],
};

const rule = (changes: Readonly<Record<string, unknown>> = {}) => ({
  name: 'At night',
  actionType: 'create-alert',
  enabled: true,
  order: 0,
  criteria: p1,
  timeRestriction: night,
  repeat: { loopAfter: 5, enabled: true },
  steps: [{ contact: { method: 'email', to: email }, sendAfter: { timeAmount: 2 }, enabled: true }],
  ...changes,
});

const create = (changes?: Readonly<Record<string, unknown>>) => system.api.create<Listed>(rules, rule(changes));
const listed = async (actionType: string, path = rules) =>
  (await system.api.read<readonly Listed[]>(path)).filter((each) => each.actionType === actionType);

describe('notification rules (part 3, 4.3)', () => {
  it('create-notification-rule answers 201 with id, name, actionType, order and enabled', async () => {
    const made = await create();
    const { name, actionType, enabled, order } = rule();
    expect(made).toEqual({ id: expect.any(String), name, actionType, order, enabled });
    expect((await system.api.request('POST', rules, rule({ actionType: 'breakfast' }))).status).toBe(422);
    const start = { actionType: 'schedule-start', steps: [] };
    expect((await system.api.request('POST', rules, rule(start))).status).toBe(422);
    const stranger = [{ contact: { method: 'sms', to: '1-1' }, sendAfter: { timeAmount: 0 }, enabled: true }];
    expect((await system.api.request('POST', rules, rule({ steps: stranger }))).status).toBe(404);
  });

  it('list-notification-rules answers the rules with dense orders', async () => {
    const made = await create();
    const items = await listed('create-alert');
    expect(items.map(({ id, order }) => [id, order])).toEqual([
      [made.id, 0],
      [expect.any(String), 1],
    ]);
    expect(Object.keys(items[0] ?? {}).sort()).toEqual(['actionType', 'enabled', 'id', 'name', 'order']);
  });

  it('get-notification-rule answers what was written, in canonical form', async () => {
    const { id } = await create();
    const { repeat, ...same } = rule();
    expect(await system.api.read(`${rules}/${id}`)).toMatchObject({
      ...same,
      repeat: expect.objectContaining({ loopAfter: repeat.loopAfter, enabled: true }),
      steps: [{ contact: { method: 'email', to: email }, sendAfter: { timeAmount: 2, timeUnit: 'minutes' } }],
    });
  });

  it('update-notification-rule changes what is sent; a PATCH of what was read changes nothing', async () => {
    const { id } = await create();
    const before = await system.api.read<Record<string, unknown>>(`${rules}/${id}`);
    await system.api.expect(200, 'PATCH', `${rules}/${id}`, before);
    expect(await system.api.read(`${rules}/${id}`)).toEqual(before);
    const { body } = await system.api.expect(200, 'PATCH', `${rules}/${id}`, { name: 'By night', order: 1 });
    expect(body).toMatchObject({ data: { id, name: 'By night', actionType: 'create-alert', order: 1, enabled: true } });
    expect((await listed('create-alert')).map(({ order }) => order)).toEqual([0, 1]);
  });

  it('disable-notification-rule and enable-notification-rule answer the id', async () => {
    const { id } = await create();
    const disabled = await system.api.expect(200, 'POST', `${rules}/${id}/disable`);
    expect(disabled.body).toMatchObject({ result: 'Disabled', data: { id } });
    expect(await system.api.read(`${rules}/${id}`)).toMatchObject({ enabled: false });
    const enabled = await system.api.expect(200, 'POST', `${rules}/${id}/enable`);
    expect(enabled.body).toMatchObject({ result: 'Enabled', data: { id } });
  });

  it('change-notification-rule-order moves a rule within its action type', async () => {
    const { id } = await create();
    await system.api.expect(200, 'POST', `${rules}/${id}/change-order`, { order: 1 });
    expect((await listed('create-alert')).at(1)?.id).toBe(id);
    await system.api.expect(200, 'POST', `${rules}/${id}/change-order`, {});
    expect((await listed('create-alert')).at(0)?.id).toBe(id);
    expect((await system.api.request('POST', `${rules}/${id}/change-order`, { order: 2 })).status).toBe(422);
  });

  it('delete-notification-rule answers Deleted and closes the gap', async () => {
    const { id } = await create();
    expect((await system.api.expect(200, 'DELETE', `${rules}/${id}`)).body).toMatchObject({ result: 'Deleted' });
    expect((await listed('create-alert')).map(({ order }) => order)).toEqual([0]);
    expect((await system.api.request('GET', `${rules}/${id}`)).status).toBe(404);
  });

  it.each([
    ['copy-notification-rules', 'PATCH'],
    ['copy-notification-rules-by-post', 'POST'],
  ])('%s replaces the rules of others', async (_, method) => {
    await create();
    const bob = `/v2/users/${scenario.address('bob')}/notification-rules`;
    const copy = { toUsers: [scenario.address('bob')], ruleTypes: ['new-alert'] };
    expect((await system.api.expect(200, method, `${rules}/copy-to`, copy)).body['result']).toEqual(expect.any(String));
    const copied = await listed('create-alert', bob);
    expect(copied.map(({ name }) => name)).toEqual((await listed('create-alert')).map(({ name }) => name));
    const { steps } = await system.api.read<{ steps: unknown }>(`${bob}/${copied[0]?.id}`);
    expect(steps).toMatchObject([{ contact: { method: 'email', to: scenario.address('bob') } }]);
    const unknown = { toUsers: ['unknown@example.com'], ruleTypes: ['all'] };
    const refused = await system.api.request(method, `${rules}/copy-to`, unknown);
    expect(refused.status).toBe(404);
    expect(refused.body['message']).toContain('unknown@example.com');
  });
});

describe('notification rule steps (part 3, 4.4)', () => {
  const step = () => ({ contact: { method: 'email', to: email }, sendAfter: { timeAmount: 7 }, enabled: true });
  let steps: string;
  let id: string;

  beforeEach(async () => {
    const made = await create({ steps: [] });
    steps = `${rules}/${made.id}/steps`;
    ({ id } = await system.api.create(steps, step()));
  });

  it('create-notification-step answers 201 Created with the id', async () => {
    const { body } = await system.api.expect(201, 'POST', steps, step());
    expect(body).toMatchObject({ result: 'Created', data: { id: expect.any(String) } });
    const hasty = { ...step(), sendAfter: undefined };
    expect((await system.api.request('POST', steps, hasty)).status).toBe(422);
  });

  it('get-notification-step and list-notification-steps answer the step with its parent', async () => {
    const expected = { ...step(), id, sendAfter: { timeAmount: 7, timeUnit: 'minutes' } };
    expect(await system.api.read(`${steps}/${id}`)).toMatchObject({ ...expected, _parent: { name: 'At night' } });
    expect(await system.api.read(steps)).toMatchObject([expected]);
    expect((await system.api.request('GET', `${steps}/nothing`)).status).toBe(404);
  });

  it('update-notification-step changes what is sent', async () => {
    const { body } = await system.api.expect(200, 'PATCH', `${steps}/${id}`, { sendAfter: { timeAmount: 9 } });
    expect(body).toMatchObject({ result: 'Updated', data: { id } });
    expect(await system.api.read(`${steps}/${id}`)).toMatchObject({ sendAfter: { timeAmount: 9 }, enabled: true });
  });

  it('disable-notification-step and enable-notification-step answer the id', async () => {
    const disabled = await system.api.expect(200, 'POST', `${steps}/${id}/disable`);
    expect(disabled.body).toMatchObject({ result: 'Disabled', data: { id } });
    expect(await system.api.read(`${steps}/${id}`)).toMatchObject({ enabled: false });
    const enabled = await system.api.expect(200, 'POST', `${steps}/${id}/enable`);
    expect(enabled.body).toMatchObject({ result: 'Enabled', data: { id } });
  });

  it('delete-notification-step answers Deleted', async () => {
    expect((await system.api.expect(200, 'DELETE', `${steps}/${id}`)).body).toMatchObject({ result: 'Deleted' });
    expect(await system.api.read(steps)).toEqual([]);
  });
});
