import { describe, expect, it } from '@jest/globals';
import { UnavailableError } from '@tocsin/core';
import { userOf } from '../testing/on-call-samples.ts';
import { created, daily, teamKey, testApp } from '../testing/app-fixture.ts';

const user = (id: string) => ({ type: 'user', id });
const rule = (recipient: object) => ({ delay: { timeAmount: 1 }, recipient });

async function configured() {
  const app = await testApp();
  const schedule = async (name: string, participants: readonly object[], key?: typeof teamKey) =>
    created(app, '/v2/schedules', { name, rotations: [daily(participants)], enabled: name !== 'Web' }, key);
  const escalation = async (name: string, ...recipients: readonly object[]) =>
    created(app, '/v2/escalations', { name, rules: recipients.map(rule) });
  const ids = {
    ops: await schedule('Ops', [user('ada'), user('bob'), user('ada')]),
    net: await schedule('Net', [user('bob'), { type: 'team', id: 'sre' }]),
    web: await schedule('Web', [user('ada')], teamKey),
    early: await escalation('Early', user('ada'), { type: 'team', id: 'sre' }),
    late: await escalation('Late', user('bob')),
  };
  return { app, ids };
}

describe('GET /v2/users/{identifier}/schedules', () => {
  it('lists the schedules in whose rotations the user takes part, each once', async () => {
    const { app, ids } = await configured();
    for (const identifier of ['ada', 'ada@example.com', 'ADA%40example.com']) {
      expect((await app.get(`/v2/users/${identifier}/schedules`)).data).toEqual([
        { id: ids.ops, name: 'Ops', enabled: true },
        { id: ids.web, name: 'Web', enabled: false },
      ]);
    }
    expect((await app.get('/v2/users/eve/schedules')).data).toEqual([]);
  });

  it('shows a team key only schedules that it may see', async () => {
    const { app, ids } = await configured();
    expect((await app.get('/v2/users/ada/schedules', teamKey)).data).toMatchObject([{ id: ids.web }]);
    expect((await app.get('/v2/users/bob/schedules', teamKey)).data).toMatchObject([{ id: ids.net }]);
  });
});

describe('GET /v2/users/{identifier}/escalations', () => {
  it('lists the escalations that reach the user in person, as GET shows them', async () => {
    const { app, ids } = await configured();
    const { data } = await app.get('/v2/users/ada/escalations');
    expect(data).toEqual([(await app.get(`/v2/escalations/${ids.early}`)).data]);
    expect((await app.get('/v2/users/bob@example.com/escalations')).data).toMatchObject([{ id: ids.late }]);
    expect((await app.get('/v2/users/eve/escalations')).data).toEqual([]);
  });

  it('shows a team key only escalations that it may see', async () => {
    const { app, ids } = await configured();
    expect((await app.get('/v2/users/ada/escalations', teamKey)).data).toMatchObject([{ id: ids.early }]);
    expect((await app.get('/v2/users/bob/escalations', teamKey)).data).toEqual([]);
  });
});

describe.each(['schedules', 'escalations'])('GET /v2/users/{identifier}/%s', (things) => {
  it('answers 404 for a user who does not exist, finds one created a moment ago, and answers 503 while directory does not answer', async () => {
    const app = await testApp();
    const path = `/v2/users/kim@example.com/${things}`;
    const { status, body } = await app.get(path);
    expect([status, body['message']]).toEqual([404, 'User does not exist with id or username: kim@example.com']);
    app.users.ownerHas('username', 'kim@example.com', userOf('kim'));
    expect((await app.get(path)).data).toEqual([]);
    app.users.refuseWith(new UnavailableError('The directory does not answer.'));
    expect((await app.get(`/v2/users/zoe/${things}`)).status).toBe(503);
  });
});
