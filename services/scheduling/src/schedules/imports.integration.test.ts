import { describe, expect, it } from '@jest/globals';
import { UnavailableError } from '@tocsin/core';
import type { Caller } from '@tocsin/http';
import { created, daily, testApp, type TestApp } from '../testing/app-fixture.ts';

const directory: Caller = { service: 'directory' };
const ID = '4f8fad5b-d9cb-469f-a165-70867728950e';
const OTHER_ID = '0e2b6c1a-7d0c-1f6e-9a55-3b1f2b7c0d11';
const PATH = `/v2/imports/schedules/${ID}`;
const DAYS = 'a3bb189e-8bf9-3888-9912-ace4e6543002';
const NIGHTS = '7c9e6679-7425-40de-944b-e07fc1f90ae7';
const ada = { type: 'user', id: 'ada' };
const week = { startDate: '2026-02-01T00:00:00Z', endDate: '2026-02-08T00:00:00Z' };

const body = (over: object = {}) => ({
  name: 'Ops',
  description: 'who is woken',
  timezone: 'Asia/Kathmandu',
  enabled: false,
  ownerTeam: { id: 'sre' },
  rotations: [
    // In the zone that the schedule had then, these were half hours.
    daily([ada, { type: 'user', id: 'bob' }], {
      id: DAYS,
      name: 'Days',
      startDate: '2017-02-06T05:00:00Z',
      endDate: '2030-02-06T05:10:00Z',
    }),
    daily([{ type: 'none' }, { type: 'team', id: 'sre' }], { id: NIGHTS, length: 2 }),
  ],
  overrides: [
    { alias: 'second', user: { type: 'user', id: 'eve' }, ...week, rotations: [{ id: NIGHTS }, { id: DAYS }] },
    { alias: 'first', user: { type: 'none' }, startDate: '2026-02-02T07:11:13Z', endDate: '2026-02-03T00:00:00Z' },
  ],
  ...over,
});

const resultOf = async (app: TestApp, sent: object, path = PATH) => (await app.put(path, sent)).body['result'];
const read = async (app: TestApp, id = ID) => (await app.get(`/v2/schedules/${id}`)).data;
const overrides = async (app: TestApp) => (await app.get(`/v2/schedules/${ID}/overrides`)).data;
const state = async (app: TestApp) => (await app.get(`/internal/states/schedules.v1?id=${ID}`, directory)).data;
const everything = async (app: TestApp) => [await read(app), await overrides(app), await state(app)];

/** The ids of the rotations, in their order. */
const rotationIds = async (app: TestApp) =>
  ((await read(app)) as { rotations: readonly { id: string }[] }).rotations.map(({ id }) => id);

describe('PUT /v2/imports/schedules/{identifier}', () => {
  it('keeps the ids of the schedule and its rotations, their instants as written, and the order of overrides', async () => {
    const app = await testApp();
    expect(await app.put(PATH, body())).toMatchObject({ status: 200, body: { result: 'Created', data: { id: ID } } });
    expect(await read(app)).toMatchObject({
      id: ID,
      name: 'Ops',
      description: 'who is woken',
      timezone: 'Asia/Kathmandu',
      enabled: false,
      ownerTeam: { id: 'sre', name: 'SRE' },
      rotations: [
        { id: DAYS, startDate: '2017-02-06T05:00:00Z', endDate: '2030-02-06T05:10:00Z', length: 1 },
        { id: NIGHTS, name: 'Rot1', length: 2, participants: [{ type: 'none' }, { type: 'team', id: 'sre' }] },
      ],
    });
    expect(await overrides(app)).toMatchObject([
      { alias: 'second', user: { id: 'eve' }, ...week, rotations: [{ id: NIGHTS }, { id: DAYS }] },
      { alias: 'first', user: { type: 'none' }, startDate: '2026-02-02T07:11:13Z' },
    ]);
  });

  it('writes and publishes nothing where nothing differs, also in an answer to 20 at once', async () => {
    const app = await testApp();
    const results = await Promise.all(Array.from({ length: 20 }, () => resultOf(app, body())));
    expect(results.toSorted()).toEqual(['Created', ...Array.from({ length: 19 }, () => 'Unchanged')]);
    const before = await everything(app);
    expect(await resultOf(app, body())).toBe('Unchanged');
    expect(await everything(app)).toEqual(before);
  });

  it('is done by a request whose answer is lost: the repeat changes nothing', async () => {
    const app = await testApp();
    const { store } = app.operations;
    const change = store.change.bind(store);
    store.change = async (decide) => {
      await change(decide);
      throw new UnavailableError('The answer is lost.');
    };
    expect((await app.put(PATH, body())).status).toBe(503);
    store.change = change;
    const before = await everything(app);
    expect(await resultOf(app, body())).toBe('Unchanged');
    expect(await everything(app)).toEqual(before);
  });

  it('makes the schedule what the body says: what it leaves out is as in a new one', async () => {
    const app = await testApp();
    await resultOf(app, body());
    expect(await resultOf(app, { name: 'Ops', rotations: [daily([ada], { id: NIGHTS })] })).toBe('Updated');
    const shown = await read(app);
    expect(shown).toMatchObject({ description: '', timezone: 'Europe/Rome', enabled: true });
    expect(shown).not.toHaveProperty('ownerTeam');
    expect([await rotationIds(app), await overrides(app)]).toEqual([[NIGHTS], []]);
    expect(await resultOf(app, { name: 'Ops' })).toBe('Updated');
    expect(await read(app)).toMatchObject({ rotations: [] });
  });

  it('replaces one that was made by the public operations, and keeps its place in the list', async () => {
    const app = await testApp();
    await resultOf(app, { name: 'First' }, `/v2/imports/schedules/${OTHER_ID}`);
    await resultOf(app, body({ name: 'Second' }));
    await app.patch(`/v2/schedules/${OTHER_ID}`, { rotations: [daily([ada])] });
    expect(await resultOf(app, { name: 'Renamed' }, `/v2/imports/schedules/${OTHER_ID}`)).toBe('Updated');
    expect((await app.get('/v2/schedules')).data).toMatchObject([
      { name: 'Renamed', rotations: [] },
      { name: 'Second' },
    ]);
  });

  it('gives a rotation without an id the same one in each import, also after the schedule was deleted', async () => {
    const app = await testApp();
    const unnamed = { name: 'Ops', rotations: [daily([ada]), daily([ada], { id: null }), daily([ada], { id: DAYS })] };
    await resultOf(app, unnamed);
    const ids = await rotationIds(app);
    expect(new Set(ids).size).toBe(3);
    expect(await resultOf(app, unnamed)).toBe('Unchanged');
    await app.delete(`/v2/schedules/${ID}`);
    expect(await resultOf(app, unnamed)).toBe('Created');
    expect(await rotationIds(app)).toEqual(ids);
  });

  it('creates one again that was deleted, under a version after that of the deletion', async () => {
    const app = await testApp();
    await resultOf(app, body());
    await resultOf(app, body({ enabled: true }));
    await app.delete(`/v2/schedules/${ID}`);
    expect(await state(app)).toBeUndefined();
    expect(await resultOf(app, body())).toBe('Created');
    // Created under n = 1, changed under 2, deleted under 3.
    expect(await state(app)).toMatchObject({ version: { n: 4 }, deleted: false });
    expect(await resultOf(app, body())).toBe('Unchanged');
    await app.patch(`/v2/schedules/${ID}`, { description: 'changed' });
    expect(await state(app)).toMatchObject({ version: { n: 5 } });
  });
});

describe('a schedule and an escalation that name each other', () => {
  const escalationPath = `/v2/imports/escalations/${OTHER_ID}`;
  const escalation = { name: 'Late', rules: [{ delay: { timeAmount: 5 }, recipient: { type: 'schedule', id: ID } }] };
  const schedule = { name: 'Ops', rotations: [daily([{ type: 'escalation', id: OTHER_ID }], { id: DAYS })] };

  it('are imported in three steps; each refusal names what is missing', async () => {
    const app = await testApp();
    const missing = (message: string) => ({ status: 404, body: { message } });
    expect(await app.put(PATH, schedule)).toMatchObject(missing(`Escalation with id [${OTHER_ID}] does not exist.`));
    expect(await app.put(escalationPath, escalation)).toMatchObject(
      missing(`Schedule with id [${ID}] does not exist.`),
    );
    expect(await resultOf(app, { ...schedule, rotations: [] })).toBe('Created');
    expect(await resultOf(app, escalation, escalationPath)).toBe('Created');
    expect(await resultOf(app, schedule)).toBe('Updated');
    expect(await read(app)).toMatchObject({ rotations: [{ participants: [{ type: 'escalation', name: 'Late' }] }] });
  });
});

describe('a refused import of a schedule changes nothing', () => {
  it.each([
    ['an owner that does not exist', { ownerTeam: { id: 'x' } }, 404, 'Team with id [x] does not exist.'],
    [
      'a participant that does not exist',
      { rotations: [daily([{ type: 'user', id: 'x' }])], overrides: [] },
      404,
      'User with id [x] does not exist.',
    ],
    [
      'an override of a user who does not exist',
      { overrides: [{ alias: 'a', user: { type: 'user', id: 'x' }, ...week }] },
      404,
      'User with id [x] does not exist.',
    ],
    [
      'an override of a rotation that the body does not have',
      { rotations: [] },
      404,
      `Rotation with id [${NIGHTS}] does not exist in schedule [Ops].`,
    ],
    ['a name that another has', { name: 'Taken' }, 409, 'Schedule with name [Taken] already exists.'],
  ])('for %s', async (_, over, status, message) => {
    const app = await testApp();
    await created(app, '/v2/schedules', { name: 'Taken' });
    await resultOf(app, body());
    const before = await everything(app);
    expect(await app.put(PATH, body(over))).toMatchObject({ status, body: { message } });
    expect(await everything(app)).toEqual(before);
  });

  const override = { alias: 'a', user: ada, ...week };
  it.each([
    [{ name: '' }, { name: expect.any(String) }],
    [{ name: 'x'.repeat(101) }, { name: 'should be at most 100 characters' }],
    [{ rotations: [daily([ada], { id: 'days' })] }, { 'rotations[0].id': 'should be a UUID in lower case' }],
    [{ rotations: [daily([ada], { id: DAYS.toUpperCase() })] }, { 'rotations[0].id': expect.any(String) }],
    [
      { rotations: [daily([ada], { id: DAYS }), daily([ada], { id: DAYS })] },
      { 'rotations[1].id': 'should be unique in the list' },
    ],
    [
      { rotations: [daily([ada], { endDate: '2025-01-01T00:00:00Z' })], overrides: [] },
      { 'rotations[0].endDate': 'should be after startDate' },
    ],
    [{ overrides: [override, override] }, { 'overrides[1].alias': 'should be unique in the list' }],
    [{ overrides: [{ ...override, alias: '' }] }, { 'overrides[0].alias': expect.any(String) }],
    [{ overrides: [{ ...override, endDate: week.startDate }] }, { 'overrides[0].endDate': expect.any(String) }],
    [{ overrides: Array.from({ length: 1001 }, () => override) }, { overrides: expect.any(String) }],
    [{ overrides: 'all' }, { overrides: expect.any(String) }],
  ])('for a field that is wrong: %#', async (over, errors) => {
    const app = await testApp();
    expect(await app.put(PATH, body(over))).toMatchObject({ status: 422, body: { errors } });
    expect((await app.get('/v2/schedules')).data).toEqual([]);
  });

  it('for an id that is none', async () => {
    const app = await testApp();
    expect(await app.put('/v2/imports/schedules/Ops', body())).toMatchObject({
      status: 422,
      body: { errors: { identifier: 'should be a UUID in lower case' } },
    });
  });

  it('for a rotation that another schedule has', async () => {
    const app = await testApp();
    await resultOf(app, body());
    const other = `/v2/imports/schedules/${OTHER_ID}`;
    expect(await app.put(other, body({ name: 'Other' }))).toMatchObject({
      status: 409,
      body: { message: `Rotation with id [${DAYS}] already exists in schedule [Ops].` },
    });
    expect((await app.get(`/v2/schedules/${OTHER_ID}`)).status).toBe(404);
  });
});
