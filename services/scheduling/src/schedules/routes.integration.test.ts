import { describe, expect, it } from '@jest/globals';
import { UnavailableError } from '@tocsin/core';
import { created, daily, teamKey, testApp } from '../testing/app-fixture.ts';

const ada = { type: 'user', username: 'ada@example.com' };

describe('GET /v2/schedules/{identifier}', () => {
  it('finds by id and, in any case of the word, by name', async () => {
    const app = await testApp();
    const id = await created(app, '/v2/schedules', { name: 'Ops + more' });
    expect((await app.get(`/v2/schedules/${id}?identifierType=ID`)).status).toBe(200);
    expect((await app.get('/v2/schedules/Ops%20+%20more?identifierType=Name')).data).toMatchObject({ id });
  });

  it('answers 404 for an unknown one and 422 for another kind of identifier', async () => {
    const app = await testApp();
    const { status, body } = await app.get('/v2/schedules/nope');
    expect([status, body['message']]).toEqual([404, 'Schedule with id [nope] does not exist.']);
    const refused = await app.get('/v2/schedules/nope?identifierType=tiny');
    expect(refused).toMatchObject({ status: 422, body: { errors: { identifierType: expect.any(String) } } });
  });

  it('leaves out the name of a deleted user, also while directory is unavailable', async () => {
    const app = await testApp();
    const id = await created(app, '/v2/schedules', { name: 'Ops', rotations: [daily([ada])] });
    app.users.remove('ada');
    const participants = [{ type: 'user', id: 'ada' }];
    expect((await app.get(`/v2/schedules/${id}`)).data).toMatchObject({ rotations: [{ participants }] });
    app.users.refuseWith(new UnavailableError('The directory does not answer.'));
    expect((await app.get(`/v2/schedules/${id}`)).data).toMatchObject({ rotations: [{ participants }] });
  });

  it('shows a team key its own schedules and those that name its team, and 403 for others', async () => {
    const app = await testApp();
    const foreign = await created(app, '/v2/schedules', { name: 'Foreign' });
    const naming = await created(app, '/v2/schedules', {
      name: 'Naming',
      rotations: [daily([{ type: 'team', id: 'sre' }])],
    });
    const own = await created(app, '/v2/schedules', { name: 'Own' }, teamKey);
    const statusOf = async (id: string) => (await app.get(`/v2/schedules/${id}`, teamKey)).status;
    expect([await statusOf(foreign), await statusOf(naming), await statusOf(own)]).toEqual([403, 200, 200]);
    expect(await statusOf('Foreign?identifierType=name')).toBe(403);
    const names = ((await app.get('/v2/schedules', teamKey)).data as { name: string }[]).map(({ name }) => name);
    expect(names).toEqual(['Naming', 'Own']);
  });
});

describe('GET /v2/schedules', () => {
  it('lists in the order of creation, with the rotations where the query expands them', async () => {
    const app = await testApp();
    await created(app, '/v2/schedules', { name: 'Second in the alphabet', rotations: [daily([ada])] });
    app.clock.advance(1);
    await created(app, '/v2/schedules', { name: 'First in the alphabet' });
    const { body } = await app.get('/v2/schedules');
    expect(body).toMatchObject({
      expandable: ['rotation'],
      data: [{ name: 'Second in the alphabet', rotations: [] }, { name: 'First in the alphabet' }],
    });
    const expanded = await app.get('/v2/schedules?expand=Rotation');
    expect(expanded.data).toMatchObject([{ rotations: [{ name: 'Rot1' }] }, { rotations: [] }]);
  });

  it('answers 422 for fields that cannot be expanded', async () => {
    expect(await (await testApp()).get('/v2/schedules?expand=team')).toMatchObject({
      status: 422,
      body: { errors: { expand: 'should be one of [ rotation ]' } },
    });
  });
});

describe('PATCH /v2/schedules/{identifier}', () => {
  it('changes the named fields and keeps the rest', async () => {
    const app = await testApp();
    const id = await created(app, '/v2/schedules', { name: 'Ops', rotations: [daily([ada])] });
    const { status, body } = await app.patch('/v2/schedules/Ops?identifierType=name', {
      description: 'new',
      enabled: false,
      name: '',
      rotations: null,
    });
    expect(status).toBe(200);
    expect(body).toMatchObject({ result: 'Updated', data: { id, name: 'Ops', enabled: false } });
    expect((await app.get(`/v2/schedules/${id}`)).data).toMatchObject({
      description: 'new',
      enabled: false,
      rotations: [{ name: 'Rot1' }],
    });
  });

  it('replaces the rotations and keeps the ids that are sent', async () => {
    const app = await testApp();
    const id = await created(app, '/v2/schedules', { name: 'Ops', rotations: [daily([ada]), daily([ada])] });
    const before = (await app.get(`/v2/schedules/${id}`)).data as { rotations: { id: string; name: string }[] };
    const [, second] = before.rotations;
    await app.patch(`/v2/schedules/${id}`, {
      rotations: [daily([{ type: 'none' }], { id: second?.id }), daily([ada], { id: 'foreign' })],
    });
    const after = (await app.get(`/v2/schedules/${id}`)).data as { rotations: { id: string; name: string }[] };
    expect(after.rotations).toMatchObject([
      { id: second?.id, name: 'Rot2', participants: [{ type: 'none' }] },
      { name: 'Rot1' },
    ]);
    expect(after.rotations[1]?.id).not.toBe('foreign');
  });

  it('keeps a time restriction with its rotation, and replaces or leaves it out with the rotations', async () => {
    const app = await testApp();
    const weekend = { startDay: 'friday', startHour: 18, startMin: 0, endDay: 'monday', endHour: 9, endMin: 30 };
    const timeRestriction = { type: 'weekday-and-time-of-day', restrictions: [weekend] };
    const id = await created(app, '/v2/schedules', { name: 'Ops', rotations: [daily([ada], { timeRestriction })] });
    const shown = async () => ((await app.get(`/v2/schedules/${id}`)).data as { rotations: object[] }).rotations;
    expect(await shown()).toMatchObject([{ timeRestriction }]);
    await app.patch(`/v2/schedules/${id}`, { timezone: 'UTC' });
    expect(await shown()).toMatchObject([{ timeRestriction }]);
    const before = await shown();
    await app.patch(`/v2/schedules/${id}`, { rotations: before });
    expect(await shown()).toEqual(before);
    await app.patch(`/v2/schedules/${id}`, { rotations: [daily([ada])] });
    expect((await shown())[0]).not.toHaveProperty('timeRestriction');
  });

  it('keeps the instants of the rotations when the zone changes', async () => {
    const app = await testApp();
    const id = await created(app, '/v2/schedules', { name: 'Ops', timezone: 'UTC', rotations: [daily([ada])] });
    await app.patch(`/v2/schedules/${id}`, { timezone: 'Asia/Kathmandu' });
    expect((await app.get(`/v2/schedules/${id}`)).data).toMatchObject({
      timezone: 'Asia/Kathmandu',
      rotations: [{ startDate: '2026-01-01T00:00:00Z' }],
    });
  });

  it('answers 409 for the name of another, 404 for an unknown one, 422 for invalid values', async () => {
    const app = await testApp();
    const id = await created(app, '/v2/schedules', { name: 'Ops' });
    await created(app, '/v2/schedules', { name: 'Other' });
    expect((await app.patch(`/v2/schedules/${id}`, { name: 'Other' })).status).toBe(409);
    expect((await app.patch(`/v2/schedules/${id}`, { name: 'Ops' })).status).toBe(200);
    expect((await app.patch('/v2/schedules/nope', {})).status).toBe(404);
    expect((await app.patch(`/v2/schedules/${id}`, { timezone: 'x' })).status).toBe(422);
  });

  it("answers 403 to a team key for another team's schedule that it may read, and keeps its own with the team", async () => {
    const app = await testApp();
    const naming = await created(app, '/v2/schedules', {
      name: 'Naming',
      rotations: [daily([{ type: 'team', id: 'sre' }])],
    });
    const { status, body } = await app.patch(`/v2/schedules/${naming}`, { enabled: false }, teamKey);
    expect([status, body['code']]).toEqual([403, 40301]);
    const own = await created(app, '/v2/schedules', { name: 'Own' }, teamKey);
    await app.patch(`/v2/schedules/${own}`, { ownerTeam: { id: 'other' } }, teamKey);
    expect((await app.get(`/v2/schedules/${own}`)).data).toMatchObject({ ownerTeam: { id: 'sre' } });
  });
});

describe('DELETE /v2/schedules/{identifier}', () => {
  it('deletes unused ones, by id or name', async () => {
    const app = await testApp();
    const id = await created(app, '/v2/schedules', { name: 'Ops' });
    const { status, body } = await app.delete('/v2/schedules/Ops?identifierType=name');
    expect([status, body['result']]).toEqual([200, 'Deleted']);
    expect((await app.get(`/v2/schedules/${id}`)).status).toBe(404);
    expect((await app.delete(`/v2/schedules/${id}`)).status).toBe(404);
  });

  it('answers 428 naming the routing rules and escalations that use it, and keeps it', async () => {
    const app = await testApp();
    const id = await created(app, '/v2/schedules', { name: 'Ops' });
    app.directory.uses.set(`schedule:${id}`, ['Routing rule [Default] of team [SRE] notifies it.']);
    await created(app, '/v2/escalations', {
      name: 'Late',
      rules: [{ delay: { timeAmount: 0 }, recipient: { type: 'schedule', id } }],
    });
    const { status, body } = await app.delete(`/v2/schedules/${id}`);
    expect([status, body['message']]).toEqual([
      428,
      'Schedule [Ops] is in use. Routing rule [Default] of team [SRE] notifies it. It is a recipient of escalation [Late].',
    ]);
    expect((await app.get(`/v2/schedules/${id}`)).status).toBe(200);
  });

  it('answers 503 when the directory cannot be asked', async () => {
    const app = await testApp();
    const id = await created(app, '/v2/schedules', { name: 'Ops' });
    app.directory.refusal = new UnavailableError('The directory does not answer.');
    expect((await app.delete(`/v2/schedules/${id}`)).status).toBe(503);
  });
});
