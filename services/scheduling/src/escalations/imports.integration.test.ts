import { describe, expect, it } from '@jest/globals';
import type { Caller } from '@tocsin/http';
import { created, testApp, type TestApp } from '../testing/app-fixture.ts';

const directory: Caller = { service: 'directory' };
const ID = '4f8fad5b-d9cb-469f-a165-70867728950e';
const PATH = `/v2/imports/escalations/${ID}`;

const rule = (over: object = {}) => ({ delay: { timeAmount: 5 }, recipient: { type: 'user', id: 'ada' }, ...over });
const body = (over: object = {}) => ({
  name: 'Late',
  description: 'who is woken then',
  ownerTeam: { id: 'sre' },
  rules: [rule(), rule({ recipient: { type: 'team', id: 'sre' }, notifyType: 'admins', condition: 'if-not-closed' })],
  repeat: { waitInterval: 60, count: 3, resetRecipientStates: true, closeAlertAfterAll: true },
  ...over,
});

const resultOf = async (app: TestApp, sent: object) => (await app.put(PATH, sent)).body['result'];
const read = async (app: TestApp) => (await app.get(`/v2/escalations/${ID}`)).data;
const state = async (app: TestApp) => (await app.get(`/internal/states/escalations.v1?id=${ID}`, directory)).data;

describe('PUT /v2/imports/escalations/{identifier}', () => {
  it('creates an escalation with its id once, of 20 requests at once too', async () => {
    const app = await testApp();
    const results = await Promise.all(Array.from({ length: 20 }, () => resultOf(app, body())));
    expect(results.toSorted()).toEqual(['Created', ...Array.from({ length: 19 }, () => 'Unchanged')]);
    expect(await read(app)).toMatchObject({ id: ID, name: 'Late', repeat: body().repeat, rules: [{}, {}] });
    expect(await state(app)).toMatchObject({ version: { n: 1 } });
  });

  it('makes the escalation what the body says: what it leaves out is as in a new one', async () => {
    const app = await testApp();
    await resultOf(app, body());
    expect(await resultOf(app, { name: 'Later', rules: [rule({ delay: { timeAmount: 7 } })] })).toBe('Updated');
    expect(await read(app)).toEqual({
      id: ID,
      name: 'Later',
      description: '',
      rules: [
        {
          condition: 'if-not-acked',
          notifyType: 'default',
          delay: { timeAmount: 7, timeUnit: 'minutes' },
          recipient: { type: 'user', id: 'ada', username: 'ada@example.com' },
        },
      ],
    });
  });

  it('creates one again that was deleted, under a version after that of the deletion', async () => {
    const app = await testApp();
    await resultOf(app, body());
    await app.delete(`/v2/escalations/${ID}`);
    expect(await state(app)).toBeUndefined();
    expect(await resultOf(app, body())).toBe('Created');
    expect(await state(app)).toMatchObject({ version: { n: 3 }, deleted: false });
  });

  it('changes nothing where it is refused', async () => {
    const app = await testApp();
    await created(app, '/v2/escalations', body({ name: 'Taken' }));
    await resultOf(app, body());
    const before = [await read(app), await state(app)];
    const missing = rule({ recipient: { type: 'schedule', id: 'x' } });
    const refusals = [
      [body({ name: 'Taken' }), 409, { message: 'Escalation with name [Taken] already exists.' }],
      [body({ rules: [missing] }), 404, { message: 'Schedule with id [x] does not exist.' }],
      [body({ ownerTeam: { id: 'x' } }), 404, { message: 'Team with id [x] does not exist.' }],
      [body({ rules: [] }), 422, { errors: { rules: 'Rules can not be empty.' } }],
    ] as const;
    for (const [sent, status, answer] of refusals)
      expect(await app.put(PATH, sent)).toMatchObject({ status, body: answer });
    expect((await app.put('/v2/imports/escalations/Late', body())).status).toBe(422);
    expect([await read(app), await state(app)]).toEqual(before);
  });
});
