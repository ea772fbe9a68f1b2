import { beforeEach, describe, expect, it } from '@jest/globals';
import { signedIn } from '@tocsin/testkit';
import { useApp, type TestApp } from '../testing/app-fixture.ts';

const BACKUP = '/v2/heartbeats/backup';
const admin = signedIn({ ops: 'admin' });
const member = signedIn({ ops: 'user', web: 'admin' });
const heartbeat = { name: 'backup', interval: 10, intervalUnit: 'minutes', enabled: true, ownerTeam: { id: 'ops' } };
const refused = (message: string) => ({ status: 403, body: { code: 40301, message } });
const CHANGE = refused('Only an admin of team [Ops], or an admin of the account, can change heartbeat [backup].');

const openApp = useApp();
let app: TestApp;

beforeEach(async () => {
  app = await openApp();
  await app.pass(0);
  await app.post('/v2/heartbeats', heartbeat);
});

describe('a user', () => {
  it('reads and pings the heartbeats of every team (K12)', async () => {
    const stranger = signedIn();
    expect((await app.get(BACKUP, stranger)).data).toMatchObject({ name: 'backup', ownerTeam: { name: 'Ops' } });
    expect((await app.get('/v2/heartbeats', stranger)).data).toMatchObject({ heartbeats: [{ name: 'backup' }] });
    expect((await app.post(`${BACKUP}/ping`, undefined, stranger)).status).toBe(202);
    expect((await app.get(BACKUP)).data).toMatchObject({ lastPingTime: '2026-01-01T00:00:00Z' });
  });

  it('changes none of a team that they do not administer', async () => {
    expect(await app.patch(BACKUP, { interval: 5 }, member)).toMatchObject(CHANGE);
    expect(await app.post(`${BACKUP}/disable`, undefined, member)).toMatchObject(CHANGE);
    expect(await app.post(`${BACKUP}/enable`, undefined, member)).toMatchObject(CHANGE);
    expect(await app.delete(BACKUP, member)).toMatchObject(CHANGE);
    expect((await app.get(BACKUP)).data).toMatchObject({ interval: 10, enabled: true });
  });

  it('does not give one to such a team, nor leaves one without team', async () => {
    const of = (ownerTeam?: object) => ({ ...heartbeat, name: 'new', ownerTeam });
    const give = refused('Only an admin of team [Ops], or an admin of the account, can give it a heartbeat.');
    expect(await app.post('/v2/heartbeats', of({ id: 'ops' }), member)).toMatchObject(give);
    const leave = refused('Only an owner or admin of the account can leave a heartbeat without owner team.');
    expect(await app.post('/v2/heartbeats', of(), member)).toMatchObject(leave);
    expect((await app.patch(BACKUP, { ownerTeam: { id: 'web' } }, admin)).status).toBe(403);
  });
});

describe('an admin of the team', () => {
  it('creates, changes and deletes its heartbeats', async () => {
    expect((await app.post('/v2/heartbeats', { ...heartbeat, name: 'new' }, admin)).status).toBe(201);
    expect((await app.patch(BACKUP, { interval: 5 }, admin)).status).toBe(200);
    expect((await app.post(`${BACKUP}/disable`, undefined, admin)).status).toBe(200);
    expect((await app.delete(BACKUP, admin)).status).toBe(200);
  });
});

describe('an observer', () => {
  it('reads, and pings none, because a ping holds back an alert (K11)', async () => {
    const observer = signedIn({ ops: 'admin' }, { role: 'observer' });
    expect((await app.get(BACKUP, observer)).status).toBe(200);
    expect((await app.post(`${BACKUP}/ping`, undefined, observer)).status).toBe(403);
    expect((await app.patch(BACKUP, { interval: 5 }, observer)).status).toBe(403);
  });
});
