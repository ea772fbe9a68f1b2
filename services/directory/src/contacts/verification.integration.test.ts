import { describe, expect, it } from '@jest/globals';
import type { ContactVerificationNotice } from '@tocsin/events';
import { testApp, type TestApp } from '../testing/app-fixture.ts';
import { userMessage } from '../users/user.ts';

const ADA = 'ada@example.com';
const CONTACTS = `/v2/users/${ADA}/contacts`;
const MINUTE_MS = 60_000;

interface Scene extends TestApp {
  /** A phone contact that waits for its code. */
  readonly id: string;
  readonly pass: (ms: number) => void;
  readonly codes: () => Promise<readonly ContactVerificationNotice[]>;
  readonly ask: () => ReturnType<TestApp['post']>;
  readonly confirm: (code: unknown) => ReturnType<TestApp['post']>;
}

async function scene(contact: object = { method: 'sms', to: '1-5551234567' }): Promise<Scene> {
  const app = await testApp({ confirmation: 'required' });
  await app.user(ADA);
  const { status, body } = await app.post(CONTACTS, contact);
  expect(status).toBe(201);
  const { id } = (body as { data: { id: string } }).data;
  return {
    ...app,
    id,
    pass: (ms) => {
      app.clock.advance(ms);
    },
    codes: async () => (await app.notices()).filter((notice) => notice.kind === 'contact-verification'),
    ask: () => app.post(`${CONTACTS}/${id}/verification`, {}),
    confirm: (code) => app.post(`${CONTACTS}/${id}/verification/confirm`, { code }),
  };
}

const stateOf = async ({ directory, id }: Scene) => {
  const message = userMessage(await directory.users.get(ADA));
  return message.deleted ? undefined : message.state.contacts.find((contact) => contact.id === id);
};

const newest = async ({ codes }: Scene): Promise<string> => (await codes()).at(-1)?.code ?? '';

describe('a contact that is added where contacts are confirmed', () => {
  it('is not used until its code is entered', async () => {
    const app = await scene();
    expect(await stateOf(app)).toMatchObject({ enabled: true, unverified: true });
    expect((await app.get(`${CONTACTS}/${app.id}`)).body).toMatchObject({
      data: { status: { enabled: true, disabledReason: 'Contact is not verified yet.' } },
    });
    expect(await app.codes()).toEqual([
      {
        kind: 'contact-verification',
        noticeId: expect.any(String),
        userId: expect.any(String),
        username: ADA,
        contactId: app.id,
        method: 'sms',
        to: '1-5551234567',
        code: expect.stringMatching(/^\d{6}$/),
        at: '2026-01-01T00:00:00.000Z',
        expiresAt: '2026-01-01T00:10:00.000Z',
      },
    ]);
    const { status, body } = await app.confirm(await newest(app));
    expect([status, body]).toMatchObject([200, { result: 'Verified', data: { id: app.id } }]);
    expect(await stateOf(app)).not.toHaveProperty('unverified');
    expect((await app.get(`${CONTACTS}/${app.id}`)).body).toMatchObject({ data: { status: { enabled: true } } });
  });

  it('says in its answer that a code is underway', async () => {
    const app = await scene();
    const { body } = await app.post(CONTACTS, { method: 'email', to: 'other@example.com' });
    expect(body).toMatchObject({ message: 'The code that confirms the contact is on its way.' });
    expect((await app.codes()).map(({ method, to }) => [method, to])).toContainEqual(['email', 'other@example.com']);
  });

  it('keeps its code to the notice: neither users nor other services nor logs see it', async () => {
    const app = await scene();
    const user = await app.directory.users.get(ADA);
    const shown = [user, userMessage(user), app.logged, await app.get(CONTACTS), await app.get(`/v2/users/${ADA}`)];
    expect(JSON.stringify(shown)).not.toContain(await newest(app));
    expect(JSON.stringify(app.stores.publisher.published)).not.toContain(await newest(app));
    expect(JSON.stringify(userMessage(user))).not.toContain('hash');
  });

  it('is usable at once where it is the mail address of the user', async () => {
    const app = await scene();
    const [own] = ((await app.get(CONTACTS)).body as { data: { id: string }[] }).data;
    await app.remove(`${CONTACTS}/${own?.id ?? ''}`);
    await app.post(CONTACTS, { method: 'email', to: 'Ada@Example.com' });
    const { body } = await app.get(CONTACTS);
    expect(body).toMatchObject({ data: [{ method: 'sms' }, { to: 'Ada@Example.com', status: { enabled: true } }] });
    expect(await app.codes()).toHaveLength(1);
  });

  it('waits again after it moved, for a code that goes to its new address', async () => {
    const app = await scene();
    await app.confirm(await newest(app));
    const { body } = await app.patch(`${CONTACTS}/${app.id}`, { to: '44-20' });
    expect(body).toMatchObject({ result: 'Updated', message: 'The code that confirms the contact is on its way.' });
    expect(await stateOf(app)).toMatchObject({ to: '44-20', unverified: true });
    expect((await app.codes()).at(-1)).toMatchObject({ to: '44-20', contactId: app.id });
    expect((await app.confirm((await app.codes())[0]?.code)).status).toBe(422);
    expect((await app.confirm(await newest(app))).status).toBe(200);
  });

  it('stays unconfirmed when it is switched off and on', async () => {
    const app = await scene();
    await app.post(`${CONTACTS}/${app.id}/disable`, {});
    expect((await app.post(`${CONTACTS}/${app.id}/enable`, {})).status).toBe(200);
    expect(await stateOf(app)).toMatchObject({ enabled: true, unverified: true });
  });
});

describe('POST …/contacts/{contactId}/verification', () => {
  it('sends a new code, and older ones are not valid from then on', async () => {
    const app = await scene();
    const first = await newest(app);
    app.pass(MINUTE_MS);
    const { status, body } = await app.ask();
    expect([status, body]).toMatchObject([200, { result: 'Requested', data: { id: app.id } }]);
    expect(await newest(app)).not.toBe(first);
    expect(new Set((await app.codes()).map(({ noticeId }) => noticeId)).size).toBe(2);
    expect((await app.confirm(first)).status).toBe(422);
    expect((await app.confirm(await newest(app))).status).toBe(200);
  });

  it('answers 429 to a second within a minute, and says when to ask again', async () => {
    const app = await scene();
    app.pass(MINUTE_MS - 1);
    const { status, headers, body } = await app.ask();
    expect(status).toBe(429);
    expect(headers).toMatchObject({
      'retry-after': '1',
      'x-ratelimit-state': 'THROTTLED',
      'x-ratelimit-reason': 'USER',
      'x-ratelimit-period-in-sec': '60',
    });
    expect(body).toMatchObject({ message: 'Too many codes were sent lately. Ask again in 1 s.' });
    expect(await app.codes()).toHaveLength(1);
    app.pass(1);
    expect((await app.ask()).status).toBe(200);
  });

  it('answers 429 to the sixth within an hour', async () => {
    const app = await scene();
    for (let n = 2; n <= 5; n += 1) {
      app.pass(MINUTE_MS);
      expect((await app.ask()).status).toBe(200);
    }
    app.pass(MINUTE_MS);
    const { status, headers } = await app.ask();
    expect([status, headers]).toMatchObject([429, { 'retry-after': '3300', 'x-ratelimit-period-in-sec': '3600' }]);
    app.pass(55 * MINUTE_MS);
    expect((await app.ask()).status).toBe(200);
  });

  it('keeps its limit when the contact is deleted and added again, which then waits without a code', async () => {
    const app = await scene();
    await app.remove(`${CONTACTS}/${app.id}`);
    const { status, body } = await app.post(CONTACTS, { method: 'sms', to: '1-5551234567' });
    expect(status).toBe(201);
    expect(body).toMatchObject({
      message: 'No code was sent, because too many were sent lately. Ask for one later.',
    });
    expect(await app.codes()).toHaveLength(1);
    const { id } = (body as { data: { id: string } }).data;
    const { body: refusal } = await app.post(`${CONTACTS}/${id}/verification/confirm`, { code: await newest(app) });
    expect(refusal).toMatchObject({ errors: { code: 'was not sent yet; ask for one' } });
  });

  it('answers 422 for a contact that needs no code', async () => {
    const app = await scene();
    await app.confirm(await newest(app));
    const { status, body } = await app.ask();
    expect([status, body]).toMatchObject([422, { message: 'Contact is verified already.' }]);
  });
});

describe('POST …/contacts/{contactId}/verification/confirm', () => {
  it.each(['12345', '1234567', 'abcdef', null, undefined, ''])('answers 422 to %p, which is no guess', async (code) => {
    const app = await scene();
    const { status, body } = await app.confirm(code);
    expect([status, body]).toMatchObject([422, { errors: { code: 'should be the six digits of the code' } }]);
    expect((await app.confirm('999999')).body).toMatchObject({
      errors: { code: 'is not the code that was sent; tries left: 4' },
    });
  });

  it('accepts the code at its last instant and not after', async () => {
    const app = await scene();
    app.pass(10 * MINUTE_MS);
    const { status, body } = await app.confirm(await newest(app));
    expect([status, body]).toMatchObject([422, { errors: { code: 'has expired; ask for a new one' } }]);
    expect(await stateOf(app)).toMatchObject({ unverified: true });
    await app.ask();
    app.pass(10 * MINUTE_MS - 1);
    expect((await app.confirm(await newest(app))).status).toBe(200);
  });

  const guessFourTimes = async ({ confirm }: Scene) => {
    for (let n = 1; n <= 4; n += 1) expect((await confirm('999999')).status).toBe(422);
  };

  it('accepts the right code at the fifth try', async () => {
    const app = await scene();
    await guessFourTimes(app);
    expect((await app.confirm(await newest(app))).status).toBe(200);
  });

  it('accepts no code after five wrong ones until a new one is sent', async () => {
    const app = await scene();
    await guessFourTimes(app);
    const fifth = await app.confirm('999999');
    expect(fifth.body).toMatchObject({ errors: { code: 'is not the code that was sent; tries left: 0' } });
    const { status, body } = await app.confirm(await newest(app));
    expect([status, body]).toMatchObject([422, { errors: { code: 'was guessed at too often; ask for a new one' } }]);
    app.pass(MINUTE_MS);
    await app.ask();
    expect((await app.confirm(await newest(app))).status).toBe(200);
  });

  it('counts guesses that come at once', async () => {
    const app = await scene();
    const guesses = await Promise.all(Array.from({ length: 20 }, () => app.confirm('999999')));
    const wrong = guesses.filter(({ body }) => JSON.stringify(body).includes('is not the code'));
    expect(wrong).toHaveLength(5);
    expect((await app.confirm(await newest(app))).status).toBe(422);
  });

  it('is repeatable', async () => {
    const app = await scene();
    const code = await newest(app);
    expect((await app.confirm(code)).status).toBe(200);
    const { version } = await app.directory.users.get(ADA);
    expect((await app.confirm(code)).status).toBe(200);
    expect((await app.directory.users.get(ADA)).version).toEqual(version);
  });
});
