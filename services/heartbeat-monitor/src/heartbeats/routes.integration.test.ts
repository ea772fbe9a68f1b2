import { beforeEach, describe, expect, it } from '@jest/globals';
import { UnavailableError } from '@tocsin/core';
import { teamKey, useApp, type TestApp } from '../testing/app-fixture.ts';

const PATH = '/v2/heartbeats';
const BACKUP = `${PATH}/backup`;
const least = { name: 'backup', interval: 10, intervalUnit: 'minutes' };

const openApp = useApp();
let app: TestApp;

beforeEach(async () => {
  app = await openApp();
  await app.pass(0);
});

describe('POST /v2/heartbeats', () => {
  it('creates what was written, and answers it as GET does (E9, E10)', async () => {
    const full = {
      ...least,
      description: 'nightly',
      enabled: true,
      ownerTeam: { name: 'Ops' },
      alertMessage: 'Backup is missing',
      alertTags: 'db,disk',
      alertPriority: 'p1',
    };
    const { status, body, data } = await app.post(PATH, full);
    expect([status, body['result']]).toEqual([201, 'Created']);
    expect(body).not.toHaveProperty('code');
    expect(data).toEqual({
      ...full,
      expired: false,
      ownerTeam: { id: 'ops', name: 'Ops' },
      alertTags: ['db', 'disk'],
      alertPriority: 'P1',
    });
    expect((await app.get(BACKUP)).data).toEqual(data);
  });

  it('is not enabled by default, and leaves out what was never written (H6)', async () => {
    const { data } = await app.post(PATH, least);
    expect(data).toEqual({ ...least, description: '', enabled: false, expired: false, alertTags: [] });
  });

  it('refuses a taken name, and takes it in another case (H3, E14)', async () => {
    await app.post(PATH, least);
    const { status, body } = await app.post(PATH, { ...least, interval: 5 });
    expect([status, body['message']]).toEqual([409, 'Heartbeat with name [backup] already exists.']);
    expect((await app.get(BACKUP)).data).toMatchObject({ interval: 10 });
    expect((await app.post(PATH, { ...least, name: 'Backup' })).status).toBe(201);
  });

  it('lets a team have 4 MB of heartbeats at most, and make them smaller', async () => {
    const large = { ...least, description: '\u{1f514}'.repeat(10_000) };
    for (let made = 0; made < 99; made += 1) await app.post(PATH, { ...large, name: `large ${made}` }, teamKey);
    const refused = { status: 422, body: { message: 'A team has at most 4000000 bytes of heartbeats.' } };
    expect(await app.post(PATH, large, teamKey)).toMatchObject(refused);
    expect(await app.post(PATH, { ...large, ownerTeam: { name: 'Ops' } })).toMatchObject(refused);
    expect((await app.post(PATH, least, teamKey)).status).toBe(201);
    expect(await app.patch(BACKUP, { description: large.description }, teamKey)).toMatchObject(refused);
    expect((await app.patch(`${PATH}/large 0`, { description: '' }, teamKey)).status).toBe(200);
    expect((await app.patch(BACKUP, { description: large.description }, teamKey)).status).toBe(200);
    expect((await app.post(PATH, { ...large, name: 'of no team' })).status).toBe(201);
  });

  it.each([
    ['name', { name: undefined }],
    ['interval', { interval: 0 }],
    ['interval', { interval: undefined }],
    ['intervalUnit', { intervalUnit: 'weeks' }],
    ['alertTags[0]', { alertTags: ['x'.repeat(51)] }],
  ])('refuses a wrong %s and names it', async (field, wrong) => {
    const { status, body } = await app.post(PATH, { ...least, ...wrong });
    expect([status, Object.keys(body['errors'] as object)]).toEqual([422, [field]]);
    expect((await app.get(PATH)).data).toEqual({ heartbeats: [] });
  });

  it.each([{ id: 'gone' }, { name: 'Gone' }])('refuses the team %j, which does not exist', async (ownerTeam) => {
    const { status, body } = await app.post(PATH, { ...least, ownerTeam });
    expect(status).toBe(404);
    expect(body['message']).toContain(Object.values(ownerTeam)[0]);
  });

  it('asks the owner of teams for one that it does not know yet', async () => {
    const late = { id: 'late', name: 'Late', description: '', members: [], routingRules: [] };
    app.teams.ownerHas('name', 'Late', late);
    app.teams.ownerHas('id', 'late', late);
    const { data } = await app.post(PATH, { ...least, ownerTeam: { name: 'Late' } });
    expect(data).toMatchObject({ ownerTeam: { id: 'late', name: 'Late' } });
    app.teams.refuseWith(new UnavailableError('directory is unavailable'));
    expect((await app.post(PATH, { ...least, name: 'b', ownerTeam: { name: 'Later' } })).status).toBe(503);
  });

  it('gives what a team key creates to its team, whatever team the body names (K4)', async () => {
    const { data } = await app.post(PATH, { ...least, ownerTeam: { name: 'Web' } }, teamKey);
    expect(data).toMatchObject({ ownerTeam: { id: 'ops', name: 'Ops' } });
  });
});

describe('GET /v2/heartbeats', () => {
  it('lists all by their creation, whole, in an object of their own (wire facts 5)', async () => {
    await app.post(PATH, { ...least, name: 'b' });
    await app.pass(1);
    await app.post(PATH, { ...least, name: 'a' });
    const shown = await Promise.all(['b', 'a'].map(async (name) => (await app.get(`${PATH}/${name}`)).data));
    expect((await app.get(PATH)).data).toEqual({ heartbeats: shown });
  });

  it('shows a team key those of its team alone (K4)', async () => {
    for (const ownerTeam of [{ id: 'ops' }, { id: 'web' }, undefined])
      await app.post(PATH, { ...least, name: `of ${ownerTeam?.id ?? 'no team'}`, ownerTeam });
    expect((await app.get(PATH, teamKey)).data).toMatchObject({ heartbeats: [{ name: 'of ops' }] });
  });
});

describe('GET /v2/heartbeats/{heartbeatName}', () => {
  it('answers 404 for a name that is not there, also for one in another case', async () => {
    await app.post(PATH, least);
    for (const name of ['nothing', 'Backup'])
      expect(await app.get(`${PATH}/${name}`)).toMatchObject({
        status: 404,
        body: { message: `Heartbeat with name [${name}] does not exist.` },
      });
  });

  it('shows when it was pinged last, and that it is expired', async () => {
    await app.post(PATH, { ...least, enabled: true });
    await app.get(`${BACKUP}/ping`);
    expect((await app.get(BACKUP)).data).toMatchObject({ lastPingTime: '2026-01-01T00:00:00Z', expired: false });
    await app.pass(10);
    expect((await app.get(BACKUP)).data).toMatchObject({ lastPingTime: '2026-01-01T00:00:00Z', expired: true });
  });

  it('shows one whose team is deleted without a team (S12)', async () => {
    await app.post(PATH, { ...least, ownerTeam: { id: 'ops' } });
    app.teams.remove('ops');
    expect((await app.get(BACKUP)).data).not.toHaveProperty('ownerTeam');
  });

  it('takes names with a slash, a plus, brackets and an emoji, percent-encoded', async () => {
    const name = 'db/1 + [🔔]';
    await app.post(PATH, { ...least, name });
    expect((await app.get(`${PATH}/${encodeURIComponent(name)}`)).data).toMatchObject({ name });
  });
});

describe('PATCH /v2/heartbeats/{heartbeatName}', () => {
  it('changes what it names and keeps the rest', async () => {
    await app.post(PATH, { ...least, alertMessage: 'Gone', ownerTeam: { id: 'ops' } });
    const changes = { description: 'd', alertTags: ['x'], alertPriority: 'P5', ownerTeam: { name: 'Web' } };
    expect(await app.patch(BACKUP, changes)).toMatchObject({
      status: 200,
      body: { result: 'Updated', data: { name: 'backup', enabled: false, expired: false } },
    });
    expect((await app.get(BACKUP)).data).toEqual({
      ...least,
      description: 'd',
      enabled: false,
      expired: false,
      ownerTeam: { id: 'web', name: 'Web' },
      alertMessage: 'Gone',
      alertTags: ['x'],
      alertPriority: 'P5',
    });
  });

  it('takes what GET shows, the name among it, and changes nothing by that (E10)', async () => {
    await app.post(PATH, { ...least, ownerTeam: { id: 'ops' }, alertMessage: 'Gone' });
    const before = (await app.get(BACKUP)).data;
    expect((await app.patch(BACKUP, before)).status).toBe(200);
    expect((await app.get(BACKUP)).data).toEqual(before);
  });

  it('refuses another name: a heartbeat keeps its name', async () => {
    await app.post(PATH, least);
    const { status, body } = await app.patch(BACKUP, { name: 'restore', interval: 5 });
    expect([status, Object.keys(body['errors'] as object)]).toEqual([422, ['name']]);
    expect((await app.get(BACKUP)).data).toMatchObject({ name: 'backup', interval: 10 });
  });

  it('keeps the heartbeat of a team key with its team (K4)', async () => {
    await app.post(PATH, least, teamKey);
    expect((await app.patch(BACKUP, { ownerTeam: { name: 'Web' } }, teamKey)).status).toBe(200);
    expect((await app.get(BACKUP)).data).toMatchObject({ ownerTeam: { id: 'ops' } });
  });

  it('answers 404 for a name that is not there, and for a team that is not there', async () => {
    expect((await app.patch(BACKUP, { interval: 5 })).status).toBe(404);
    await app.post(PATH, least);
    expect((await app.patch(BACKUP, { ownerTeam: { id: 'gone' }, interval: 5 })).status).toBe(404);
    expect((await app.get(BACKUP)).data).toMatchObject({ interval: 10 });
  });

  it('by `enabled` does what enable and disable do (H3)', async () => {
    await app.post(PATH, least);
    expect((await app.patch(BACKUP, { enabled: 'true' })).data).toEqual({
      name: 'backup',
      enabled: true,
      expired: false,
    });
    await app.pass(10);
    expect((await app.get(BACKUP)).data).toMatchObject({ expired: true });
    expect((await app.patch(BACKUP, { enabled: false })).data).toEqual({
      name: 'backup',
      enabled: false,
      expired: false,
    });
  });

  it('begins a new interval when it names the interval (H2)', async () => {
    await app.post(PATH, least);
    await app.post(`${BACKUP}/enable`);
    await app.pass(9);
    await app.patch(BACKUP, { interval: 3 });
    await app.pass(2);
    expect((await app.get(BACKUP)).data).toMatchObject({ expired: false });
    await app.pass(1);
    expect((await app.get(BACKUP)).data).toMatchObject({ expired: true });
  });
});

describe('enable and disable', () => {
  it('answer the state then', async () => {
    await app.post(PATH, least);
    expect(await app.post(`${BACKUP}/enable`)).toMatchObject({
      status: 200,
      body: { result: 'Enabled', data: { name: 'backup', enabled: true, expired: false } },
    });
    await app.pass(10);
    expect(await app.post(`${BACKUP}/disable`, {})).toMatchObject({
      status: 200,
      body: { result: 'Disabled', data: { name: 'backup', enabled: false, expired: false } },
    });
    for (const verb of ['enable', 'disable']) expect((await app.post(`${PATH}/nothing/${verb}`)).status).toBe(404);
  });
});

describe('DELETE /v2/heartbeats/{heartbeatName}', () => {
  it('removes it at once, and frees its name', async () => {
    await app.post(PATH, least);
    expect(await app.delete(BACKUP)).toMatchObject({ status: 200, body: { result: 'Deleted' } });
    expect([(await app.get(BACKUP)).status, (await app.delete(BACKUP)).status]).toEqual([404, 404]);
    expect((await app.post(PATH, least)).status).toBe(201);
  });
});

describe('the key of a team', () => {
  it.each([
    ['of another team', { id: 'web' }],
    ['of no team', undefined],
  ])('has nothing to do with a heartbeat %s, by any operation (K4)', async (_, ownerTeam) => {
    await app.post(PATH, { ...least, enabled: true, ownerTeam });
    const before = (await app.get(BACKUP)).data;
    const answers = [
      await app.get(BACKUP, teamKey),
      await app.patch(BACKUP, { interval: 5 }, teamKey),
      await app.delete(BACKUP, teamKey),
      await app.post(`${BACKUP}/enable`, {}, teamKey),
      await app.post(`${BACKUP}/disable`, {}, teamKey),
      await app.post(`${BACKUP}/ping`, {}, teamKey),
    ];
    for (const answer of answers) expect(answer).toMatchObject({ status: 403, body: { code: 40301 } });
    await app.post(`${BACKUP}/ping`);
    expect((await app.post(`${BACKUP}/ping`, {}, teamKey)).status).toBe(403);
    expect((await app.get(BACKUP)).data).toEqual({ ...(before as object), lastPingTime: '2026-01-01T00:00:00Z' });
  });
});

describe('while the database is unavailable', () => {
  it('everything answers 503 (E2)', async () => {
    app.setUnavailable(true);
    for (const { status } of [
      await app.get(PATH),
      await app.get(BACKUP),
      await app.post(PATH, least),
      await app.post(`${BACKUP}/ping`),
      await app.patch(BACKUP, {}),
      await app.delete(BACKUP),
    ])
      expect(status).toBe(503);
  });
});
