import { describe, expect, it } from '@jest/globals';
import { UnavailableError } from '@tocsin/core';
import { teamOf, userOf } from '../testing/on-call-samples.ts';
import { created, daily, teamKey, testApp } from '../testing/app-fixture.ts';

const ada = { type: 'user', username: 'ada@example.com' };

describe('POST /v2/schedules', () => {
  it('answers 201 with id, name and enabled, and GET shows it in canonical form', async () => {
    const app = await testApp();
    const escalation = await created(app, '/v2/escalations', {
      name: 'Late',
      rules: [{ delay: { timeAmount: 0 }, recipient: ada }],
    });
    const { status, body, data } = await app.post('/v2/schedules', {
      name: 'Ops',
      description: 'who is woken',
      timezone: 'Asia/Calcutta',
      enabled: 'true',
      ownerTeam: { name: 'SRE' },
      rotations: [
        {
          name: 'Week',
          startDate: '2026-01-05T09:10:30+01:00',
          endDate: '2027-01-05T08:00:00Z',
          type: 'Weekly',
          length: 2,
          participants: [
            { type: 'user', id: 'bob', username: '' },
            { type: 'USER', username: 'ADA@example.com' },
            { type: 'team', name: 'SRE' },
            { type: 'escalation', name: 'Late' },
            { type: 'none' },
          ],
          timeRestriction: {
            type: 'Time-Of-Day',
            restriction: { startHour: 22, startMin: 10, endHour: 5, endMin: 45 },
          },
        },
        daily([ada], { endDate: null, timeRestriction: { type: '', restriction: {} } }),
      ],
    });
    expect(status).toBe(201);
    expect(body).toMatchObject({ result: 'Created', data: { name: 'Ops', enabled: true } });
    const { id } = data as { id: string };
    expect((await app.get(`/v2/schedules/${id}`)).data).toEqual({
      id,
      name: 'Ops',
      description: 'who is woken',
      timezone: 'Asia/Calcutta',
      enabled: true,
      ownerTeam: { id: 'sre', name: 'SRE' },
      rotations: [
        {
          id: expect.any(String),
          name: 'Week',
          // 13:40:30 in Calcutta.
          startDate: '2026-01-05T08:00:00Z',
          endDate: '2027-01-05T08:00:00Z',
          type: 'weekly',
          length: 2,
          participants: [
            { type: 'user', id: 'bob', username: 'bob@example.com' },
            { type: 'user', id: 'ada', username: 'ada@example.com' },
            { type: 'team', id: 'sre', name: 'SRE' },
            { type: 'escalation', id: escalation, name: 'Late' },
            { type: 'none' },
          ],
          timeRestriction: {
            type: 'time-of-day',
            restriction: { startHour: 22, startMin: 0, endHour: 6, endMin: 0 },
          },
        },
        {
          id: expect.any(String),
          name: 'Rot1',
          startDate: '2026-01-01T00:00:00Z',
          type: 'daily',
          length: 1,
          participants: [{ type: 'user', id: 'ada', username: 'ada@example.com' }],
        },
      ],
    });
  });

  it.each([{ rotations: null }, {}, { rotations: [], ownerTeam: null, description: null, timezone: '' }])(
    'takes a schedule without a rotation, in the zone of the account: %j',
    async (rest) => {
      const app = await testApp();
      const id = await created(app, '/v2/schedules', { name: 'Ops', ...rest });
      expect((await app.get(`/v2/schedules/${id}`)).data).toEqual({
        id,
        name: 'Ops',
        description: '',
        timezone: 'Europe/Rome',
        enabled: true,
        rotations: [],
      });
    },
  );

  it('finds a user and a team that were created a moment ago', async () => {
    const app = await testApp();
    app.users.ownerHas('username', 'new@example.com', userOf('new'));
    app.teams.ownerHas('name', 'Fresh', teamOf('fresh', {}, { type: 'none' }));
    const rotations = [daily([{ type: 'user', username: 'new@example.com' }])];
    const { status } = await app.post('/v2/schedules', { name: 'Ops', ownerTeam: { name: 'Fresh' }, rotations });
    expect(status).toBe(201);
  });

  it('answers 409 when the name is taken, and to all but one of 50 at once', async () => {
    const app = await testApp();
    const statuses = await Promise.all(
      Array.from({ length: 50 }, async () => (await app.post('/v2/schedules', { name: 'Ops' })).status),
    );
    expect(statuses.filter((status) => status === 201)).toHaveLength(1);
    const { status, body } = await app.post('/v2/schedules', { name: 'Ops' });
    expect([status, body['message']]).toEqual([409, 'Schedule with name [Ops] already exists.']);
    expect((await app.post('/v2/schedules', { name: 'ops' })).status).toBe(201);
  });

  it.each([
    [{}, { name: 'Schedule name can not be empty.' }],
    [{ name: ' ' }, { name: 'Schedule name can not be empty.' }],
    [{ name: '😀'.repeat(101) }, { name: 'should be at most 100 characters' }],
    [{ description: 'x'.repeat(10_001) }, { description: 'should be at most 10000 characters' }],
    [{ timezone: 'Mars/Olympus' }, { timezone: 'should be a time zone such as Europe/Rome' }],
    [{ enabled: 'maybe' }, { enabled: 'should be true or false' }],
    [{ rotations: {} }, { rotations: 'should be a list' }],
    [{ rotations: ['x'] }, { 'rotations[0]': 'should be an object' }],
    [{ rotations: [daily([ada], { type: 'monthly' })] }, { 'rotations[0].type': expect.stringContaining('daily') }],
    [{ rotations: [daily([ada], { length: 0 })] }, { 'rotations[0].length': 'should be at least 1' }],
    [{ rotations: [daily([ada], { length: 1.5 })] }, { 'rotations[0].length': expect.any(String) }],
    [{ rotations: [daily([ada], { name: '' })] }, { 'rotations[0].name': 'Rotation name can not be empty.' }],
    [{ rotations: [daily([ada], { startDate: 'soon' })] }, { 'rotations[0].startDate': expect.any(String) }],
    [
      { rotations: [daily([ada], { startDate: '9999-12-31T23:45:00Z' })] },
      { 'rotations[0].startDate': 'should be a date of the years 1900 to 9998' },
    ],
    [{ rotations: [daily([], {})] }, { 'rotations[0].participants': 'Participants can not be empty.' }],
    [
      { rotations: [daily([{ type: 'user', email: 'a@b.example' }])] },
      { 'rotations[0].participants[0]': 'id or name should be provided' },
    ],
    [{ rotations: [daily([{ type: 'robot' }])] }, { 'rotations[0].participants[0].type': expect.any(String) }],
    [
      { rotations: [daily([ada]), daily([ada], { endDate: '2025-01-01T00:00:00Z' })] },
      { 'rotations[1].endDate': 'should be after startDate' },
    ],
    [
      { rotations: [daily([ada], { timeRestriction: { type: 'time-of-day', restriction: { startHour: 24 } } })] },
      { 'rotations[0].timeRestriction.restriction.startHour': 'should be a whole number from 0 to 23' },
    ],
  ])('answers 422 naming the field and keeps nothing: %j', async (part, errors) => {
    const app = await testApp();
    const body = Object.keys(part).length === 0 ? {} : { name: 'Ops', ...part };
    const answer = await app.post('/v2/schedules', body);
    expect(answer).toMatchObject({ status: 422, body: { errors } });
    expect((await app.get('/v2/schedules')).data).toEqual([]);
  });

  it.each([
    [{ ownerTeam: { name: 'Missing' } }, 'Team with name [Missing] does not exist.'],
    [{ ownerTeam: { id: 'x' } }, 'Team with id [x] does not exist.'],
    [{ rotations: [daily([{ type: 'user', username: 'x@y.z' }])] }, 'User with username [x@y.z] does not exist.'],
    [{ rotations: [daily([{ type: 'team', id: 'x' }])] }, 'Team with id [x] does not exist.'],
    [{ rotations: [daily([{ type: 'escalation', name: 'x' }])] }, 'Escalation with name [x] does not exist.'],
  ])('answers 404 naming the reference that does not exist, and keeps nothing: %j', async (part, message) => {
    const app = await testApp();
    const { status, body } = await app.post('/v2/schedules', { name: 'Ops', ...part });
    expect([status, body['message']]).toEqual([404, message]);
    expect((await app.get('/v2/schedules')).data).toEqual([]);
  });

  it('answers 503 when it cannot be said whether a reference exists', async () => {
    const app = await testApp();
    app.users.refuseWith(new UnavailableError('The directory does not answer.'));
    const { status } = await app.post('/v2/schedules', {
      name: 'Ops',
      rotations: [daily([{ type: 'user', id: 'x' }])],
    });
    expect(status).toBe(503);
  });

  it('gives the creations of a team key to its team, whatever the body says', async () => {
    const app = await testApp();
    const id = await created(app, '/v2/schedules', { name: 'Ops', ownerTeam: { name: 'Missing' } }, teamKey);
    expect((await app.get(`/v2/schedules/${id}`)).data).toMatchObject({ ownerTeam: { id: 'sre' } });
  });
});
