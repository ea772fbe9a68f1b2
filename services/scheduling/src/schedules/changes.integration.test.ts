import { describe, expect, it } from '@jest/globals';
import type { Caller } from '@tocsin/http';
import { teamOf } from '../testing/on-call-samples.ts';
import { created, daily, teamKey, testApp } from '../testing/app-fixture.ts';

const directory: Caller = { service: 'directory' };
const ada = { type: 'user', id: 'ada' };
const night = { type: 'time-of-day', restriction: { startHour: 22, startMin: 10, endHour: 5, endMin: 45 } };

interface Shown {
  readonly name: string;
  readonly rotations: readonly { readonly id: string; readonly name: string }[];
}

async function withSchedule(over: object = {}) {
  const app = await testApp();
  const rules = [{ delay: { timeAmount: 0 }, recipient: ada }];
  await created(app, '/v2/escalations', { name: 'Late', rules });
  const every = [ada, { type: 'team', name: 'SRE' }, { type: 'escalation', name: 'Late' }, { type: 'none' }, ada];
  const id = await created(app, '/v2/schedules', {
    name: 'Ops',
    description: 'who is woken',
    timezone: 'Asia/Calcutta',
    ownerTeam: { name: 'SRE' },
    rotations: [daily(every, { endDate: '2027-01-05T08:10:00Z', timeRestriction: night }), daily([ada], { length: 2 })],
    ...over,
  });
  const path = `/v2/schedules/${id}`;
  const read = async () => (await app.get(path)).data as Shown;
  const state = async () => (await app.get(`/internal/states/schedules.v1?id=${id}`, directory)).data;
  return { app, id, path, read, state };
}

describe('a PATCH of a schedule that changes nothing', () => {
  it('keeps everything, version and overrides included, when it sends what GET gave (E10)', async () => {
    const { app, path, read, state } = await withSchedule();
    const dates = { startDate: '2026-02-01T00:00:00Z', endDate: '2026-02-02T00:00:00Z' };
    const rotations = [{ name: 'Rot1' }];
    expect((await app.post(`${path}/overrides`, { alias: 'swap', user: ada, ...dates, rotations })).status).toBe(201);
    await app.patch(path, { timezone: 'Asia/Kathmandu' });
    const before = [await read(), await state(), (await app.get(`${path}/overrides`)).data];
    expect(await app.patch(path, before[0])).toMatchObject({ status: 200, body: { result: 'Updated' } });
    for (const body of [{}, { name: null, description: null, timezone: null, enabled: null, rotations: null }]) {
      expect((await app.patch(path, body)).status).toBe(200);
    }
    expect((await app.patch(path, { name: '', timezone: '', ownerTeam: null })).status).toBe(200);
    expect([await read(), await state(), (await app.get(`${path}/overrides`)).data]).toEqual(before);
  });

  it('gets by with the long name of a default schedule, which no other user may take (S11)', async () => {
    const { app, path } = await withSchedule();
    const teamName = 'x'.repeat(100);
    const { data } = await app.put('/internal/teams/sre/defaults', { teamName }, directory);
    const long = `/v2/schedules/${(data as { scheduleId: string }).scheduleId}`;
    expect((await app.patch(long, (await app.get(long)).data)).status).toBe(200);
    const longer = { errors: { name: 'should be at most 100 characters' } };
    expect(await app.patch(path, { name: `${teamName}y` })).toMatchObject({ status: 422, body: longer });
    expect(await app.patch(long, { name: `${teamName}y` })).toMatchObject({ status: 422, body: longer });
  });
});

describe('a PATCH of a schedule', () => {
  it('renames, so that the old name is free', async () => {
    const { app, path, read } = await withSchedule();
    const { data } = await app.patch(path, { name: '😀'.repeat(100), description: 'x'.repeat(10_000) });
    expect(data).toMatchObject({ name: '😀'.repeat(100) });
    expect((await app.get('/v2/schedules/Ops?identifierType=name')).status).toBe(404);
    await created(app, '/v2/schedules', { name: 'Ops' });
    expect(await read()).toMatchObject({ name: '😀'.repeat(100), description: 'x'.repeat(10_000) });
  });

  it('switches off and on, by words too', async () => {
    const { app, path } = await withSchedule();
    expect((await app.patch(path, { enabled: 'False' })).data).toMatchObject({ enabled: false });
    expect((await app.get(`${path}/on-calls?flat=true`)).data).toMatchObject({ onCallRecipients: [] });
    expect((await app.patch(path, { enabled: true })).data).toMatchObject({ enabled: true });
  });

  it('gives it to another team, by id or name, and never to none', async () => {
    const { app, path, read } = await withSchedule();
    app.teams.put('web', { ...teamOf('web', {}, { type: 'none' }), name: 'Web' });
    await app.patch(path, { ownerTeam: { name: 'Web' } });
    expect(await read()).toMatchObject({ ownerTeam: { id: 'web', name: 'Web' } });
    await app.patch(path, { ownerTeam: { id: 'sre', name: '' } });
    await app.patch(path, { ownerTeam: null });
    expect(await read()).toMatchObject({ ownerTeam: { id: 'sre' } });
    await app.patch(path, { ownerTeam: { id: '', name: '' } });
    expect(await read()).toMatchObject({ ownerTeam: { id: 'sre' } });
    const { status, body } = await app.patch(path, { ownerTeam: { id: 'x' } });
    expect([status, body['message']]).toEqual([404, 'Team with id [x] does not exist.']);
  });

  it('gives an id that is sent twice to the first rotation alone', async () => {
    const { app, path, read } = await withSchedule();
    const [first] = (await read()).rotations;
    await app.patch(path, { rotations: [daily([ada], { id: first?.id }), daily([ada], { id: first?.id })] });
    const ids = (await read()).rotations.map(({ id }) => id);
    expect(ids[0]).toBe(first?.id);
    expect(new Set(ids).size).toBe(2);
  });

  it.each([
    [{ name: ' ' }, { name: 'Schedule name can not be empty.' }],
    [{ description: 'x'.repeat(10_001) }, { description: 'should be at most 10000 characters' }],
    [{ enabled: 'perhaps' }, { enabled: 'should be true or false' }],
    [{ rotations: [daily([])] }, { 'rotations[0].participants': 'Participants can not be empty.' }],
    [{ rotations: Array(1_001).fill(daily([ada])) }, { rotations: 'should have at most 1000 items' }],
    [
      { rotations: [daily([ada], { endDate: '2026-01-01T00:00:00Z' })] },
      { 'rotations[0].endDate': 'should be after startDate' },
    ],
  ])('answers 422 naming the field and changes nothing: %#', async (part, errors) => {
    const { app, path, state } = await withSchedule();
    const before = await state();
    expect(await app.patch(path, { ...part, timezone: 'UTC' })).toMatchObject({ status: 422, body: { errors } });
    expect(await state()).toEqual(before);
  });

  it('answers 404 for a participant who does not exist, naming them, and changes nothing', async () => {
    const { app, path, state } = await withSchedule();
    const before = await state();
    const rotations = [daily([ada]), daily([{ type: 'escalation', name: 'Gone' }])];
    const { status, body } = await app.patch(path, { name: 'New', rotations });
    expect([status, body['message']]).toEqual([404, 'Escalation with name [Gone] does not exist.']);
    expect(await state()).toEqual(before);
  });
});

describe('the uses of an entity', () => {
  it('holds back an escalation and a schedule until nothing names them (428)', async () => {
    const { app, id, path } = await withSchedule();
    const rules = [{ delay: { timeAmount: 0 }, recipient: { type: 'schedule', id } }];
    const using = await created(app, '/v2/escalations', { name: 'Using', rules });
    expect((await app.delete(path)).status).toBe(428);
    const late = '/v2/escalations/Late?identifierType=name';
    const { status, body } = await app.delete(late);
    expect(status).toBe(428);
    expect(body['message']).toContain('It is in rotation [Rot1] of schedule [Ops].');
    await app.patch(path, { rotations: [] });
    await app.delete(`/v2/escalations/${using}`);
    expect([(await app.delete(late)).status, (await app.delete(path)).status]).toEqual([200, 200]);
  });

  it('answers the directory for a team in a rotation, and not for what the team owns', async () => {
    const { app, path } = await withSchedule();
    const uses = async () => (await app.get('/internal/uses?type=team&id=sre', directory)).data;
    expect(await uses()).toEqual(['It is in rotation [Rot1] of schedule [Ops].']);
    await app.patch(path, { rotations: [] });
    expect(await uses()).toEqual([]);
  });

  it("refuses the delete of another team's schedule to a team key", async () => {
    const { app, path } = await withSchedule({ ownerTeam: null });
    expect((await app.delete(path, teamKey)).status).toBe(403);
    await app.patch(path, { rotations: [] });
    expect((await app.delete(path, teamKey)).status).toBe(403);
  });
});

describe('schedules.v1', () => {
  it('carries a schedule as a whole', async () => {
    const { id, read, state } = await withSchedule();
    const [first, second] = (await read()).rotations;
    expect(await state()).toMatchObject({
      id,
      deleted: false,
      version: { n: 1 },
      state: {
        id,
        name: 'Ops',
        description: 'who is woken',
        timezone: 'Asia/Calcutta',
        enabled: true,
        ownerTeamId: 'sre',
        rotations: [
          {
            id: first?.id,
            name: 'Rot1',
            type: 'daily',
            length: 1,
            // On the wall clock of Calcutta, 05:30 and 13:30.
            startDate: '2026-01-01T00:00:00.000Z',
            endDate: '2027-01-05T08:00:00.000Z',
            participants: [
              ada,
              { type: 'team', id: 'sre' },
              { type: 'escalation', id: expect.any(String) },
              { type: 'none' },
              ada,
            ],
            timeRestriction: {
              type: 'time-of-day',
              restriction: { startHour: 22, startMin: 0, endHour: 6, endMin: 0 },
            },
          },
          { id: second?.id, name: 'Rot2', type: 'daily', length: 2, participants: [ada] },
        ],
      },
    });
  });
});
