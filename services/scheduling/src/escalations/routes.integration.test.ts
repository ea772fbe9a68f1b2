import { describe, expect, it } from '@jest/globals';
import { UnavailableError } from '@tocsin/core';
import { created, daily, teamKey, testApp } from '../testing/app-fixture.ts';

const ada = { type: 'user', username: 'ada@example.com' };
const rule = (over: object = {}) => ({ delay: { timeAmount: 5 }, recipient: ada, ...over });
const escalation = (over: object = {}) => ({ name: 'Late', rules: [rule()], ...over });

describe('POST /v2/escalations', () => {
  it('answers 201 with id and name, and GET shows it in canonical form', async () => {
    const app = await testApp();
    const scheduleId = await created(app, '/v2/schedules', { name: 'Ops' });
    const { status, body, data } = await app.post('/v2/escalations', {
      name: 'Late',
      description: 'who comes next',
      ownerTeam: { id: 'sre' },
      repeat: {},
      rules: [
        {
          condition: 'IF-NOT-CLOSED',
          notifyType: 'Next',
          delay: { timeAmount: 0 },
          recipient: { type: 'schedule', name: 'Ops' },
        },
        {
          notifyType: 'random',
          delay: { timeAmount: 5, timeUnit: 'minutes' },
          recipient: { type: 'team', name: 'SRE' },
        },
        {
          condition: null,
          notifyType: null,
          delay: { timeAmount: 10 },
          recipient: { type: 'user', id: 'bob', username: '' },
        },
      ],
    });
    expect(status).toBe(201);
    const { id } = data as { id: string };
    expect(body).toMatchObject({ result: 'Created', data: { id, name: 'Late' } });
    expect((await app.get('/v2/escalations/Late?identifierType=name')).data).toEqual({
      id,
      name: 'Late',
      description: 'who comes next',
      ownerTeam: { id: 'sre', name: 'SRE' },
      rules: [
        {
          condition: 'if-not-closed',
          notifyType: 'next',
          delay: { timeAmount: 0, timeUnit: 'minutes' },
          recipient: { type: 'schedule', id: scheduleId, name: 'Ops' },
        },
        {
          condition: 'if-not-acked',
          notifyType: 'random',
          delay: { timeAmount: 5, timeUnit: 'minutes' },
          recipient: { type: 'team', id: 'sre', name: 'SRE' },
        },
        {
          condition: 'if-not-acked',
          notifyType: 'default',
          delay: { timeAmount: 10, timeUnit: 'minutes' },
          recipient: { type: 'user', id: 'bob', username: 'bob@example.com' },
        },
      ],
    });
  });

  it('reads a delay without an amount as none', async () => {
    const app = await testApp();
    const id = await created(app, '/v2/escalations', escalation({ rules: [rule({ delay: {} })] }));
    expect((await app.get(`/v2/escalations/${id}`)).data).toMatchObject({ rules: [{ delay: { timeAmount: 0 } }] });
  });

  it('answers 409 when the name is taken, and to all but one of 50 at once', async () => {
    const app = await testApp();
    const answers = await Promise.all(Array.from({ length: 50 }, () => app.post('/v2/escalations', escalation())));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    const refused = answers.find(({ status }) => status !== 201);
    expect(refused).toMatchObject({ status: 409, body: { message: 'Escalation with name [Late] already exists.' } });
  });

  it.each([
    [{ name: '' }, { name: 'Escalation name can not be empty.' }],
    [{ name: 'x'.repeat(1_001) }, { name: 'should be at most 1000 characters' }],
    [{ description: 'x'.repeat(1_001) }, { description: 'should be at most 1000 characters' }],
    [{ rules: undefined }, { rules: 'should be a list' }],
    [{ rules: [] }, { rules: 'Rules can not be empty.' }],
    [{ rules: [rule({ condition: 'if-bored' })] }, { 'rules[0].condition': expect.stringContaining('if-not-acked') }],
    [{ rules: [rule({ notifyType: 'loud' })] }, { 'rules[0].notifyType': expect.stringContaining('default') }],
    [{ rules: [rule({ notifyType: 'next' })] }, { 'rules[0].notifyType': 'of a user should be one of [ default ]' }],
    [
      { rules: [rule({ notifyType: 'all', recipient: { type: 'schedule', id: 'x' } })] },
      { 'rules[0].notifyType': 'of a schedule should be one of [ default, next, previous ]' },
    ],
    [
      { rules: [rule({ notifyType: 'previous', recipient: { type: 'team', id: 'x' } })] },
      { 'rules[0].notifyType': 'of a team should be one of [ default, users, admins, all, random ]' },
    ],
    [{ rules: [rule({ delay: undefined })] }, { 'rules[0].delay': expect.any(String) }],
    [{ rules: [rule({ delay: { timeAmount: -1 } })] }, { 'rules[0].delay.timeAmount': 'should be at least 0 minutes' }],
    [{ rules: [rule({ delay: { timeAmount: '5.5' } })] }, { 'rules[0].delay.timeAmount': expect.any(String) }],
    [
      { rules: [rule({ delay: { timeAmount: 5, timeUnit: 'weeks' } })] },
      { 'rules[0].delay.timeUnit': expect.any(String) },
    ],
    [
      { rules: [rule({ delay: { timeAmount: 1_000_001 } })] },
      { 'rules[0].delay.timeAmount': 'should be at most 1000000 minutes' },
    ],
    [{ rules: Array(1_001).fill(rule()) }, { rules: 'should have at most 1000 items' }],
    [{ ownerTeam: 'SRE' }, { ownerTeam: expect.any(String) }],
    [
      { rules: [rule({ recipient: { type: 'escalation', id: 'x' } })] },
      { 'rules[0].recipient.type': expect.any(String) },
    ],
    [{ rules: [rule({ recipient: { type: 'user' } })] }, { 'rules[0].recipient': 'id or name should be provided' }],
  ])('answers 422 naming the field and keeps nothing: %j', async (part, errors) => {
    const app = await testApp();
    expect(await app.post('/v2/escalations', escalation(part))).toMatchObject({ status: 422, body: { errors } });
    expect((await app.get('/v2/escalations')).data).toEqual([]);
  });

  it.each([
    [{ type: 'schedule', name: 'x' }, 'Schedule with name [x] does not exist.'],
    [{ type: 'team', name: 'x' }, 'Team with name [x] does not exist.'],
    [{ type: 'user', id: 'x' }, 'User with id [x] does not exist.'],
  ])('answers 404 naming the recipient that does not exist: %j', async (recipient, message) => {
    const { status, body } = await (
      await testApp()
    ).post('/v2/escalations', escalation({ rules: [rule({ recipient })] }));
    expect([status, body['message']]).toEqual([404, message]);
  });

  it('gives the creations of a team key to its team', async () => {
    const app = await testApp();
    const id = await created(app, '/v2/escalations', escalation({ ownerTeam: { id: 'x' } }), teamKey);
    expect((await app.get(`/v2/escalations/${id}`)).data).toMatchObject({ ownerTeam: { id: 'sre', name: 'SRE' } });
  });
});

describe('GET /v2/escalations', () => {
  it('lists whole escalations, with the name of their owner', async () => {
    const app = await testApp();
    await created(app, '/v2/escalations', escalation({ ownerTeam: { id: 'sre' } }));
    await created(app, '/v2/escalations', escalation({ name: 'Later' }));
    const { data } = await app.get('/v2/escalations');
    expect(data).toMatchObject([{ name: 'Late', ownerTeam: { name: 'SRE' }, rules: [{}] }, { name: 'Later' }]);
    expect((await app.get('/v2/escalations', teamKey)).data).toMatchObject([{ name: 'Late' }]);
  });

  it("answers 404 for one that does not exist, and 403 for another team's, by id and by name (K4)", async () => {
    const app = await testApp();
    const id = await created(app, '/v2/escalations', escalation());
    expect((await app.get('/v2/escalations/nope')).status).toBe(404);
    for (const path of [`/v2/escalations/${id}`, '/v2/escalations/Late?identifierType=name'])
      expect(await app.get(path, teamKey)).toMatchObject({ status: 403, body: { code: 40301 } });
  });
});

describe('PATCH /v2/escalations/{identifier}', () => {
  it('changes the named fields and keeps the rest', async () => {
    const app = await testApp();
    const id = await created(app, '/v2/escalations', escalation());
    const { status, body } = await app.patch(`/v2/escalations/${id}`, { description: 'new', rules: null, name: '' });
    expect([status, body['result'], body['data']]).toEqual([200, 'Updated', { id, name: 'Late' }]);
    await app.patch(`/v2/escalations/${id}`, { rules: [rule({ delay: { timeAmount: 1 } })], ownerTeam: { id: 'sre' } });
    expect((await app.get(`/v2/escalations/${id}`)).data).toMatchObject({
      description: 'new',
      ownerTeam: { id: 'sre' },
      rules: [{ delay: { timeAmount: 1 } }],
    });
  });

  it('answers 409, 404, 422 and 403', async () => {
    const app = await testApp();
    const id = await created(app, '/v2/escalations', escalation());
    const rules = [rule({ recipient: { type: 'team', id: 'sre' } })];
    const naming = await created(app, '/v2/escalations', { name: 'Naming', rules });
    expect((await app.patch(`/v2/escalations/${id}`, { name: 'Naming' })).status).toBe(409);
    expect((await app.patch('/v2/escalations/nope', {})).status).toBe(404);
    expect((await app.patch(`/v2/escalations/${id}`, { rules: [] })).status).toBe(422);
    expect((await app.patch(`/v2/escalations/${id}`, { name: ' ' })).status).toBe(422);
    expect((await app.patch(`/v2/escalations/${naming}`, { name: 'x' }, teamKey)).status).toBe(403);
  });
});

describe('DELETE /v2/escalations/{identifier}', () => {
  it('deletes unused ones', async () => {
    const app = await testApp();
    const id = await created(app, '/v2/escalations', escalation());
    expect(await app.delete(`/v2/escalations/${id}`)).toMatchObject({ status: 200, body: { result: 'Deleted' } });
    expect((await app.delete(`/v2/escalations/${id}`)).status).toBe(404);
  });

  it('answers 428 naming the routing rules and rotations that use it', async () => {
    const app = await testApp();
    const id = await created(app, '/v2/escalations', escalation());
    app.directory.uses.set(`escalation:${id}`, ['Routing rule [Default] of team [SRE] notifies it.']);
    await created(app, '/v2/schedules', { name: 'Ops', rotations: [daily([{ type: 'escalation', id }])] });
    const { status, body } = await app.delete(`/v2/escalations/${id}`);
    expect([status, body['message']]).toEqual([
      428,
      'Escalation [Late] is in use. Routing rule [Default] of team [SRE] notifies it. It is in rotation [Rot1] of schedule [Ops].',
    ]);
  });

  it('answers 503 when the directory cannot be asked', async () => {
    const app = await testApp();
    const id = await created(app, '/v2/escalations', escalation());
    app.directory.refusal = new UnavailableError('The directory does not answer.');
    expect((await app.delete(`/v2/escalations/${id}`)).status).toBe(503);
  });
});
