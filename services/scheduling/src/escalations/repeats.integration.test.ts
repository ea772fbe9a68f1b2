import { describe, expect, it } from '@jest/globals';
import { UnavailableError } from '@tocsin/core';
import { created, teamKey, testApp, type TestApp } from '../testing/app-fixture.ts';

const rule = (over: object = {}) => ({
  delay: { timeAmount: 5 },
  recipient: { type: 'user', username: 'ada@example.com' },
  ...over,
});
const escalation = (over: object = {}) => ({ name: 'Late', rules: [rule()], ...over });
const hourly = { waitInterval: 60, count: 20, resetRecipientStates: true, closeAlertAfterAll: true };
const read = async (app: TestApp, id: string) => (await app.get(`/v2/escalations/${id}`)).data;
const versionOf = async (app: TestApp, id: string) =>
  (await app.operations.store.current()).escalations.get(id)?.version;

describe('repeat of an escalation', () => {
  it('comes back with all its four fields, in the list too', async () => {
    const app = await testApp();
    const id = await created(app, '/v2/escalations', escalation({ repeat: hourly }));
    expect(await read(app, id)).toMatchObject({ repeat: hourly });
    expect((await app.get('/v2/escalations')).data).toMatchObject([{ repeat: hourly }]);
  });

  it('is read in any unit and spelling, with defaults for what is left out', async () => {
    const app = await testApp();
    const repeat = { waitInterval: { timeAmount: 2, timeUnit: 'hours' }, closeAlertAfterAll: 'TRUE', count: null };
    const id = await created(app, '/v2/escalations', escalation({ repeat }));
    expect(await read(app, id)).toMatchObject({
      repeat: { waitInterval: 120, count: 1, resetRecipientStates: false, closeAlertAfterAll: true },
    });
  });

  it.each([
    [undefined],
    [null],
    [{}],
    [{ waitInterval: 0, count: 0, resetRecipientStates: false, closeAlertAfterAll: false }],
    [{ waitInterval: 0, count: 3 }],
    [{ waitInterval: null, count: null }],
  ])('is left out where there is none: %j', async (repeat) => {
    const app = await testApp();
    const id = await created(app, '/v2/escalations', escalation({ repeat }));
    expect(await read(app, id)).not.toHaveProperty('repeat');
  });

  it.each([
    [{ count: 3 }, { 'repeat.waitInterval': 'should be given in minutes' }],
    [{ resetRecipientStates: true }, { 'repeat.waitInterval': 'should be given in minutes' }],
    [{ closeAlertAfterAll: true, waitInterval: null }, { 'repeat.waitInterval': 'should be given in minutes' }],
    [{ ...hourly, count: 21 }, { 'repeat.count': 'should be at most 20' }],
    [{ ...hourly, count: -1 }, { 'repeat.count': 'should be at least 0' }],
    [{ ...hourly, count: 1.5 }, { 'repeat.count': 'should be a whole number from 0 to 20' }],
    [{ ...hourly, waitInterval: -1 }, { 'repeat.waitInterval': 'should be at least 0 minutes' }],
    [{ ...hourly, waitInterval: 1_000_001 }, { 'repeat.waitInterval': 'should be at most 1000000 minutes' }],
    [{ ...hourly, waitInterval: 'ten' }, { 'repeat.waitInterval': expect.any(String) }],
    [{ ...hourly, resetRecipientStates: 'often' }, { 'repeat.resetRecipientStates': 'should be true or false' }],
    [{ ...hourly, closeAlertAfterAll: 1 }, { 'repeat.closeAlertAfterAll': 'should be true or false' }],
    ['daily', { repeat: 'should be an object with waitInterval and count' }],
  ])('that is wrong is 422 naming the field, and keeps nothing: %j', async (repeat, errors) => {
    const app = await testApp();
    expect(await app.post('/v2/escalations', escalation({ repeat }))).toMatchObject({ status: 422, body: { errors } });
    expect((await app.get('/v2/escalations')).data).toEqual([]);
  });

  it('stays with a PATCH that does not speak of it, is replaced as a whole, and ends with an empty one', async () => {
    const app = await testApp();
    const id = await created(app, '/v2/escalations', escalation({ repeat: hourly }));
    await app.patch(`/v2/escalations/${id}`, { description: 'new' });
    await app.patch(`/v2/escalations/${id}`, { repeat: null });
    expect(await read(app, id)).toMatchObject({ description: 'new', repeat: hourly });
    await app.patch(`/v2/escalations/${id}`, { repeat: { waitInterval: 1, count: 2 } });
    const short = { waitInterval: 1, count: 2, resetRecipientStates: false, closeAlertAfterAll: false };
    expect(await read(app, id)).toMatchObject({ repeat: short });
    await app.patch(`/v2/escalations/${id}`, { repeat: {} });
    expect(await read(app, id)).not.toHaveProperty('repeat');
  });
});

describe('a recipient', () => {
  it('that only directory knows is 503 while directory is unavailable, and writes nothing', async () => {
    const app = await testApp();
    app.users.fetch = () => Promise.reject(new UnavailableError('The directory does not answer.'));
    expect((await app.post('/v2/escalations', escalation())).status).toBe(503);
    expect((await app.get('/v2/escalations')).data).toEqual([]);
  });
});

describe('a delay', () => {
  it.each([
    [{ timeAmount: 2, timeUnit: 'hours' }, 120],
    [{ timeAmount: 1, timeUnit: 'Day' }, 1_440],
    [{ timeAmount: 120, timeUnit: 'seconds' }, 2],
    [{ timeAmount: 1_000_000 }, 1_000_000],
    [{}, 0],
    [7, 7],
  ])('is read in any unit and answered in minutes: %j', async (delay, timeAmount) => {
    const app = await testApp();
    const id = await created(app, '/v2/escalations', escalation({ rules: [rule({ delay })] }));
    expect(await read(app, id)).toMatchObject({ rules: [{ delay: { timeAmount, timeUnit: 'minutes' } }] });
  });

  it('that is no whole number of minutes is 422', async () => {
    const rules = [rule({ delay: { timeAmount: 90, timeUnit: 'seconds' } })];
    const errors = { 'rules[0].delay.timeAmount': 'should be a whole number of minutes' };
    expect(await (await testApp()).post('/v2/escalations', escalation({ rules }))).toMatchObject({ body: { errors } });
  });
});

describe('an escalation that is written unchanged', () => {
  it('is equal, and is not written (E10)', async () => {
    const app = await testApp();
    const scheduleId = await created(app, '/v2/schedules', { name: 'Ops' });
    const recipients = [
      { type: 'schedule', id: scheduleId },
      { type: 'team', name: 'SRE' },
      { type: 'user', id: 'bob' },
    ];
    const body = escalation({
      description: 'x',
      ownerTeam: { name: 'SRE' },
      repeat: hourly,
      rules: recipients.map((recipient) => rule({ recipient })),
    });
    const id = await created(app, '/v2/escalations', body);
    const [before, version] = [await read(app, id), await versionOf(app, id)];
    expect((await app.patch(`/v2/escalations/${id}`, before)).status).toBe(200);
    expect((await app.patch(`/v2/escalations/${id}`, before, teamKey)).status).toBe(200);
    expect([await read(app, id), await versionOf(app, id)]).toEqual([before, version]);
  });

  it('does not count as changed when it has its own name', async () => {
    const app = await testApp();
    const id = await created(app, '/v2/escalations', escalation());
    expect(await app.patch(`/v2/escalations/${id}`, { name: 'Late' })).toMatchObject({ status: 200 });
    await app.patch(`/v2/escalations/Late?identifierType=name`, { name: 'Later' });
    expect(await versionOf(app, id)).toMatchObject({ n: 2 });
    expect(await read(app, id)).toMatchObject({ name: 'Later' });
  });
});
