import { describe, expect, it } from '@jest/globals';
import type { Caller } from '@tocsin/http';
import { created, daily, testApp } from '../testing/app-fixture.ts';

const ada = { type: 'user', id: 'ada', username: 'ada@example.com' };
const bob = { type: 'user', id: 'bob', username: 'bob@example.com' };
const night = { type: 'time-of-day', restriction: { startHour: 22, startMin: 0, endHour: 6, endMin: 30 } };
const directory: Caller = { service: 'directory' };

async function withRotations() {
  const app = await testApp();
  const rotations = [
    daily([ada, bob], { name: 'Day', endDate: '2027-01-01T00:00:00Z' }),
    daily([bob, { type: 'none' }], { name: 'Night', timeRestriction: night }),
  ];
  const scheduleId = await created(app, '/v2/schedules', { name: 'Ops', timezone: 'UTC', rotations });
  const path = `/v2/schedules/${scheduleId}/rotations`;
  const [first, second] = (await app.get(path)).data as readonly [{ id: string }, { id: string }];
  const version = async () => {
    const { data } = await app.get(`/internal/states/schedules.v1?id=${scheduleId}`, directory);
    return (data as { version: { n: number } }).version.n;
  };
  const read = async (id: string) => (await app.get(`${path}/${id}`)).data as Readonly<Record<string, unknown>>;
  const override = (body: object) =>
    app.post(`/v2/schedules/${scheduleId}/overrides`, {
      startDate: '2026-02-01T00:00:00Z',
      endDate: '2026-02-02T00:00:00Z',
      user: ada,
      ...body,
    });
  const aliases = async () => {
    const { data } = await app.get(`/v2/schedules/${scheduleId}/overrides`);
    return (data as readonly { alias: string }[]).map(({ alias }) => alias);
  };
  return { app, scheduleId, path, first: first.id, second: second.id, version, read, override, aliases };
}

describe('PATCH /v2/schedules/{scheduleIdentifier}/rotations/{id}', () => {
  it.each([
    [{ name: 'Days' }, { name: 'Days' }],
    [{ startDate: '2026-01-02T00:16:00Z' }, { startDate: '2026-01-02T00:30:00Z' }],
    [{ endDate: '2028-01-01T00:00:00Z' }, { endDate: '2028-01-01T00:00:00Z' }],
    [{ type: 'WEEKLY' }, { type: 'weekly' }],
    [{ length: 3 }, { length: 3 }],
    [{ participants: [bob, bob, ada] }, { participants: [bob, bob, ada] }],
    [{ timeRestriction: night }, { timeRestriction: night }],
  ])('changes %j alone and announces it', async (part, change) => {
    const { app, path, first, version, read } = await withRotations();
    const before = await read(first);
    const { status, body } = await app.patch(`${path}/${first}`, part);
    expect(status).toBe(200);
    expect(body).toMatchObject({ result: 'Updated', data: { id: first, name: expect.stringContaining('Day') } });
    expect(await read(first)).toEqual({ ...before, ...change });
    expect(await version()).toBe(2);
  });

  it('changes and publishes nothing with its own data, without fields, with null and with empty values', async () => {
    const { app, path, scheduleId, first, second, version, read } = await withRotations();
    // On the wall clock of this zone, no start or end is at a full or half hour.
    await app.patch(`/v2/schedules/${scheduleId}`, { timezone: 'Asia/Kathmandu' });
    const before = [await read(first), await read(second)];
    const nothing = {
      name: null,
      startDate: null,
      endDate: null,
      type: null,
      length: null,
      participants: null,
      timeRestriction: null,
    };
    const empty = { name: '', timeRestriction: { type: '', restriction: {} } };
    for (const body of [before[1], {}, nothing, empty]) {
      expect((await app.patch(`${path}/${second}`, body)).status).toBe(200);
    }
    expect((await app.patch(`${path}/${first}`, before[0])).status).toBe(200);
    expect([await read(first), await read(second)]).toEqual(before);
    expect(await version()).toBe(2);
  });

  it('keeps its place among the others', async () => {
    const { app, path, first } = await withRotations();
    await app.patch(`${path}/${first}`, { name: 'Z' });
    expect((await app.get(path)).data).toMatchObject([{ name: 'Z' }, { name: 'Night' }]);
  });

  it.each([
    [{ endDate: '2025-12-31T00:00:00Z' }, { endDate: 'should be after startDate' }],
    [{ startDate: '2027-01-01T00:00:00Z' }, { endDate: 'should be after startDate' }],
    [{ startDate: 'soon' }, { startDate: expect.stringContaining('should be a date') }],
    [{ type: 'yearly' }, { type: 'should be one of [ daily, weekly, hourly ]' }],
    [{ length: 0 }, { length: 'should be at least 1' }],
    [{ name: ' ' }, { name: 'Rotation name can not be empty.' }],
    [{ participants: [] }, { participants: 'Participants can not be empty.' }],
    [{ timeRestriction: 'nights' }, { timeRestriction: 'should be an object with type' }],
  ])('answers 422 to %j, naming the field, and changes nothing', async (part, errors) => {
    const { app, path, first, version } = await withRotations();
    expect(await app.patch(`${path}/${first}`, part)).toMatchObject({ status: 422, body: { errors } });
    expect(await version()).toBe(1);
  });

  it('answers 422 to a body that is no object, and 404 for who or what does not exist', async () => {
    const { app, path, first, version } = await withRotations();
    expect((await app.patch(`${path}/${first}`, [])).status).toBe(422);
    const { status, body } = await app.patch(`${path}/${first}`, { participants: [ada, { type: 'user', id: 'x' }] });
    expect([status, body['message']]).toEqual([404, 'User with id [x] does not exist.']);
    expect((await app.patch(`${path}/x`, { name: 'Z' })).status).toBe(404);
    expect(await version()).toBe(1);
  });
});

describe('DELETE /v2/schedules/{scheduleIdentifier}/rotations/{id}', () => {
  it('answers Deleted, then 404, and leaves the others', async () => {
    const { app, path, first, second } = await withRotations();
    const { status, body } = await app.delete(`/v2/schedules/Ops/rotations/${first}?scheduleIdentifierType=name`);
    expect([status, body['result']]).toEqual([200, 'Deleted']);
    expect((await app.get(`${path}/${first}`)).status).toBe(404);
    expect((await app.delete(`${path}/${first}`)).status).toBe(404);
    expect((await app.get(path)).data).toMatchObject([{ id: second }]);
    expect((await app.delete(`${path}/${second}`)).status).toBe(200);
    expect((await app.get(path)).data).toEqual([]);
  });

  it('deletes the overrides that named no other rotation (S14), as a PATCH of the schedule does', async () => {
    const { app, path, scheduleId, first, second, override, aliases } = await withRotations();
    await override({ alias: 'all' });
    await override({ alias: 'day', rotations: [{ id: first }] });
    await override({ alias: 'both', rotations: [{ name: 'Day' }, { name: 'Night' }] });
    await app.delete(`${path}/${first}`);
    expect(await aliases()).toEqual(['all', 'both']);
    await app.patch(`/v2/schedules/${scheduleId}`, { rotations: [daily([bob], { id: second })] });
    expect(await aliases()).toEqual(['all', 'both']);
    await app.patch(`/v2/schedules/${scheduleId}`, { rotations: [daily([bob])] });
    expect(await aliases()).toEqual(['all']);
  });

  it('ends the use of its participants', async () => {
    const { app, path, first } = await withRotations();
    const uses = async () => (await app.get('/internal/uses?type=user&id=ada', directory)).data;
    expect(await uses()).toEqual(['It is in rotation [Day] of schedule [Ops].']);
    await app.delete(`${path}/${first}`);
    expect(await uses()).toEqual([]);
  });
});
