import { beforeEach, describe, expect, it } from '@jest/globals';
import { UnavailableError } from '@tocsin/core';
import { userOf } from '../testing/on-call-samples.ts';
import { created, daily, teamKey, testApp, type TestApp } from '../testing/app-fixture.ts';

const path = '/v2/forwarding-rules';
const holiday = (over: object = {}) => ({
  fromUser: { username: 'ADA@example.com' },
  toUser: { id: 'bob', username: '' },
  startDate: '2026-01-01T09:10:00+01:00',
  endDate: '2026-01-02T00:00:00Z',
  ...over,
});
const user = (id: string) => ({ id, username: `${id}@example.com` });
const kept = (id: string, over: object = {}) => ({
  id,
  alias: '',
  fromUser: user('ada'),
  toUser: user('bob'),
  startDate: '2026-01-01T08:10:00Z',
  endDate: '2026-01-02T00:00:00Z',
  ...over,
});

let app: TestApp;
beforeEach(async () => {
  app = await testApp();
});

const recipients = async (participant: object) => {
  const id = await created(app, '/v2/schedules', {
    name: `of ${JSON.stringify(participant)}`,
    rotations: [daily([participant])],
  });
  return ((await app.get(`/v2/schedules/${id}/on-calls?flat=true`)).data as { onCallRecipients: string[] })
    .onCallRecipients;
};
const revision = async (id: string) => (await app.operations.store.current()).forwardingRules.get(id)?.version.n;

describe('POST /v2/forwarding-rules', () => {
  it('answers 201 with alias and id, and GET shows it in canonical form', async () => {
    const { status, body, data } = await app.post(path, holiday({ alias: 'holiday' }));
    const { id } = data as { id: string };
    expect([status, body['result'], data]).toEqual([201, 'Created', { alias: 'holiday', id }]);
    expect((await app.get(`${path}/${id}`)).data).toEqual(kept(id, { alias: 'holiday' }));
    expect((await app.get(`${path}/holiday?identifierType=Alias`)).data).toEqual(kept(id, { alias: 'holiday' }));
  });

  it.each([undefined, null, ''])('shows an empty alias for %j, each time it is read', async (alias) => {
    const { data } = await app.post(path, holiday({ alias }));
    expect(data).toEqual({ alias: '', id: expect.any(String) });
    const second = await created(app, path, holiday({ alias }));
    expect((await app.get(`${path}/${second}`)).data).toEqual(kept(second));
  });

  it('passes the duty on from its answer on', async () => {
    await app.post(path, holiday());
    expect(await recipients({ type: 'user', id: 'ada' })).toEqual(['bob@example.com']);
  });

  it('lets the rule created last win where several overlap, also when they are created in one instant', async () => {
    const rules = ['bob', 'eve', 'bob', 'eve'];
    for (const id of rules) await app.post(path, holiday({ toUser: { id } }));
    expect(await recipients({ type: 'user', id: 'ada' })).toEqual(['eve@example.com']);
    const listed = (await app.get(path)).data as { id: string; toUser: { id: string } }[];
    expect(listed.map(({ toUser }) => toUser.id)).toEqual(rules);
    await app.delete(`${path}/${listed.at(-1)?.id}`);
    expect(await recipients({ type: 'user', username: 'ada@example.com' })).toEqual(['bob@example.com']);
  });

  it('answers 409 when the alias is taken, and to all but one of 50 at once', async () => {
    const answers = await Promise.all(Array.from({ length: 50 }, () => app.post(path, holiday({ alias: 'away' }))));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(answers.find(({ status }) => status !== 201)).toMatchObject({
      status: 409,
      body: { message: 'Forwarding rule with alias [away] already exists.' },
    });
    expect((await app.post(path, holiday({ alias: 'Away' }))).status).toBe(201);
  });

  it('takes an alias of 512 code points', async () => {
    const id = await created(app, path, holiday({ alias: '😀'.repeat(512) }));
    expect((await app.get(`${path}/${id}`)).data).toMatchObject({ alias: '😀'.repeat(512) });
  });

  it.each([
    [{ alias: 'x'.repeat(513) }, { alias: 'should be at most 512 characters' }],
    [{ alias: 5 }, { alias: 'should be a string' }],
    [{ fromUser: undefined }, { fromUser: 'id or username should be provided' }],
    [{ fromUser: 'ada' }, { fromUser: 'id or username should be provided' }],
    [{ toUser: null }, { toUser: 'id or username should be provided' }],
    [{ toUser: { id: '', username: '' } }, { toUser: 'id or username should be provided' }],
    [{ toUser: { id: 'x'.repeat(101) } }, { 'toUser.id': 'should be at most 100 characters' }],
    [{ toUser: { username: 'ada@example.com' } }, { toUser: 'should be another user than fromUser' }],
    [{ startDate: undefined }, { startDate: expect.stringContaining('should be a date') }],
    [{ endDate: '' }, { endDate: expect.stringContaining('should be a date') }],
    [{ endDate: '2026-01-01T08:10:00Z' }, { endDate: 'should be after startDate' }],
    [{ startDate: '1899-12-31T23:59:59Z' }, { startDate: 'should be a date of the years 1900 to 9998' }],
    [{ endDate: '9999-01-01T00:00:00Z' }, { endDate: 'should be a date of the years 1900 to 9998' }],
  ])('answers 422 that names the field for %j, and changes nothing', async (part, errors) => {
    const { status, body } = await app.post(path, holiday(part));
    expect([status, body['errors']]).toEqual([422, errors]);
    expect((await app.get(path)).data).toEqual([]);
  });

  it('answers 404 that names a user who does not exist, and 503 while directory is unavailable', async () => {
    const ghost = { username: 'ghost@example.com' };
    for (const part of [{ fromUser: ghost }, { toUser: ghost }]) {
      const { status, body } = await app.post(path, holiday(part));
      expect([status, body['message']]).toEqual([404, 'User with username [ghost@example.com] does not exist.']);
    }
    app.users.refuseWith(new UnavailableError('The directory does not answer.'));
    expect((await app.post(path, holiday({ toUser: ghost }))).status).toBe(503);
  });

  it('finds a user who was created a moment ago', async () => {
    app.users.ownerHas('username', 'fresh@example.com', userOf('fresh'));
    expect((await app.post(path, holiday({ toUser: { username: 'fresh@example.com' } }))).status).toBe(201);
  });
});

describe('PUT /v2/forwarding-rules/{id}', () => {
  it('replaces users and dates, keeps id and alias, by either of them', async () => {
    const id = await created(app, path, holiday({ alias: 'holiday' }));
    const { status, body, data } = await app.put(
      `${path}/holiday?identifierType=alias`,
      holiday({ alias: 'ignored', fromUser: { id: 'eve' } }),
    );
    expect([status, body['result'], data]).toEqual([200, 'Updated', { alias: 'holiday', id }]);
    expect((await app.get(`${path}/${id}`)).data).toEqual(kept(id, { alias: 'holiday', fromUser: user('eve') }));
    expect((await app.put(`${path}/${id}`, holiday())).status).toBe(200);
  });

  it('writes nothing with the answer to a GET', async () => {
    const id = await created(app, path, holiday());
    const { data } = await app.get(`${path}/${id}`);
    expect((await app.put(`${path}/${id}`, data)).status).toBe(200);
    expect((await app.get(`${path}/${id}`)).data).toEqual(data);
    expect(await revision(id)).toBe(1);
  });

  it('keeps its place in the order of creation', async () => {
    const first = await created(app, path, holiday());
    await app.post(path, holiday({ toUser: { id: 'eve' } }));
    await app.put(`${path}/${first}`, holiday({ endDate: '2026-01-03T00:00:00Z' }));
    expect(await recipients({ type: 'user', id: 'ada' })).toEqual(['eve@example.com']);
  });

  it.each([
    { fromUser: undefined },
    { toUser: undefined },
    { startDate: undefined },
    { endDate: undefined },
    { endDate: '2025-01-01T00:00:00Z' },
    { toUser: { id: 'ada' } },
  ])('answers 422 for %j, and changes nothing', async (part) => {
    const id = await created(app, path, holiday());
    expect((await app.put(`${path}/${id}`, holiday(part))).status).toBe(422);
    expect((await app.get(`${path}/${id}`)).data).toEqual(kept(id));
  });

  it('answers 404 for an unknown one', async () => {
    const { status, body } = await app.put(`${path}/gone`, holiday());
    expect([status, body['message']]).toEqual([404, 'Forwarding rule with id [gone] does not exist.']);
    const byAlias = await app.put(`${path}/gone?identifierType=alias`, holiday());
    expect(byAlias.body['message']).toBe('Forwarding rule with alias [gone] does not exist.');
  });
});

describe('GET and DELETE of forwarding rules', () => {
  it('does not find a deleted one, and frees its alias', async () => {
    const id = await created(app, path, holiday({ alias: 'holiday' }));
    expect(await app.delete(`${path}/holiday?identifierType=alias`)).toMatchObject({
      status: 200,
      body: { result: 'Deleted' },
    });
    expect((await app.get(`${path}/${id}`)).status).toBe(404);
    expect((await app.delete(`${path}/${id}`)).status).toBe(404);
    expect(await recipients({ type: 'user', id: 'ada' })).toEqual(['ada@example.com']);
    expect((await app.post(path, holiday({ alias: 'holiday' }))).status).toBe(201);
  });

  it('answers 422 for an unknown kind of identifier', async () => {
    const { status, body } = await app.get(`${path}/x?identifierType=name`);
    expect([status, body['errors']]).toEqual([422, { identifierType: 'should be one of [ id, alias ]' }]);
  });

  it('lists the rules from one user, by id or user name', async () => {
    const id = await created(app, path, holiday());
    await app.post(path, holiday({ fromUser: { id: 'eve' } }));
    for (const identifier of ['ada', 'ADA@example.com'])
      expect((await app.get(`/v2/users/${identifier}/forwarding-rules`)).data).toEqual([kept(id)]);
    expect((await app.get('/v2/users/bob/forwarding-rules')).data).toEqual([]);
    expect((await app.get('/v2/users/ghost/forwarding-rules')).status).toBe(404);
  });
});

describe('the key of a team', () => {
  it('reads forwarding rules and is refused to write them', async () => {
    const id = await created(app, path, holiday());
    for (const each of [path, `${path}/${id}`, '/v2/users/ada/forwarding-rules'])
      expect((await app.get(each, teamKey)).status).toBe(200);
    for (const answer of [
      app.post(path, holiday(), teamKey),
      app.put(`${path}/${id}`, holiday(), teamKey),
      app.delete(`${path}/${id}`, teamKey),
    ])
      expect(await answer).toMatchObject({ status: 403, body: { code: 40301 } });
  });
});
