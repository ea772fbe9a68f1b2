import { beforeEach, describe, expect, it } from '@jest/globals';
import { accountKey } from '@tocsin/testkit';
import { teamKey, useApp, type TestApp } from '../testing/app-fixture.ts';

const BACKUP = '/v2/heartbeats/backup';
const PONG = { status: 202, body: { result: 'PONG - Heartbeat received' } };

const openApp = useApp();
let app: TestApp;

beforeEach(async () => {
  app = await openApp();
  await app.pass(0);
  const body = { name: 'backup', interval: 10, intervalUnit: 'minutes', enabled: true, ownerTeam: { id: 'ops' } };
  await app.post('/v2/heartbeats', body);
});

const lastPing = async () => ((await app.get(BACKUP)).data as { lastPingTime?: string }).lastPingTime;

describe('a ping', () => {
  it('by any of the four methods is written and answered by the documented words', async () => {
    for (const [minute, send] of [app.get, app.post, app.put, app.patch].entries()) {
      const answer = await send(`${BACKUP}/ping`);
      expect(answer).toMatchObject(PONG);
      expect(Object.keys(answer.body).toSorted()).toEqual(['requestId', 'result', 'took']);
      expect(await lastPing()).toBe(minute === 0 ? '2026-01-01T00:00:00Z' : `2026-01-01T00:0${minute}:00Z`);
      await app.pass(1);
    }
  });

  it('may carry any body, which is not read', async () => {
    for (const body of [{}, { a: 1 }, [], 'x', 7]) expect(await app.post(`${BACKUP}/ping`, body)).toMatchObject(PONG);
  });

  it('of an unknown name, or of its name in another case, is answered likewise and changes nothing (H2, H3)', async () => {
    for (const name of ['nothing', 'Backup', 'a%2Fb'])
      expect(await app.get(`/v2/heartbeats/${name}/ping`)).toMatchObject(PONG);
    expect(await lastPing()).toBeUndefined();
    expect((await app.get('/v2/heartbeats')).data).toMatchObject({ heartbeats: [{ name: 'backup' }] });
  });

  it('of a disabled one is answered likewise and changes nothing (H2)', async () => {
    await app.post(`${BACKUP}/disable`);
    const before = (await app.get(BACKUP)).data;
    await app.pass(1);
    expect(await app.post(`${BACKUP}/ping`)).toMatchObject(PONG);
    expect((await app.get(BACKUP)).data).toEqual(before);
  });

  it('needs neither configuration nor write access, and may be of the own team (K3, K4)', async () => {
    for (const caller of [
      { ...accountKey, mayConfigure: false, mayWrite: false },
      { ...teamKey, mayConfigure: false },
    ]) {
      expect(await app.post(`${BACKUP}/ping`, undefined, caller)).toMatchObject(PONG);
      await app.pass(1);
    }
    expect(await lastPing()).toBe('2026-01-01T00:01:00Z');
  });

  it('that could not be written is no silence: nothing expires for one interval then (H2)', async () => {
    await app.post(`${BACKUP}/ping`);
    await app.pass(9);
    app.setUnavailable(true);
    expect((await app.post(`${BACKUP}/ping`)).status).toBe(503);
    app.setUnavailable(false);
    await app.pass(5);
    expect((await app.get(BACKUP)).data).toMatchObject({ expired: false });
    await app.pass(9);
    expect((await app.get(BACKUP)).data).toMatchObject({ expired: false });
    await app.pass(1);
    expect((await app.get(BACKUP)).data).toMatchObject({ expired: true });
  });
});
