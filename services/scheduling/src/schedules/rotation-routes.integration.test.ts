import { describe, expect, it } from '@jest/globals';
import { UnavailableError } from '@tocsin/core';
import { userOf } from '../testing/on-call-samples.ts';
import { created, daily, teamKey, testApp, type TestApp } from '../testing/app-fixture.ts';

const ada = { type: 'user', username: 'ada@example.com' };
const bob = { type: 'user', id: 'bob' };
const night = { type: 'time-of-day', restriction: { startHour: 22, startMin: 0, endHour: 6, endMin: 30 } };

interface Shown {
  readonly id: string;
  readonly name: string;
}

async function withSchedule(body: object = {}) {
  const app = await testApp();
  const scheduleId = await created(app, '/v2/schedules', { name: 'Ops', timezone: 'Europe/Rome', ...body });
  const path = `/v2/schedules/${scheduleId}/rotations`;
  return { app, scheduleId, path, listed: async () => (await app.get(path)).data as readonly Shown[] };
}

async function withRotation(over: object = {}) {
  const schedule = await withSchedule();
  const id = await created(schedule.app, schedule.path, daily([ada, bob], over));
  return { ...schedule, id, one: `${schedule.path}/${id}` };
}

const shown = async (app: TestApp, path: string) => (await app.get(path)).data as Shown;

describe('POST /v2/schedules/{scheduleIdentifier}/rotations', () => {
  it('answers 201 with id and name, and GET shows all fields in canonical form with the schedule', async () => {
    const { app, scheduleId, path } = await withSchedule({ enabled: false });
    const rules = [{ delay: { timeAmount: 0 }, recipient: ada }];
    const escalation = await created(app, '/v2/escalations', { name: 'Late', rules });
    const { status, body } = await app.post(path, {
      id: 'ignored',
      name: 'Nights',
      startDate: '2026-01-05T09:14:59+01:00',
      endDate: '2026-12-31T22:45:00Z',
      type: 'Hourly',
      length: 12,
      participants: [
        { type: 'USER', username: 'ADA@example.com', id: '' },
        { type: 'team', name: 'SRE' },
        { type: 'escalation', name: 'Late' },
        { type: 'none' },
        { type: 'user', id: 'ada', name: 'whatever' },
      ],
      timeRestriction: { type: 'time-of-day', restriction: { startHour: 21, startMin: 45, endHour: 6, endMin: 15 } },
    });
    const { id } = (body['data'] ?? {}) as Shown;
    expect(status).toBe(201);
    expect(body).toMatchObject({ result: 'Created', data: { name: 'Nights' } });
    expect(body['data']).toEqual({ id: expect.not.stringMatching('ignored'), name: 'Nights' });
    expect(await shown(app, `${path}/${id}`)).toEqual({
      _parent: { id: scheduleId, name: 'Ops', enabled: false },
      id,
      name: 'Nights',
      startDate: '2026-01-05T08:00:00Z',
      endDate: '2026-12-31T23:00:00Z',
      type: 'hourly',
      length: 12,
      participants: [
        { type: 'user', id: 'ada', username: 'ada@example.com' },
        { type: 'team', id: 'sre', name: 'SRE' },
        { type: 'escalation', id: escalation, name: 'Late' },
        { type: 'none' },
        { type: 'user', id: 'ada', username: 'ada@example.com' },
      ],
      timeRestriction: night,
    });
  });

  it('gives a rotation without a name the first free one, a length of 1 and no end', async () => {
    const { app, path, listed } = await withSchedule({ rotations: [daily([ada], { name: 'Rot2' }), daily([ada])] });
    const id = await created(app, path, daily([bob], { name: null, length: null, endDate: null, timeRestriction: {} }));
    const rotations = await listed();
    expect(rotations.map(({ name }) => name)).toEqual(['Rot2', 'Rot1', 'Rot3']);
    expect(rotations.at(-1)).toEqual({
      id,
      name: 'Rot3',
      startDate: '2026-01-01T00:00:00Z',
      type: 'daily',
      length: 1,
      participants: [{ type: 'user', id: 'bob', username: 'bob@example.com' }],
    });
  });

  it('finds the schedule by name, under either word for the kind of identifier', async () => {
    const { app, listed } = await withSchedule();
    const path = '/v2/schedules/Ops/rotations';
    expect((await app.post(`${path}?scheduleIdentifierType=Name`, daily([ada]))).status).toBe(201);
    expect((await app.post(`${path}?identifierType=name`, daily([ada]))).status).toBe(201);
    expect(await listed()).toHaveLength(2);
    expect((await app.post(path, daily([ada]))).status).toBe(404);
    expect(await app.post(`${path}?scheduleIdentifierType=tiny`, daily([ada]))).toMatchObject({
      status: 422,
      body: { errors: { scheduleIdentifierType: 'should be one of [ id, name ]' } },
    });
  });

  it('finds a user who was created a moment ago, and answers 503 while directory does not answer', async () => {
    const { app, path } = await withSchedule();
    app.users.ownerHas('username', 'new@example.com', userOf('new'));
    expect((await app.post(path, daily([{ type: 'user', username: 'new@example.com' }]))).status).toBe(201);
    app.users.refuseWith(new UnavailableError('The directory does not answer.'));
    expect((await app.post(path, daily([{ type: 'user', id: 'x' }]))).status).toBe(503);
  });

  it.each([
    [{ startDate: undefined }, { startDate: expect.stringContaining('should be a date') }],
    [{ startDate: '2026-13-01T00:00:00Z' }, { startDate: expect.stringContaining('should be a date') }],
    [{ startDate: '1899-12-31T23:59:59Z' }, { startDate: 'should be a date of the years 1900 to 9998' }],
    [{ endDate: 'never' }, { endDate: expect.stringContaining('should be a date') }],
    [{ endDate: '2026-01-01T00:14:59Z' }, { endDate: 'should be after startDate' }],
    [{ type: undefined }, { type: 'should be one of [ daily, weekly, hourly ]' }],
    [{ type: 'monthly' }, { type: 'should be one of [ daily, weekly, hourly ]' }],
    [{ length: 0 }, { length: 'should be at least 1' }],
    [{ length: 10_001 }, { length: 'should be at most 10000' }],
    [{ length: '2.5' }, { length: 'should be a whole number of at least 1' }],
    [{ name: ' ' }, { name: 'Rotation name can not be empty.' }],
    [{ name: 'x'.repeat(1_001) }, { name: 'should be at most 1000 characters' }],
    [{ participants: undefined }, { participants: 'should be a list' }],
    [{ participants: [] }, { participants: 'Participants can not be empty.' }],
    [{ participants: [{ type: 'team', name: '' }] }, { participants: 'Participants can not be empty.' }],
    [{ participants: Array(1_001).fill({ type: 'none' }) }, { participants: 'should have at most 1000 items' }],
    [{ participants: [{ type: 'schedule', id: 'x' }] }, { 'participants[0].type': expect.stringContaining('user') }],
    [{ participants: [ada, { type: 'team', title: 'Ops' }] }, { 'participants[1]': 'id or name should be provided' }],
    [{ timeRestriction: { type: 'yearly' } }, { 'timeRestriction.type': expect.stringContaining('time-of-day') }],
  ])('answers 422 naming the field and keeps nothing: %#', async (part, errors) => {
    const { app, path, listed } = await withSchedule();
    expect(await app.post(path, { ...daily([ada]), ...part })).toMatchObject({ status: 422, body: { errors } });
    expect(await listed()).toEqual([]);
  });

  it('takes every limit itself', async () => {
    const { app, path } = await withSchedule();
    const most = { name: '😀'.repeat(1_000), length: 10_000, startDate: '1900-01-01T00:00:00Z' };
    expect((await app.post(path, daily(Array(1_000).fill({ type: 'none' }), most))).status).toBe(201);
  });

  it.each([
    [[{ type: 'user', username: 'x@y.z' }], 'User with username [x@y.z] does not exist.'],
    [[ada, { type: 'user', id: 'x' }], 'User with id [x] does not exist.'],
    [[{ type: 'team', name: 'x' }], 'Team with name [x] does not exist.'],
    [[{ type: 'escalation', id: 'x' }], 'Escalation with id [x] does not exist.'],
  ])('answers 404 naming the participant who does not exist, and keeps nothing: %j', async (participants, message) => {
    const { app, path, listed } = await withSchedule();
    const { status, body } = await app.post(path, daily(participants));
    expect([status, body['message']]).toEqual([404, message]);
    expect(await listed()).toEqual([]);
  });

  it('keeps at most 1000 rotations in a schedule, and no more than a topic takes', async () => {
    const full = await withSchedule({ rotations: Array(999).fill(daily([{ type: 'none' }])) });
    expect((await full.app.post(full.path, daily([{ type: 'none' }]))).status).toBe(201);
    expect(await full.app.post(full.path, daily([{ type: 'none' }]))).toMatchObject({
      status: 422,
      body: { errors: { rotations: 'should have at most 1000 items' } },
    });
    const { app, path, listed } = await withSchedule();
    const many = daily(Array(1_000).fill(bob), { name: 'x'.repeat(1_000) });
    const statuses: number[] = [];
    while (!statuses.includes(422)) statuses.push((await app.post(path, many)).status);
    expect(statuses.length).toBeLessThan(100);
    expect(await listed()).toHaveLength(statuses.length - 1);
  });
});

describe('GET /v2/schedules/{scheduleIdentifier}/rotations', () => {
  it('lists in the order in which they were added, and shows a deleted participant', async () => {
    const { app, path, listed } = await withSchedule({ rotations: [daily([ada])] });
    await created(app, path, daily([bob], { name: 'A' }));
    expect((await listed()).map(({ name }) => name)).toEqual(['Rot1', 'A']);
    app.users.remove('bob');
    const [, last] = await listed();
    expect(last).toMatchObject({ participants: [{ type: 'user', id: 'bob' }] });
    expect(last).not.toHaveProperty('_parent');
  });

  it('answers 404 for a schedule and a rotation that do not exist, and for one of another schedule', async () => {
    const { app, path, id } = await withRotation();
    const other = await created(app, '/v2/schedules', { name: 'Other' });
    for (const missing of ['/v2/schedules/x/rotations', `${path}/x`, `/v2/schedules/${other}/rotations/${id}`]) {
      expect((await app.get(missing)).status).toBe(404);
    }
    const { body } = await app.get(`${path}/x`);
    expect(body['message']).toBe('Rotation with id [x] does not exist in schedule [Ops].');
  });
});

describe('the rights of a team key to rotations', () => {
  it('writes those of its own schedules, reads those that name its team, and no others', async () => {
    const { app, path, one } = await withRotation();
    const own = `/v2/schedules/${await created(app, '/v2/schedules', { name: 'Own' }, teamKey)}/rotations`;
    const id = await created(app, own, daily([ada]), teamKey);
    expect((await app.patch(`${own}/${id}`, { name: 'Mine' }, teamKey)).status).toBe(200);
    expect((await app.delete(`${own}/${id}`, teamKey)).status).toBe(200);
    expect((await app.get(one, teamKey)).status).toBe(403);
    expect((await app.patch(one, { name: 'Mine' }, teamKey)).status).toBe(403);
    await created(app, path, daily([{ type: 'team', id: 'sre' }]));
    expect((await app.get(one, teamKey)).status).toBe(200);
    expect((await app.get(path, teamKey)).status).toBe(200);
    const refused = [
      await app.post(path, daily([ada]), teamKey),
      await app.patch(one, { name: 'Mine' }, teamKey),
      await app.delete(one, teamKey),
    ];
    expect(refused.map(({ status, body }) => [status, body['code']])).toEqual(Array(3).fill([403, 40301]));
  });
});
