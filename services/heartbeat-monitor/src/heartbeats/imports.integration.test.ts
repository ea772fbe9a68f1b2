import { beforeEach, describe, expect, it } from '@jest/globals';
import { UnavailableError } from '@tocsin/core';
import { useApp, type TestApp } from '../testing/app-fixture.ts';

const PATH = '/v2/imports/heartbeats/backup';
const BACKUP = '/v2/heartbeats/backup';

const body = (over: object = {}) => ({
  name: 'backup',
  description: 'nightly',
  interval: 10,
  intervalUnit: 'minutes',
  enabled: false,
  ownerTeam: { id: 'ops' },
  alertMessage: 'Backup is missing',
  alertTags: ['db', 'disk'],
  alertPriority: 'P1',
  ...over,
});

const openApp = useApp();
let app: TestApp;

beforeEach(async () => {
  app = await openApp();
  await app.pass(0);
});

const resultOf = async (sent: object) => (await app.put(PATH, sent)).body['result'];
const read = async () => (await app.get(BACKUP)).data;
const stored = () => app.store.find('backup');
const ping = () => app.post(`${BACKUP}/ping`);

describe('PUT /v2/imports/heartbeats/{heartbeatName}', () => {
  it('creates a heartbeat once, of 20 requests at once too', async () => {
    const results = await Promise.all(Array.from({ length: 20 }, () => resultOf(body())));
    expect(results.toSorted()).toEqual(['Created', ...Array.from({ length: 19 }, () => 'Unchanged')]);
    const before = await stored();
    expect(await read()).toEqual({ ...body(), expired: false, ownerTeam: { id: 'ops', name: 'Ops' } });
    expect(await app.put(PATH, body())).toMatchObject({ body: { result: 'Unchanged', data: { name: 'backup' } } });
    expect(await stored()).toEqual(before);
  });

  it('is done by a request whose answer is lost: the repeat changes nothing', async () => {
    const { store } = app;
    const insert = store.insert.bind(store);
    store.insert = async (heartbeat) => {
      await insert(heartbeat);
      throw new UnavailableError('The answer is lost.');
    };
    expect((await app.put(PATH, body())).status).toBe(503);
    store.insert = insert;
    const before = await stored();
    expect(await resultOf(body())).toBe('Unchanged');
    expect(await stored()).toEqual(before);
  });

  it('makes the heartbeat what the body says: what it leaves out is as in a new one', async () => {
    await resultOf(body());
    const { name, interval, intervalUnit } = body();
    expect(await resultOf({ name, interval, intervalUnit })).toBe('Updated');
    const bare = { name, interval, intervalUnit, description: '', enabled: false, expired: false, alertTags: [] };
    expect(await read()).toEqual(bare);
  });

  it('of a disabled one never expires it, whatever pings it', async () => {
    await resultOf(body());
    await ping();
    await app.pass(1_000);
    expect(await read()).toMatchObject({ enabled: false, expired: false });
    expect(await app.commands()).toEqual([]);
  });

  it('of an enabled one counts from its first ping', async () => {
    await resultOf(body({ enabled: true }));
    await app.pass(1_000);
    expect(await read()).toMatchObject({ expired: false });
    await ping();
    await app.pass(10);
    expect(await read()).toMatchObject({ expired: true });
  });

  it('keeps the last ping, and the expiry where the interval is as long', async () => {
    const hour = { enabled: true, interval: 60 };
    await resultOf(body(hour));
    await ping();
    const { lastPingAt, expiresAt } = (await stored()) ?? {};
    await app.pass(5);
    expect(await resultOf(body(hour))).toBe('Unchanged');
    expect(await resultOf(body({ ...hour, description: 'changed' }))).toBe('Updated');
    expect(await resultOf(body({ enabled: true, interval: 1, intervalUnit: 'hours' }))).toBe('Updated');
    expect(await stored()).toMatchObject({ lastPingAt, expiresAt, intervalUnit: 'hours' });
    expect(await resultOf(body({ enabled: true, interval: 20 }))).toBe('Updated');
    expect(await stored()).toMatchObject({ lastPingAt, expiresAt: new Date(app.clock.now().getTime() + 20 * 60_000) });
  });

  it('leaves the alert of an expired one open', async () => {
    await resultOf(body({ enabled: true }));
    await ping();
    await app.pass(10);
    const opened = await app.commands();
    expect(opened).toMatchObject([{ kind: 'create' }]);
    expect(await resultOf(body({ enabled: true }))).toBe('Unchanged');
    expect(await resultOf(body({ enabled: true, alertTags: [] }))).toBe('Updated');
    expect([await read(), await app.commands()]).toEqual([expect.objectContaining({ expired: true }), opened]);
  });

  it('enables and disables as the public operations do', async () => {
    await resultOf(body());
    expect(await resultOf(body({ enabled: true }))).toBe('Updated');
    await app.pass(10);
    expect(await read()).toMatchObject({ expired: true });
    expect(await resultOf(body())).toBe('Updated');
    expect(await read()).toMatchObject({ enabled: false, expired: false });
    expect(await app.commands()).toMatchObject([{ kind: 'create' }, { kind: 'close' }]);
  });

  it('creates one again that was deleted, whose alerts are new ones', async () => {
    await resultOf(body({ enabled: true }));
    const before = await stored();
    await app.delete(BACKUP);
    expect(await resultOf(body({ enabled: true }))).toBe('Created');
    expect((await stored())?.id).not.toBe(before?.id);
  });

  it('changes nothing where it is refused', async () => {
    await resultOf(body());
    const before = await stored();
    const refusals = [
      [body({ name: 'other' }), 422, { errors: { name: 'should be [backup]: a heartbeat keeps its name' } }],
      [body({ name: undefined }), 422, { errors: { name: expect.any(String) } }],
      [body({ interval: 0 }), 422, { errors: { interval: 'should be at least 1' } }],
      [body({ ownerTeam: { id: 'x' } }), 404, { message: 'Team with id [x] does not exist.' }],
    ] as const;
    for (const [sent, status, answer] of refusals)
      expect(await app.put(PATH, sent)).toMatchObject({ status, body: answer });
    expect(await stored()).toEqual(before);
  });

  it('counts towards what a team may have', async () => {
    const large = body({ description: '\u{1f514}'.repeat(10_000) });
    for (let made = 0; made < 99; made += 1)
      await app.put(`/v2/imports/heartbeats/large${made}`, { ...large, name: `large${made}` });
    expect(await app.put(PATH, large)).toMatchObject({
      status: 422,
      body: { message: 'A team has at most 4000000 bytes of heartbeats.' },
    });
    expect(await resultOf(body())).toBe('Created');
  });
});
