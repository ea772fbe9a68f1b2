import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Scenario } from '@tocsin/testkit';
import {
  ALERT_POLICY,
  deletedAfterEach,
  EFFECT_NAMES,
  EFFECTS,
  notificationPolicy,
  type Fields,
  type ListedPolicy,
} from '../system/policies.ts';
import { useSharedSystem } from '../system/system.ts';

const system = useSharedSystem();
const PATH = '/v2/policies';
const made = deletedAfterEach(system, PATH);

let scenario: Scenario;
let team: { readonly id: string };
beforeEach(async () => {
  scenario = system.scenario();
  team = await scenario.team('Ops');
});

const ofTeam = () => `?teamId=${team.id}`;
async function create(body: Fields, query = ''): Promise<string> {
  const { id } = await system.api.create(PATH + query, body);
  made.push(id);
  return `${PATH}/${id}`;
}
const idOf = (path: string) => path.split('/').at(-1) ?? '';
const read = (path: string) => system.api.read<Fields>(path);
const names = async (path: string) => (await system.api.read<readonly ListedPolicy[]>(path)).map(({ name }) => name);
const post = (path: string, sent?: unknown) => system.api.expect(200, 'POST', path, sent);

const deduplicating = (deduplicationAction: Fields) => ({ ...notificationPolicy(), deduplicationAction });

describe('policies of version 2 (wire facts 5)', () => {
  it.each([
    ['alert', ALERT_POLICY],
    ...EFFECT_NAMES.map((effect) => [effect, notificationPolicy(effect)] as const),
    ['every effect', notificationPolicy(...EFFECT_NAMES)],
  ] as const)(
    'create-policy-v2, get-policy-v2, update-policy-v2: %s comes back as written, of account and team',
    async (_, body) => {
      for (const query of ['', ofTeam()]) {
        const answer = await system.api.expect(201, 'POST', PATH + query, body);
        const data = { id: expect.any(String), name: 'A policy', enabled: false };
        expect(answer.body).toMatchObject({ result: 'Created', data });
        const { id } = answer.body['data'] as { id: string };
        made.push(id);
        const before = await read(`${PATH}/${id}${query}`);
        expect(before).toMatchObject({ id, ...body });
        const { body: updated } = await system.api.expect(200, 'PUT', `${PATH}/${id}${query}`, before);
        expect(updated).toMatchObject({ result: 'Updated' });
        expect(await read(`${PATH}/${id}`)).toEqual(before);
      }
    },
  );

  it('create-policy-v2, update-policy-v2, get-policy-v2: details as a list and as a map, the older name of deduplication', async () => {
    const { deduplicationAction: said } = EFFECTS.deduplicationAction;
    const older = { deduplicationActionAction: { deduplicationType: 'value-based', count: said.count } };
    const path = await create({ ...notificationPolicy(), ...older }, ofTeam());
    expect(await read(path)).toMatchObject({ deduplicationAction: said });
    const other = await create({ ...ALERT_POLICY, details: ['rack'] });
    await system.api.expect(200, 'PUT', other, { ...ALERT_POLICY, details: { 'rack.row': 'b2' } });
    expect(await read(other)).toMatchObject({ details: { 'rack.row': 'b2' } });
  });

  it.each([
    ['type', { ...ALERT_POLICY, type: 'incident' }],
    ['message', { ...ALERT_POLICY, message: '' }],
    ['message', { ...ALERT_POLICY, message: '{{message.extract(/(?=a)b/, 0)}}' }],
    ['priority', { ...ALERT_POLICY, priority: 'P6' }],
    ['name', { ...ALERT_POLICY, name: '' }],
    ['count', deduplicating({ deduplicationActionType: 'value-based', count: 1 })],
    ['count', deduplicating({ deduplicationActionType: 'value-based', count: 101 })],
    ['duration', deduplicating({ deduplicationActionType: 'frequency-based', count: 2 })],
    [
      'untilHour',
      { ...notificationPolicy(), delayAction: { delayOption: 'next-time', untilHour: 24, untilMinute: 0 } },
    ],
  ])('create-policy-v2 refuses a wrong %s and names it', async (field, wrong) => {
    const { body } = await system.api.expect(422, 'POST', PATH + ofTeam(), wrong);
    expect(Object.keys(body['errors'] as object).join()).toContain(field);
    expect(await names(`${PATH}/notification${ofTeam()}`)).toEqual([]);
  });

  it('create-policy-v2 of a team, or with a responder, that does not exist answers 404 and names it', async () => {
    const missing = '01890000-0000-7000-8000-000000000000';
    const ofMissingTeam = await system.api.expect(404, 'POST', `${PATH}?teamId=${missing}`, ALERT_POLICY);
    expect(ofMissingTeam.body['message']).toContain(missing);
    const responders = [{ type: 'user', id: missing }];
    const { body } = await system.api.expect(404, 'POST', PATH, { ...ALERT_POLICY, responders });
    expect(body['message']).toContain(missing);
  });

  it('list-alert-policies-v2, list-notification-policies-v2: of the account, or of one team, in order', async () => {
    await create({ ...ALERT_POLICY, name: 'account' });
    await create({ ...notificationPolicy('suppress'), name: 'quiet' });
    await create({ ...ALERT_POLICY, name: 'first' }, ofTeam());
    await create({ ...ALERT_POLICY, name: 'second' }, ofTeam());
    expect(await names(`${PATH}/alert`)).toEqual(['account']);
    expect(await names(`${PATH}/notification`)).toEqual(['quiet']);
    expect(await names(`${PATH}/notification${ofTeam()}`)).toEqual([]);
    expect(await system.api.read(`${PATH}/alert${ofTeam()}`)).toEqual([
      { id: made[2], name: 'first', type: 'alert', order: 0, enabled: false },
      { id: made[3], name: 'second', type: 'alert', order: 1, enabled: false },
    ]);
  });

  it('enable-policy-v2, disable-policy-v2 and delete-policy-v2 do so, and say it', async () => {
    const path = await create(notificationPolicy('suppress'), ofTeam());
    expect((await post(`${path}/enable${ofTeam()}`, { id: idOf(path), Type: 'notification' })).body).toMatchObject({
      result: 'Enabled',
    });
    expect(await read(path)).toMatchObject({ enabled: true });
    expect((await post(`${path}/disable`)).body).toMatchObject({ result: 'Disabled' });
    expect(await read(path)).toMatchObject({ enabled: false });
    expect((await system.api.expect(200, 'DELETE', path + ofTeam())).body).toMatchObject({ result: 'Deleted' });
    await system.api.expect(404, 'GET', path + ofTeam());
    await system.api.expect(404, 'DELETE', path);
  });

  it('change-policy-order-v2 moves a policy among those of its scope and kind', async () => {
    for (const name of ['a', 'b', 'c']) {
      await create({ ...ALERT_POLICY, name }, ofTeam());
      await create({ ...ALERT_POLICY, name: `account ${name}` });
      await create({ ...notificationPolicy('suppress'), name: `quiet ${name}` }, ofTeam());
    }
    const c = `${PATH}/${made[6] ?? ''}/change-order${ofTeam()}`;
    expect((await post(c, { Type: 'alert' })).body).toMatchObject({ result: 'Order Changed' });
    expect(await names(`${PATH}/alert${ofTeam()}`)).toEqual(['c', 'a', 'b']);
    await post(c, { targetIndex: 1 });
    expect(await names(`${PATH}/alert${ofTeam()}`)).toEqual(['a', 'c', 'b']);
    await post(c, { targetIndex: 3 });
    expect(await names(`${PATH}/alert${ofTeam()}`)).toEqual(['a', 'b', 'c']);
    await system.api.expect(422, 'POST', c, { targetIndex: -1 });
    expect(await names(`${PATH}/alert`)).toEqual(['account a', 'account b', 'account c']);
    expect(await names(`${PATH}/notification${ofTeam()}`)).toEqual(['quiet a', 'quiet b', 'quiet c']);
  });
});
