import { describe, expect, it } from '@jest/globals';
import { UnavailableError } from '@tocsin/core';
import type { Snapshots } from '../configuration/snapshot-operations.ts';
import { teamOf, userOf } from '../testing/on-call-samples.ts';
import { created, daily, teamKey, testApp } from '../testing/app-fixture.ts';
import { OnCallResolver } from './operations.ts';

const user = (id: string) => ({ type: 'user', id });
const leaf = (id: string) => ({ type: 'user', id, name: `${id}@example.com` });

async function opsSchedule() {
  const app = await testApp();
  const id = await created(app, '/v2/schedules', {
    name: 'Ops',
    timezone: 'UTC',
    rotations: [daily([user('ada'), user('bob')]), daily([user('eve'), { type: 'none' }], { name: 'Second' })],
  });
  return { app, id, parent: { id, name: 'Ops', enabled: true } };
}

describe('GET /v2/schedules/{identifier}/on-calls', () => {
  it('answers who is on call now, one participant per active rotation', async () => {
    const { app, id, parent } = await opsSchedule();
    expect((await app.get(`/v2/schedules/${id}/on-calls`)).data).toEqual({
      _parent: parent,
      onCallParticipants: [leaf('ada'), leaf('eve')],
    });
  });

  it('answers who is on call at another date, as user names, by the name of the schedule', async () => {
    const { app, parent } = await opsSchedule();
    for (const query of [
      'scheduleIdentifierType=name&flat=true&date=2026-01-02T12:00:00Z',
      'identifierType=NAME&flat=True&date=2026-01-02T13:00:00+01:00',
    ]) {
      const { data } = await app.get(`/v2/schedules/Ops/on-calls?${query}`);
      expect(data).toEqual({ _parent: parent, onCallRecipients: ['bob@example.com'] });
    }
  });

  it('follows the clock through a hand-off', async () => {
    const { app, id } = await opsSchedule();
    app.clock.moveTo(new Date('2026-01-02T00:00:00Z'));
    expect((await app.get(`/v2/schedules/${id}/on-calls`)).data).toMatchObject({ onCallParticipants: [leaf('bob')] });
  });

  it('has no user on call outside of the time restriction of a rotation', async () => {
    const app = await testApp();
    const timeRestriction = {
      type: 'time-of-day',
      restriction: { startHour: 22, startMin: 0, endHour: 6, endMin: 0 },
    };
    const id = await created(app, '/v2/schedules', {
      name: 'Nights',
      timezone: 'Europe/Rome',
      rotations: [daily([user('ada')], { timeRestriction })],
    });
    const onCall = async (date: string) => (await app.get(`/v2/schedules/${id}/on-calls?flat=true&date=${date}`)).data;
    expect(await onCall('2026-03-28T20:59:59Z')).toMatchObject({ onCallRecipients: [] });
    expect(await onCall('2026-03-28T21:00:00Z')).toMatchObject({ onCallRecipients: ['ada@example.com'] });
    // The clocks go forward in this night: 06:00 in Rome comes an hour earlier.
    expect(await onCall('2026-03-29T03:59:59Z')).toMatchObject({ onCallRecipients: ['ada@example.com'] });
    expect(await onCall('2026-03-29T04:00:00Z')).toMatchObject({ onCallRecipients: [] });
  });

  it('opens teams and escalations', async () => {
    const app = await testApp();
    const escalation = await created(app, '/v2/escalations', {
      name: 'Late',
      rules: [
        { delay: { timeAmount: 0 }, recipient: user('eve') },
        { delay: { timeAmount: 5 }, notifyType: 'admins', recipient: { type: 'team', id: 'sre' } },
      ],
    });
    app.teams.put('sre', teamOf('sre', { ada: 'admin' }, { type: 'escalation', id: escalation }));
    const id = await created(app, '/v2/schedules', {
      name: 'Ops',
      rotations: [daily([{ type: 'team', id: 'sre' }])],
    });
    const { data } = await app.get(`/v2/schedules/${id}/on-calls`);
    expect(data).toMatchObject({
      onCallParticipants: [
        {
          type: 'team',
          id: 'sre',
          name: 'sre',
          onCallParticipants: [
            {
              type: 'escalation',
              name: 'Late',
              onCallParticipants: [
                { ...leaf('eve'), escalationTime: 0, notifyType: 'default' },
                { type: 'team', escalationTime: 5, notifyType: 'admins', onCallParticipants: [leaf('ada')] },
              ],
            },
          ],
        },
      ],
    });
    const flat = await app.get(`/v2/schedules/${id}/on-calls?flat=true`);
    expect(flat.data).toMatchObject({ onCallRecipients: ['eve@example.com', 'ada@example.com'] });
  });

  it('is empty for a disabled schedule', async () => {
    const { app, id } = await opsSchedule();
    await app.patch(`/v2/schedules/${id}`, { enabled: false });
    expect((await app.get(`/v2/schedules/${id}/on-calls`)).data).toEqual({
      _parent: { id, name: 'Ops', enabled: false },
      onCallParticipants: [],
    });
  });

  it('names a user who was created a moment ago, skips a deleted one, and answers 503 while directory does not answer', async () => {
    const { app, id } = await opsSchedule();
    app.users.remove('ada');
    expect((await app.get(`/v2/schedules/${id}/on-calls`)).data).toMatchObject({
      onCallParticipants: [leaf('bob'), leaf('eve')],
    });
    app.users.get = (userId) => (userId === 'eve' ? userOf('eve') : undefined);
    app.users.fetch = () => Promise.resolve(userOf('ada'));
    const { data } = await app.get(`/v2/schedules/${id}/on-calls`);
    expect(data).toMatchObject({ onCallParticipants: [leaf('ada'), leaf('eve')] });
    app.users.get = () => undefined;
    app.users.fetch = () => Promise.reject(new UnavailableError('The directory does not answer.'));
    expect((await app.get(`/v2/schedules/${id}/on-calls`)).status).toBe(503);
  });

  it("answers 404 for a schedule that does not exist, and 403 for another team's (K4)", async () => {
    const { app, id } = await opsSchedule();
    expect((await app.get('/v2/schedules/nope/on-calls')).status).toBe(404);
    for (const what of ['on-calls', 'next-on-calls', 'timeline', 'rotations', 'overrides'])
      expect(await app.get(`/v2/schedules/${id}/${what}`, teamKey)).toMatchObject({
        status: 403,
        body: { code: 40301 },
      });
  });

  it.each([
    ['date=tomorrow', 'date'],
    ['flat=maybe', 'flat'],
    ['scheduleIdentifierType=tiny', 'scheduleIdentifierType'],
  ])('answers 422 naming the query value: %s', async (query, field) => {
    const { app, id } = await opsSchedule();
    const { status, body } = await app.get(`/v2/schedules/${id}/on-calls?${query}`);
    expect([status, Object.keys(body['errors'] as object)]).toEqual([422, [field]]);
  });
});

describe('GET /v2/schedules/on-calls', () => {
  it('lists every schedule that the key may see', async () => {
    const { app, parent } = await opsSchedule();
    app.clock.advance(1);
    await created(app, '/v2/schedules', { name: 'Own' }, teamKey);
    const { data } = await app.get('/v2/schedules/on-calls?flat=true&date=2026-01-02T12:00:00Z');
    expect(data).toMatchObject([
      { _parent: parent, onCallRecipients: ['bob@example.com'] },
      { _parent: { name: 'Own' }, onCallRecipients: [] },
    ]);
    expect((await app.get('/v2/schedules/on-calls', teamKey)).data).toMatchObject([
      { _parent: { name: 'Own' }, onCallParticipants: [] },
    ]);
  });

  it('answers 422 for a date that is none', async () => {
    const { status, body } = await (await testApp()).get('/v2/schedules/on-calls?date=x');
    expect([status, body['errors']]).toEqual([422, { date: expect.any(String) }]);
  });
});

describe('POST /internal/on-calls', () => {
  const notifier = { service: 'notifier' } as const;
  const ask = async (app: Awaited<ReturnType<typeof testApp>>, schedules: object[], withEnd = false) =>
    (await app.post('/internal/on-calls', { schedules, withEnd }, notifier)).data;

  it('answers the users on call in each schedule, and when they change', async () => {
    const { app, id } = await opsSchedule();
    const once = await created(app, '/v2/schedules', {
      name: 'Ada alone',
      timezone: 'UTC',
      rotations: [daily([user('ada')])],
    });
    const named = (userId: string) => ({ id: userId, name: `${userId}@example.com` });
    const ops = { id, name: 'Ops', users: [named('ada'), named('eve')] };
    const wanted = [{ scheduleId: id }, { scheduleId: 'gone' }, { scheduleId: once }];
    expect(await ask(app, wanted)).toEqual([ops, null, { id: once, name: 'Ada alone', users: [named('ada')] }]);
    expect(await ask(app, wanted, true)).toEqual([
      { ...ops, until: '2026-01-02T00:00:00.000Z' },
      null,
      { id: once, name: 'Ada alone', users: [named('ada')] },
    ]);
  });

  it('answers about the first schedules alone where all would take too long, of one at least', async () => {
    const snapshots = { open: () => Promise.resolve({ schedule: () => undefined }) } as unknown as Snapshots;
    let ms = 0;
    const onCalls = new OnCallResolver(snapshots, () => (ms += 250));
    const ofThree = () =>
      onCalls.usersOf([{ scheduleId: 'a' }, { scheduleId: 'b' }, { scheduleId: 'c' }], new Date(), { withEnd: false });
    expect(await ofThree()).toEqual([null, null]);
    const slow = new OnCallResolver(snapshots, () => (ms += 5_000));
    expect(await slow.usersOf([{ scheduleId: 'a' }, { scheduleId: 'b' }], new Date(), { withEnd: false })).toEqual([
      null,
    ]);
  });

  it('has no user on call in a disabled schedule', async () => {
    const { app, id } = await opsSchedule();
    await app.patch(`/v2/schedules/${id}`, { enabled: false });
    expect(await ask(app, [{ scheduleId: id }], true)).toEqual([{ id, name: 'Ops', users: [] }]);
  });

  it('answers a team about its schedules and those of no team alone (K9)', async () => {
    const { app, id } = await opsSchedule();
    const own = await created(app, '/v2/schedules', { name: 'Own', ownerTeam: { id: 'sre' } });
    const wanted = (teamId: string) => [id, own].map((scheduleId) => ({ scheduleId, teamId }));
    expect(await ask(app, wanted('sre'))).toMatchObject([{ name: 'Ops' }, { name: 'Own' }]);
    expect(await ask(app, wanted('other'))).toMatchObject([{ name: 'Ops' }, null]);
  });

  it('answers 422 about more than 100 schedules, and 403 to a key', async () => {
    const app = await testApp();
    const schedules = Array.from({ length: 101 }, () => ({ scheduleId: 's' }));
    expect((await app.post('/internal/on-calls', { schedules, withEnd: false }, notifier)).status).toBe(422);
    expect((await app.post('/internal/on-calls', { schedules: [], withEnd: false })).status).toBe(403);
  });
});
