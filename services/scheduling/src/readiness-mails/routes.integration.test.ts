import { describe, expect, it } from '@jest/globals';
import { signedIn } from '@tocsin/testkit';
import { teamKey, testApp } from '../testing/app-fixture.ts';
import { userOf } from '../testing/on-call-samples.ts';

const MAIL = '/v2/users/ada/readiness-mail';
const ada = signedIn();
const bob = signedIn({}, { userId: 'bob' });

describe('the weekly mail of readiness of a user (U23)', () => {
  it('is off, is switched on for the next Monday at nine in the zone of the user, and off again, each also twice', async () => {
    const app = await testApp();
    app.users.put('ada', { ...userOf('ada'), timeZone: 'America/New_York' });
    expect((await app.get(MAIL, ada)).data).toEqual({ isActive: false });
    for (let count = 0; count < 2; count += 1) {
      const { data, status } = await app.post(MAIL, {}, ada);
      expect([status, data]).toEqual([201, { nextAt: '2026-01-05T14:00:00Z' }]);
      expect((await app.get(MAIL, ada)).data).toEqual({ isActive: true, nextAt: '2026-01-05T14:00:00Z' });
    }
    for (let count = 0; count < 2; count += 1) expect((await app.delete(MAIL, ada)).status).toBe(200);
    expect((await app.get(MAIL, ada)).data).toEqual({ isActive: false });
  });

  it('belongs to its user: other people and team keys do not change it, admins and keys of the account do', async () => {
    const app = await testApp();
    for (const caller of [bob, teamKey]) {
      expect((await app.post(MAIL, {}, caller)).status).toBe(403);
      expect((await app.delete(MAIL, caller)).status).toBe(403);
    }
    expect((await app.get(MAIL, bob)).data).toEqual({ isActive: false });
    expect((await app.post(MAIL, {}, signedIn({}, { userId: 'eve', role: 'admin' }))).status).toBe(201);
    expect((await app.get(MAIL, bob)).data).toMatchObject({ isActive: true });
    expect((await app.delete(MAIL)).status).toBe(200);
  });

  it('is not found for a user who does not exist', async () => {
    const app = await testApp();
    const path = '/v2/users/unknown/readiness-mail';
    expect((await app.get(path)).status).toBe(404);
    expect((await app.post(path, {})).status).toBe(404);
    expect((await app.delete(path)).status).toBe(404);
  });
});
