import { beforeEach, describe, expect, it } from '@jest/globals';
import { collectionOf } from '@tocsin/mongo';
import {
  type PolicyFixture,
  policyFixture,
  V1_BODIES,
  V1_TYPES,
  type V1Type,
  V2_BODIES,
  V2_TYPES,
  type V2Type,
} from '../testing/policy-fixture.ts';

/** The n-th id of an imported policy. */
const idOf = (n: number) => `4f8fad5b-d9cb-469f-a165-${String(n).padStart(12, '0')}`;
const ID = idOf(0);

let fixture: PolicyFixture;

beforeEach(async () => {
  fixture = await policyFixture();
});

const put = (id: string, body: object, version = '') =>
  fixture.send('put', `/v2/imports/policies${version}/${id}`, body);
const result = async (request: ReturnType<typeof put>) => {
  const { body, status } = await request;
  return status === 200 ? (body as { result: string }).result : status;
};
const v2 = (type: V2Type, more: object = {}) => ({ ...V2_BODIES[type], type, ...more });
const v1 = (type: V1Type, more: object = {}) => ({ ...V1_BODIES[type], type, ...more });
const names = async (query = '') =>
  ((await fixture.read(`/v2/policies/alert${query}`)) as readonly { name: string }[]).map(({ name }) => name);

describe('PUT /v2/imports/policies/{identifier}', () => {
  it.each(V2_TYPES)(
    'creates a policy of type %s as a create does, of the account and of a team, once',
    async (type) => {
      for (const [index, teamId] of [undefined, 'ops'].entries()) {
        const id = idOf(index);
        const body = v2(type, { teamId, enabled: false });
        expect(await put(id, body)).toMatchObject({ status: 200, body: { result: 'Created', data: { id } } });
        expect(await result(put(id, body))).toBe('Unchanged');
        const query = teamId === undefined ? '' : `?teamId=${teamId}`;
        const made = await fixture.v2(type, { enabled: false }, teamId);
        const shown = (await fixture.read(`/v2/policies/${id}${query}`)) as object;
        expect(shown).toEqual({ ...((await fixture.read(`/v2/policies/${made}${query}`)) as object), id });
      }
    },
  );

  it('replaces a policy; what the body leaves out returns to its default', async () => {
    await put(ID, v2('notification', { enabled: false }));
    expect(await result(put(ID, { type: 'notification', name: 'Bare' }))).toBe('Updated');
    expect(await fixture.read(`/v2/policies/${ID}`)).toMatchObject({
      name: 'Bare',
      enabled: true,
      policyDescription: '',
    });
  });

  it('keeps the order of the other account, whichever comes first and whatever is missing, and a repeat moves none', async () => {
    await fixture.v2('alert', { name: 'own' });
    const policies = [
      ['c', 7],
      ['a', 0],
      ['e', 12],
      ['b', 3],
    ] as const;
    const importAll = () =>
      Promise.all(policies.map(([name, order], n) => result(put(idOf(n), v2('alert', { name, order })))));
    for (const [n, [name, order]] of policies.entries())
      expect(await result(put(idOf(n), v2('alert', { name, order })))).toBe('Created');
    const imported = async () => (await names()).filter((name) => name !== 'own');
    expect(await imported()).toEqual(['a', 'b', 'c', 'e']);
    const before = await names();
    expect(await importAll()).toEqual(policies.map(() => 'Unchanged'));
    expect(await names()).toEqual(before);
    expect(await result(put(idOf(9), v2('alert', { name: 'd', order: 9 })))).toBe('Created');
    expect(await imported()).toEqual(['a', 'b', 'c', 'd', 'e']);
    expect(await importAll()).toEqual(policies.map(() => 'Unchanged'));
    expect(await imported()).toEqual(['a', 'b', 'c', 'd', 'e']);
  });

  it('moves a policy whose place in the other account has changed, and leaves one where a user has put it here', async () => {
    for (const [order, name] of ['a', 'b', 'c'].entries()) await put(idOf(order), v2('alert', { name, order }));
    expect(await result(put(idOf(2), v2('alert', { name: 'c', order: 0 })))).toBe('Updated');
    expect(await names()).toEqual(['c', 'a', 'b']);
    await fixture.send('post', `/v2/policies/${idOf(2)}/change-order`, { targetIndex: 2 });
    expect(await result(put(idOf(2), v2('alert', { name: 'c', order: 0 })))).toBe('Unchanged');
    expect(await result(put(idOf(2), v2('alert', { name: 'new', order: 0 })))).toBe('Updated');
    expect(await names()).toEqual(['a', 'b', 'new']);
    expect(await result(put(idOf(2), v2('alert', { name: 'new' })))).toBe('Unchanged');
  });

  it('is first with order 0, and the last without', async () => {
    await fixture.v2('alert', { name: 'own' });
    await put(idOf(1), v2('alert', { name: 'first', order: 0 }));
    await put(idOf(2), v2('alert', { name: 'last' }));
    expect(await names()).toEqual(['first', 'own', 'last']);
    expect(await collectionOf(fixture.connection, 'policies').distinct('order')).toEqual([0, 1, 2]);
  });

  it('creates a policy again that was deleted', async () => {
    await put(ID, v2('alert'));
    await fixture.send('delete', `/v2/policies/${ID}`);
    expect(await result(put(ID, v2('alert')))).toBe('Created');
    expect(await fixture.read(`/v2/policies/${ID}`)).toMatchObject({ id: ID });
  });

  it('of 20 requests at once creates one policy', async () => {
    const results = await Promise.all(Array.from({ length: 20 }, () => result(put(ID, v2('alert', { order: 0 })))));
    expect(results.toSorted()).toEqual(['Created', ...Array.from({ length: 19 }, () => 'Unchanged')]);
  });

  it.each([
    ['order', { order: -1 }],
    ['order', { order: 'first' }],
    ['teamId', { teamId: 'ops' }],
    ['type', { type: 'notification' }],
    ['name', { name: '' }],
    ['filter.conditions[0].expectedValue', badPattern()],
  ])('refuses with 422, naming %s, and changes nothing: %j', async (field, changes) => {
    await put(ID, v2('alert'));
    const before = await fixture.read(`/v2/policies/${ID}`);
    expect(await put(ID, v2('alert', changes))).toMatchObject({
      status: 422,
      body: { errors: { [field]: expect.any(String) } },
    });
    expect(await fixture.read(`/v2/policies/${ID}`)).toEqual(before);
  });

  it('answers 404 to a team or a responder that does not exist', async () => {
    expect((await put(ID, v2('alert', { teamId: 'gone' }))).status).toBe(404);
    expect((await put(ID, v2('alert', { responders: [{ type: 'user', id: 'gone' }] }))).status).toBe(404);
  });
});

/** A filter with a pattern that no engine reads. */
function badPattern() {
  const conditions = [{ field: 'message', operation: 'matches', expectedValue: '(' }];
  return { filter: { type: 'match-all-conditions', conditions } };
}

describe('PUT /v2/imports/policies-v1/{identifier}', () => {
  it.each(V1_TYPES)('creates a policy of type %s as a create does, once', async (type) => {
    expect(await result(put(ID, v1(type, { order: 0 }), '-v1'))).toBe('Created');
    expect(await result(put(ID, v1(type, { order: 0 }), '-v1'))).toBe('Unchanged');
    const made = await fixture.v1(type);
    expect(await fixture.read(`/v1/policies/${ID}`)).toEqual({
      ...((await fixture.read(`/v1/policies/${made}`)) as object),
      id: ID,
    });
  });

  it('changes of a policy that version 2 shows too what version 1 shows, and not its place', async () => {
    await put(idOf(1), v2('alert', { order: 0 }));
    await put(ID, v2('notification', { order: 4 }));
    const before = await fixture.read(`/v2/policies/${ID}`);
    expect(await result(put(ID, v1('notification-suppress', { order: 1 }), '-v1'))).toBe('Unchanged');
    expect(await fixture.read(`/v2/policies/${ID}`)).toEqual(before);
    expect(await result(put(ID, v2('notification', { order: 4 })))).toBe('Unchanged');
  });
});
