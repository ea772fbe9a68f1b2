import { describe, expect, it } from '@jest/globals';
import { collectionOf } from '@tocsin/mongo';
import { signedIn } from '@tocsin/testkit';
import { created, daily, teamKey, testApp, type TestApp } from '../testing/app-fixture.ts';
import { userOf } from '../testing/on-call-samples.ts';

const LINK = '/v2/users/ada/calendar-link';
const ada = signedIn();
const bob = signedIn({}, { userId: 'bob' });
const user = (id: string) => ({ type: 'user', id });

async function opened(): Promise<TestApp> {
  const app = await testApp();
  await created(app, '/v2/schedules', { name: 'Ops', timezone: 'UTC', rotations: [daily([user('ada'), user('bob')])] });
  const ofTeam = { name: 'Net', timezone: 'UTC', ownerTeam: { name: 'SRE' }, rotations: [daily([user('ada')])] };
  await created(app, '/v2/schedules', ofTeam);
  return app;
}

/** Makes a link, and returns the path that it opens. */
async function linkOf(app: TestApp, userId = 'ada'): Promise<string> {
  const caller = signedIn({}, { userId });
  const { data, status } = await app.post(`/v2/users/${userId}/calendar-link`, undefined, caller);
  expect(status).toBe(201);
  const { url } = data as { readonly url: string };
  return new URL(url).pathname;
}

const summaries = (text: string) => new Set(text.replaceAll('\r\n ', '').match(/^SUMMARY:.*$/gm));

describe('the link to the calendar of a user', () => {
  it('opens the shifts of its user in all schedules, and is answered 304 to what it answered before', async () => {
    const app = await opened();
    const path = await linkOf(app);
    expect(path).toMatch(/^\/v2\/calendars\/[\w-]{43}\.ics$/);
    const { headers, status, text } = await app.get(path);
    expect([status, headers['content-type']]).toEqual([200, 'text/calendar; charset=utf-8']);
    expect(summaries(text)).toEqual(
      new Set(['SUMMARY:ada@example.com on call: Ops', 'SUMMARY:ada@example.com on call: Net']),
    );
    expect((await app.get(path, undefined, { 'If-None-Match': headers['etag'] ?? '' })).status).toBe(304);
  });

  it('is shown once, and kept as a hash', async () => {
    const app = await opened();
    const path = await linkOf(app);
    const { data } = await app.get(LINK, ada);
    expect(data).toEqual({ isActive: true, createdAt: '2026-01-01T12:00:00Z' });
    const stored = await collectionOf(app.connection, 'calendar_links').find().toArray();
    expect(stored).toEqual([
      { _id: 'ada', tokenHash: expect.stringMatching(/^[0-9a-f]{64}$/), createdAt: expect.any(Date) },
    ]);
    expect(JSON.stringify(stored)).not.toContain(path.slice('/v2/calendars/'.length, -'.ics'.length));
  });

  it('opens nothing once it is renewed or removed', async () => {
    const app = await opened();
    const first = await linkOf(app);
    const second = await linkOf(app);
    expect([(await app.get(first)).status, (await app.get(second)).status]).toEqual([404, 200]);
    expect((await app.delete(LINK, ada)).status).toBe(200);
    expect((await app.get(second)).status).toBe(404);
    expect((await app.get(LINK, ada)).data).toEqual({ isActive: false });
    expect((await app.delete(LINK, ada)).status).toBe(200);
  });

  it('opens nothing while its user is blocked, or once they are deleted', async () => {
    const app = await opened();
    const path = await linkOf(app);
    app.users.put('ada', { ...userOf('ada'), blocked: true });
    expect((await app.get(path)).status).toBe(404);
    app.users.put('ada', userOf('ada'));
    expect((await app.get(path)).status).toBe(200);
    app.users.remove('ada');
    expect((await app.get(path)).status).toBe(404);
  });

  it('is removed with its user, and that of others stays', async () => {
    const app = await opened();
    await linkOf(app);
    await app.post('/v2/users/bob/calendar-link', undefined, bob);
    app.users.remove('ada');
    await app.operations.deletedUserCleanup.sweep({ info: () => undefined });
    const stored = await collectionOf(app.connection, 'calendar_links').find().toArray();
    expect(stored.map(({ _id }) => _id)).toEqual(['bob']);
  });

  it.each(['short', 'A'.repeat(43), `${'A'.repeat(42)}%00`])('is no guess: %s', async (token) => {
    const app = await opened();
    await linkOf(app);
    expect((await app.get(`/v2/calendars/${token}.ics`)).status).toBe(404);
  });

  it('belongs to its user: other people and team keys do not change it, admins and keys of the account do', async () => {
    const app = await opened();
    const path = await linkOf(app);
    for (const caller of [bob, teamKey]) {
      expect((await app.get(LINK, caller)).data).toMatchObject({ isActive: true });
      expect((await app.post(LINK, undefined, caller)).status).toBe(403);
      expect((await app.delete(LINK, caller)).status).toBe(403);
    }
    expect((await app.get(path)).status).toBe(200);
    expect((await app.post(LINK, undefined, signedIn({}, { userId: 'eve', role: 'admin' }))).status).toBe(201);
    expect((await app.delete(LINK)).status).toBe(200);
    expect((await app.post('/v2/users/unknown/calendar-link', undefined)).status).toBe(404);
  });

  it('delays other links alone: where many callers open links, some get 503, and who is on call is answered meanwhile', async () => {
    const app = await opened();
    app.users.put('joan', userOf('joan'));
    const paths: string[] = [];
    for (const userId of ['ada', 'bob', 'eve', 'joan']) paths.push(await linkOf(app, userId));
    const { calendars } = app.operations;
    const [ofUser, begun, released] = [
      calendars.ofUser.bind(calendars),
      Promise.withResolvers<undefined>(),
      Promise.withResolvers<undefined>(),
    ];
    calendars.ofUser = async (...asked) => {
      begun.resolve(undefined);
      await released.promise;
      return ofUser(...asked);
    };
    const refused = Array.from({ length: 9 }, () => Promise.withResolvers<undefined>());
    let refusals = 0;
    const open = async (index: number) => {
      const path = paths[index % paths.length] ?? '';
      const { status } = await app.get(path, undefined, { 'x-forwarded-for': `10.0.${index}.1` });
      if (status === 503) refused[refusals++]?.resolve(undefined);
      return status;
    };
    const first = open(0);
    await begun.promise;
    // Of each user two wait, and the others are refused.
    const others = Array.from({ length: 17 }, (_, index) => open(index + 1));
    await Promise.all(refused.map(({ promise }) => promise));
    expect((await app.get('/v2/schedules/on-calls')).status).toBe(200);
    expect((await app.get('/v2/schedules/Ops/timeline?identifierType=name')).status).toBe(200);
    expect((await app.get(`/v2/calendars/${'A'.repeat(43)}.ics`)).status).toBe(404);
    released.resolve(undefined);
    expect(await first).toBe(200);
    await Promise.all(others);
  });
});
