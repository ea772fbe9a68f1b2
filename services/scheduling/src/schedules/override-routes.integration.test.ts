import { beforeEach, describe, expect, it } from '@jest/globals';
import { created, daily, teamKey, testApp, type TestApp } from '../testing/app-fixture.ts';

const ada = { type: 'user', username: 'ada@example.com' };
const swap = (over: object = {}) => ({
  alias: 'swap',
  user: { type: 'user', username: 'BOB@example.com' },
  startDate: '2026-01-01T10:10:00+01:00',
  endDate: '2026-01-02T00:00:00Z',
  ...over,
});
const bob = { type: 'user', id: 'bob', username: 'bob@example.com' };
const kept = { alias: 'swap', user: bob, startDate: '2026-01-01T09:10:00Z', endDate: '2026-01-02T00:00:00Z' };

let app: TestApp;
let scheduleId: string;
let path: string;
let rotations: readonly { readonly id: string; readonly name: string }[];

beforeEach(async () => {
  app = await testApp();
  const week = daily([ada], { name: 'Week' });
  scheduleId = await created(app, '/v2/schedules', { name: 'Ops', rotations: [week, daily([ada], { name: 'Night' })] });
  path = `/v2/schedules/${scheduleId}/overrides`;
  const { data } = await app.get(`/v2/schedules/${scheduleId}`);
  rotations = (data as { rotations: { id: string; name: string }[] }).rotations.map(({ id, name }) => ({ id, name }));
});

const onCall = async () => (await app.get(`/v2/schedules/${scheduleId}/on-calls?flat=true`)).data;
const versions = async () => (await app.operations.store.current()).schedules.get(scheduleId)?.version.n;

describe('POST /v2/schedules/{id}/overrides', () => {
  it('answers 201 with the alias, and GET shows it in canonical form with its schedule', async () => {
    const { status, body, data } = await app.post(path, swap());
    expect([status, body['result'], data]).toEqual([201, 'Created', { alias: 'swap' }]);
    const parent = { id: scheduleId, name: 'Ops', enabled: true };
    expect((await app.get(`${path}/swap`)).data).toEqual({ _parent: parent, ...kept });
    expect((await app.get('/v2/schedules/Ops/overrides/swap?scheduleIdentifierType=NAME')).data).toMatchObject(kept);
  });

  it('governs who is on call from its answer on', async () => {
    await app.post(path, swap());
    expect(await onCall()).toMatchObject({ onCallRecipients: ['bob@example.com'] });
    await app.post(path, swap({ alias: 'none', user: { type: 'None', id: '' } }));
    expect(await onCall()).toMatchObject({ onCallRecipients: [] });
    await app.delete(`${path}/none`);
    await app.delete(`${path}/swap`);
    expect(await onCall()).toMatchObject({ onCallRecipients: ['ada@example.com'] });
  });

  it('replaces the named rotations alone, by id or name, each once and in the order written', async () => {
    const [week, night] = rotations;
    const named = [{ name: 'Night' }, { id: week?.id, name: 'whatever' }, { id: night?.id }];
    expect((await app.post(path, swap({ rotations: named }))).status).toBe(201);
    expect((await app.get(`${path}/swap`)).data).toMatchObject({ rotations: [night, week] });
    await app.put(`${path}/swap`, swap({ rotations: [{ name: 'Night' }] }));
    expect(await onCall()).toMatchObject({ onCallRecipients: ['ada@example.com', 'bob@example.com'] });
  });

  it.each([null, []])('means all rotations by %j, those that are added later included', async (none) => {
    await app.post(path, swap({ rotations: none }));
    expect((await app.get(`${path}/swap`)).data).not.toHaveProperty('rotations');
    await app.patch(`/v2/schedules/${scheduleId}`, { rotations: [daily([ada])] });
    expect(await onCall()).toMatchObject({ onCallRecipients: ['bob@example.com'] });
  });

  it('counts as one unnamed rotation on a schedule without rotations', async () => {
    await app.patch(`/v2/schedules/${scheduleId}`, { rotations: [] });
    await app.post(path, swap());
    expect(await onCall()).toMatchObject({ onCallRecipients: ['bob@example.com'] });
  });

  it('answers 409 when the schedule has that alias, and leaves other schedules theirs', async () => {
    const answers = await Promise.all(Array.from({ length: 50 }, () => app.post(path, swap())));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(answers.find(({ status }) => status !== 201)).toMatchObject({
      status: 409,
      body: { message: 'Override with alias [swap] already exists in schedule [Ops].' },
    });
    const other = await created(app, '/v2/schedules', { name: 'Other' });
    expect((await app.post(`/v2/schedules/${other}/overrides`, swap())).status).toBe(201);
    expect((await app.post(path, swap({ alias: 'Swap' }))).status).toBe(201);
  });

  it.each([
    [{ alias: undefined }, { alias: 'Override alias can not be empty.' }],
    [{ alias: null }, { alias: 'Override alias can not be empty.' }],
    [{ alias: ' ' }, { alias: 'Override alias can not be empty.' }],
    [{ alias: 'x'.repeat(1_001) }, { alias: 'should be at most 1000 characters' }],
    [{ user: undefined }, { user: 'should be an object with type and id or username' }],
    [{ user: { id: 'bob' } }, { 'user.type': 'should be one of [ user, none ]' }],
    [{ user: { type: 'team', id: 'sre' } }, { 'user.type': 'should be one of [ user, none ]' }],
    [{ user: { type: 'user', id: '', username: '' } }, { user: 'id or username should be provided' }],
    [{ user: { type: 'user', id: 'x'.repeat(101) } }, { 'user.id': 'should be at most 100 characters' }],
    [{ startDate: undefined }, { startDate: expect.stringContaining('should be a date') }],
    [{ startDate: '' }, { startDate: expect.stringContaining('should be a date') }],
    [{ endDate: null }, { endDate: expect.stringContaining('should be a date') }],
    [{ endDate: '2026-01-01T09:10:00Z' }, { endDate: 'should be after startDate' }],
    [{ endDate: '2025-01-01T09:10:00Z' }, { endDate: 'should be after startDate' }],
    [{ startDate: '1899-12-31T23:59:59Z' }, { startDate: 'should be a date of the years 1900 to 9998' }],
    [{ endDate: '9999-01-01T00:00:00Z' }, { endDate: 'should be a date of the years 1900 to 9998' }],
    [{ rotations: 'Week' }, { rotations: 'should be a list' }],
    [{ rotations: [{}] }, { 'rotations[0]': 'id or name should be provided' }],
  ])('answers 422 that names the field for %j, and changes nothing', async (part, errors) => {
    const { status, body } = await app.post(path, swap(part));
    expect([status, body['errors']]).toEqual([422, errors]);
    expect((await app.get(path)).data).toEqual([]);
  });

  it('answers 422 where more than 1000 rotations are named', async () => {
    const named = (length: number) => swap({ rotations: Array.from({ length }, () => ({ name: 'Week' })) });
    const { status, body } = await app.post(path, named(1_001));
    expect([status, body['errors']]).toEqual([422, { rotations: 'should have at most 1000 items' }]);
    expect((await app.post(path, named(1_000))).status).toBe(201);
  });

  it('takes an alias of 1000 code points, and one that a path has to escape', async () => {
    for (const alias of ['😀'.repeat(1_000), 'a/b c?d']) {
      expect((await app.post(path, swap({ alias }))).status).toBe(201);
      expect((await app.get(`${path}/${encodeURIComponent(alias)}`)).data).toMatchObject({ alias });
    }
  });

  it.each([
    [
      { user: { type: 'user', username: 'ghost@example.com' } },
      'User with username [ghost@example.com] does not exist.',
    ],
    [{ user: { type: 'user', id: 'ghost' } }, 'User with id [ghost] does not exist.'],
    [{ rotations: [{ name: 'Day' }] }, 'Rotation with name [Day] does not exist in schedule [Ops].'],
    [{ rotations: [{ id: 'gone' }] }, 'Rotation with id [gone] does not exist in schedule [Ops].'],
  ])('answers 404 that names the reference for %j', async (part, message) => {
    const { status, body } = await app.post(path, swap(part));
    expect([status, body['message']]).toEqual([404, message]);
  });

  it('answers 404 for a schedule that does not exist, and 422 for an unknown kind of identifier', async () => {
    expect((await app.post('/v2/schedules/gone/overrides', swap())).status).toBe(404);
    expect((await app.post(`${path}?scheduleIdentifierType=alias`, swap())).status).toBe(422);
  });
});

describe('PUT /v2/schedules/{id}/overrides/{alias}', () => {
  it('replaces all but the alias', async () => {
    await app.post(path, swap({ rotations: [{ name: 'Week' }] }));
    const { status, body, data } = await app.put(`${path}/swap`, swap({ alias: 'ignored', user: { type: 'none' } }));
    expect([status, body['result'], data]).toEqual([200, 'Updated', { alias: 'swap' }]);
    expect((await app.get(path)).data).toEqual([{ ...kept, user: { type: 'none' } }]);
  });

  it('keeps the order of creation, so that the newest still wins', async () => {
    await app.post(path, swap({ alias: 'old' }));
    await app.post(path, swap({ alias: 'new', user: { type: 'user', id: 'eve' } }));
    await app.put(`${path}/old`, swap({ endDate: '2026-01-03T00:00:00Z' }));
    expect((await app.get(path)).data).toMatchObject([{ alias: 'old' }, { alias: 'new' }]);
    expect(await onCall()).toMatchObject({ onCallRecipients: ['eve@example.com'] });
  });

  it('writes nothing with the answer to a GET', async () => {
    await app.post(path, swap({ rotations: [{ name: 'Night' }, { name: 'Week' }] }));
    const before = await versions();
    const { data } = await app.get(`${path}/swap`);
    expect((await app.put(`${path}/swap`, data)).status).toBe(200);
    expect((await app.get(`${path}/swap`)).data).toEqual(data);
    expect(await versions()).toBe(before);
  });

  it('answers 404 for an unknown alias and 422 without a required field', async () => {
    const { status, body } = await app.put(`${path}/gone`, swap());
    expect([status, body['message']]).toEqual([404, 'Override with alias [gone] does not exist in schedule [Ops].']);
    await app.post(path, swap());
    for (const field of ['user', 'startDate', 'endDate'])
      expect((await app.put(`${path}/swap`, swap({ [field]: undefined }))).status).toBe(422);
    expect((await app.put(`${path}/swap`, swap({ endDate: '2026-01-01T00:00:00Z' }))).status).toBe(422);
    expect((await app.get(`${path}/swap`)).data).toMatchObject(kept);
  });
});

describe('GET and DELETE of overrides', () => {
  it('lists in the order of creation, without deleted ones', async () => {
    await app.post(path, swap({ alias: 'b' }));
    await app.post(path, swap({ alias: 'a' }));
    expect((await app.get(path)).data).toEqual([
      { ...kept, alias: 'b' },
      { ...kept, alias: 'a' },
    ]);
    expect(await app.delete(`${path}/b`)).toMatchObject({ status: 200, body: { result: 'Deleted' } });
    expect((await app.get(path)).data).toEqual([{ ...kept, alias: 'a' }]);
    expect((await app.get(`${path}/b`)).status).toBe(404);
    expect((await app.delete(`${path}/b`)).status).toBe(404);
    expect((await app.get('/v2/schedules/gone/overrides')).status).toBe(404);
  });

  it('deletes an override with the last rotation that it names, and not before', async () => {
    const [week, night] = rotations;
    await app.post(path, swap({ rotations: [week, night] }));
    const without = (gone: string | undefined) => ({
      rotations: rotations.filter(({ name }) => name !== gone).map((one) => daily([ada], one)),
    });
    await app.patch(`/v2/schedules/${scheduleId}`, without('Week'));
    expect((await app.get(`${path}/swap`)).data).toMatchObject({ rotations: [night] });
    await app.patch(`/v2/schedules/${scheduleId}`, { rotations: [daily([ada], { name: 'Night' })] });
    expect((await app.get(`${path}/swap`)).status).toBe(404);
  });

  it('deletes an override with the only rotation that it names, and leaves those that name none', async () => {
    await app.post(path, swap({ rotations: [{ name: 'Night' }] }));
    await app.post(path, swap({ alias: 'all' }));
    for (const { id } of rotations.toReversed()) await app.delete(`/v2/schedules/${scheduleId}/rotations/${id}`);
    expect((await app.get(path)).data).toEqual([{ ...kept, alias: 'all' }]);
  });

  it('shows the id of a deleted user, and skips their override at once', async () => {
    await app.post(path, swap());
    app.users.remove('bob');
    expect((await app.get(`${path}/swap`)).data).toMatchObject({ user: { type: 'user', id: 'bob' } });
    expect(await onCall()).toMatchObject({ onCallRecipients: ['ada@example.com'] });
  });
});

describe('the key of a team', () => {
  it('writes overrides of its own schedules, and neither sees nor writes those of others', async () => {
    const own = await created(app, '/v2/schedules', { name: 'Own' }, teamKey);
    expect((await app.post(`/v2/schedules/${own}/overrides`, swap(), teamKey)).status).toBe(201);
    for (const answer of [app.get(path, teamKey), app.post(path, swap(), teamKey), app.delete(`${path}/x`, teamKey)])
      expect((await answer).status).toBe(403);
  });

  it('reads the overrides of a schedule that names its team, and is refused to write them', async () => {
    const shared = await created(app, '/v2/schedules', {
      name: 'Shared',
      rotations: [daily([{ type: 'team', id: 'sre' }])],
    });
    const overrides = `/v2/schedules/${shared}/overrides`;
    await app.post(overrides, swap());
    expect((await app.get(`${overrides}/swap`, teamKey)).status).toBe(200);
    for (const answer of [
      app.post(overrides, swap({ alias: 'mine' }), teamKey),
      app.put(`${overrides}/swap`, swap(), teamKey),
      app.delete(`${overrides}/swap`, teamKey),
    ])
      expect(await answer).toMatchObject({ status: 403, body: { code: 40301 } });
  });
});
