import { beforeEach, describe, expect, it } from '@jest/globals';
import { created, daily, testApp, type TestApp } from '../testing/app-fixture.ts';

const ID = '4f8fad5b-d9cb-469f-a165-70867728950e';
const OTHER_ID = '0e2b6c1a-7d0c-1f6e-9a55-3b1f2b7c0d11';

const body = (over: object = {}) => ({
  alias: 'holiday',
  fromUser: { id: 'ada' },
  toUser: { id: 'bob' },
  startDate: '2026-01-01T00:00:00Z',
  endDate: '2026-01-02T00:00:00Z',
  ...over,
});

let app: TestApp;
beforeEach(async () => {
  app = await testApp();
});

const put = (sent: object, id = ID) => app.put(`/v2/imports/forwarding-rules/${id}`, sent);
const resultOf = async (sent: object, id = ID) => (await put(sent, id)).body['result'];
const read = async () => (await app.get(`/v2/forwarding-rules/${ID}`)).data;
const version = async () => (await app.operations.store.current()).forwardingRules.get(ID)?.version.n;
const onCall = async (schedule: string) =>
  ((await app.get(`/v2/schedules/${schedule}/on-calls?flat=true`)).data as { onCallRecipients: string[] })
    .onCallRecipients;

describe('PUT /v2/imports/forwarding-rules/{identifier}', () => {
  it('creates a rule with its id once, of 20 requests at once too', async () => {
    const results = await Promise.all(Array.from({ length: 20 }, () => resultOf(body())));
    expect(results.toSorted()).toEqual(['Created', ...Array.from({ length: 19 }, () => 'Unchanged')]);
    expect(await read()).toMatchObject({ id: ID, alias: 'holiday', fromUser: { id: 'ada' }, toUser: { id: 'bob' } });
    expect(await version()).toBe(1);
  });

  it('makes the rule what the body says, its alias too, and keeps its place among those that overlap', async () => {
    const schedule = await created(app, '/v2/schedules', {
      name: 'Ops',
      rotations: [daily([{ type: 'user', id: 'ada' }])],
    });
    await resultOf(body());
    await resultOf(body({ alias: null, toUser: { id: 'eve' } }), OTHER_ID);
    expect(await resultOf(body({ alias: '', endDate: '2026-01-03T00:00:00Z' }))).toBe('Updated');
    expect(await read()).toMatchObject({ alias: '', endDate: '2026-01-03T00:00:00Z' });
    expect(await onCall(schedule)).toEqual(['eve@example.com']);
  });

  it('creates one again that was deleted', async () => {
    await resultOf(body());
    await app.delete(`/v2/forwarding-rules/${ID}`);
    expect(await resultOf(body())).toBe('Created');
    expect(await read()).toMatchObject({ id: ID });
  });

  it('changes nothing where it is refused', async () => {
    await resultOf(body());
    await resultOf(body({ alias: 'taken' }), OTHER_ID);
    const before = [await read(), await version()];
    const refusals = [
      [body({ alias: 'taken' }), 409, { message: 'Forwarding rule with alias [taken] already exists.' }],
      [body({ toUser: { id: 'x' } }), 404, { message: 'User with id [x] does not exist.' }],
      [body({ toUser: { id: 'ada' } }), 422, { errors: { toUser: expect.any(String) } }],
      [body({ endDate: '2026-01-01T00:00:00Z' }), 422, { errors: { endDate: 'should be after startDate' } }],
    ] as const;
    for (const [sent, status, answer] of refusals) expect(await put(sent)).toMatchObject({ status, body: answer });
    expect((await put(body(), 'holiday')).status).toBe(422);
    expect([await read(), await version()]).toEqual(before);
  });
});
