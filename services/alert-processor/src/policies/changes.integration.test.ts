import { describe, expect, it } from '@jest/globals';
import {
  policyFixture,
  V1_BODIES,
  V1_TYPES,
  V2_BODIES,
  V2_TYPES,
  NO_ACTIONS,
  type PolicyFixture,
} from '../testing/policy-fixture.ts';

const listed = async ({ read }: PolicyFixture, path: string) =>
  (await read(path)) as readonly { readonly id: string; readonly order: number }[];
const idsIn = async (fixture: PolicyFixture, path: string) => (await listed(fixture, path)).map(({ id }) => id);

describe('PUT of a policy', () => {
  it.each(V1_TYPES)('of the answer to a GET changes nothing, in both versions: %s', async (type) => {
    const fixture = await policyFixture();
    const id = await fixture.v1(type);
    const before = await fixture.configuration.current();
    for (const version of ['v1', 'v2']) {
      const path = `/${version}/policies/${id}`;
      expect(await fixture.send('put', path, (await fixture.read(path)) as object)).toMatchObject({
        status: 200,
        body: { result: 'Updated' },
      });
    }
    expect(await fixture.configuration.current()).toBe(before);
  });

  it.each(V2_TYPES)('of the answer to a GET changes nothing, in both versions: %s', async (type) => {
    const fixture = await policyFixture();
    const id = await fixture.v2(type);
    const before = await fixture.configuration.current();
    for (const version of ['v1', 'v2']) {
      const path = `/${version}/policies/${id}`;
      expect((await fixture.send('put', path, (await fixture.read(path)) as object)).status).toBe(200);
    }
    expect(await fixture.configuration.current()).toBe(before);
  });

  it('by one version is read by the other, and keeps fields that the first does not show', async () => {
    const fixture = await policyFixture();
    const id = await fixture.v2('notification', { suppress: false });
    const delay = { delayOption: 'next-time', untilHour: 7, untilMinute: 5 };
    const put = { ...V1_BODIES['notification-delay'], type: 'notification-delay', name: 'Later', ...delay };
    expect((await fixture.send('put', `/v1/policies/${id}`, put)).status).toBe(200);
    const { deduplicationAction, autoCloseAction, autoRestartAction } = V2_BODIES.notification;
    const kept = { deduplicationAction, autoCloseAction, autoRestartAction };
    expect(await fixture.read(`/v2/policies/${id}`)).toMatchObject({ name: 'Later', delayAction: delay, ...kept });
    const bare = { ...V2_BODIES.notification, type: 'notification', name: 'Bare', suppress: true, ...NO_ACTIONS };
    expect((await fixture.send('put', `/v2/policies/${id}`, bare)).status).toBe(200);
    expect(await fixture.read(`/v1/policies/${id}`)).toMatchObject({ name: 'Bare', type: 'notification-suppress' });
  });

  it('keeps the scope and the place', async () => {
    const fixture = await policyFixture();
    const [first] = [await fixture.v2('alert', {}, 'ops'), await fixture.v2('alert', {}, 'ops')];
    const put = { ...V2_BODIES.alert, type: 'alert', name: 'Renamed', teamId: 'red' };
    expect((await fixture.send('put', `/v2/policies/${first}?teamId=`, put)).status).toBe(200);
    expect(await listed(fixture, '/v2/policies/alert?teamId=ops')).toMatchObject([
      { id: first, name: 'Renamed', order: 0 },
      { order: 1 },
    ]);
  });

  it('with another type is answered 422 that names type, and changes nothing', async () => {
    const fixture = await policyFixture();
    const id = await fixture.v1('auto-close');
    const before = await fixture.configuration.current();
    const delay = { ...V1_BODIES['notification-delay'], type: 'notification-delay' };
    const other = { type: 'of a policy can not be changed' };
    const refused = { status: 422, body: { errors: other } };
    expect(await fixture.send('put', `/v1/policies/${id}`, delay)).toMatchObject(refused);
    expect(await fixture.send('put', `/v2/policies/${id}`, { ...V2_BODIES.alert, type: 'alert' })).toMatchObject(
      refused,
    );
    expect((await fixture.send('put', `/v1/policies/${id}`, { type: 'auto-close' })).status).toBe(422);
    expect(await fixture.configuration.current()).toBe(before);
  });
});

describe('change-order of a policy', () => {
  it('counts all policies of the scope and kind in version 2, and the group in version 1', async () => {
    const fixture = await policyFixture();
    const { v1, send } = fixture;
    const [a, close, b, c] = [
      await v1('notification-suppress'),
      await v1('auto-close'),
      await v1('notification-delay'),
      await v1('notification-deduplication'),
    ];
    const inV1 = () => idsIn(fixture, '/v1/policies');
    const inV2 = () => idsIn(fixture, '/v2/policies/notification');
    const moved = await send('post', `/v1/policies/${c}/change-order`, { targetIndex: 1 });
    expect(moved).toMatchObject({ status: 200, body: { result: 'Order Changed' } });
    expect([await inV1(), await inV2()]).toEqual([
      [close, a, c, b],
      [a, close, c, b],
    ]);
    await send('post', `/v2/policies/${b}/change-order`, { targetIndex: 1 });
    expect([await inV1(), await inV2()]).toEqual([
      [close, a, b, c],
      [a, b, close, c],
    ]);
    await send('post', `/v2/policies/${a}/change-order`, { targetIndex: 99 });
    expect(await inV2()).toEqual([b, close, c, a]);
    await send('post', `/v2/policies/${c}/change-order`, {});
    expect(await inV2()).toEqual([c, b, close, a]);
    expect((await listed(fixture, '/v2/policies/notification')).map(({ order }) => order)).toEqual([0, 1, 2, 3]);
  });

  it.each([-1, 1.5, 'first'])('answers 422 that names targetIndex to %j', async (targetIndex) => {
    const fixture = await policyFixture();
    const id = await fixture.v1('modify');
    const { status, body } = await fixture.send('post', `/v2/policies/${id}/change-order`, { targetIndex });
    expect(status).toBe(422);
    expect(body).toHaveProperty('errors.targetIndex');
  });
});

describe('DELETE of a policy', () => {
  it.each(['v1', 'v2'])('removes it from both versions, and moves those behind it up: %s', async (version) => {
    const fixture = await policyFixture();
    const ids = [await fixture.v1('modify'), await fixture.v2('alert'), await fixture.v1('modify')];
    const deleted = await fixture.send('delete', `/${version}/policies/${ids[0]}`);
    expect(deleted).toMatchObject({ status: 200, body: { result: 'Deleted' } });
    for (const path of ['/v1/policies', '/v2/policies/alert']) {
      expect((await listed(fixture, path)).map(({ id, order }) => [id, order])).toEqual([
        [ids[1], 0],
        [ids[2], 1],
      ]);
    }
    expect((await fixture.send('delete', `/${version}/policies/${ids[0]}`)).status).toBe(404);
  });
});

describe('enable and disable of a policy', () => {
  it.each([
    ['v1', 'v2'],
    ['v2', 'v1'],
  ])('by %s is read by %s, and writes nothing if it already is so', async (writer, reader) => {
    const fixture = await policyFixture();
    const id = await fixture.v1('modify', { enabled: 'false' });
    const shown = async () => ((await fixture.read(`/${reader}/policies/${id}`)) as { enabled: boolean }).enabled;
    expect(await shown()).toBe(false);
    for (const [verb, result, enabled] of [
      ['enable', 'Enabled', true],
      ['disable', 'Disabled', false],
    ] as const) {
      const change = () => fixture.send('post', `/${writer}/policies/${id}/${verb}`);
      expect(await change()).toMatchObject({ status: 200, body: { result } });
      expect(await shown()).toBe(enabled);
      const before = await fixture.configuration.current();
      expect((await change()).status).toBe(200);
      expect(await fixture.configuration.current()).toBe(before);
    }
  });
});

/** Every operation that names a policy, for either version. */
const NAMING = (
  [
    ['get', ''],
    ['put', ''],
    ['delete', ''],
    ['post', '/enable'],
    ['post', '/disable'],
    ['post', '/change-order'],
  ] as const
).map(([method, verb]) => ({ method, verb, body: { ...V2_BODIES.notification, type: 'notification' } }));

describe('a policy that does not exist', () => {
  it.each(NAMING)('is answered 404 that names it: $method $verb', async ({ method, verb, body }) => {
    const fixture = await policyFixture();
    const teams = await fixture.v2('notification', {}, 'ops');
    const none = await fixture.v2('notification', { suppress: false, ...NO_ACTIONS });
    const v1Body = method === 'put' ? { ...V1_BODIES['auto-close'], type: 'auto-close' } : body;
    const before = await fixture.configuration.current();
    const missing = [
      ['/v1/policies/', 'x', '', v1Body],
      ['/v1/policies/', teams, '', v1Body],
      ['/v1/policies/', none, '', v1Body],
      ['/v2/policies/', 'x', '', body],
      ['/v2/policies/', teams, '?teamId=red', body],
      ['/v2/policies/', none, '?teamId=ops', body],
    ] as const;
    for (const [path, id, query, sent] of missing) {
      expect(await fixture.send(method, path + id + verb + query, sent)).toMatchObject({
        status: 404,
        body: { message: `Policy does not exist with id: ${id}` },
      });
    }
    expect(await fixture.configuration.current()).toBe(before);
  });
});
