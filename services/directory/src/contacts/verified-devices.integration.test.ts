import { beforeEach, describe, expect, it } from '@jest/globals';
import { appOn, testApp, type TestApp } from '../testing/app-fixture.ts';
import { ADA } from '../testing/contact-fixture.ts';
import { anotherProcess } from '../testing/mongo-fixture.ts';
import { verificationEvents } from '../users/consumer.ts';
import { userMessage } from '../users/user.ts';

const BOB = 'bob@example.com';
const MEMBER = 'U012AB3CD';
const MINUTE_MS = 60_000;

let app: TestApp;
beforeEach(async () => {
  app = await testApp();
  for (const user of [ADA, BOB]) await app.user(user);
});

interface Registered {
  readonly data: { readonly id: string; readonly topic: string };
  readonly message?: string;
}

async function registered(user: string, kind = 'slack', key = MEMBER): Promise<Registered> {
  const { body, status } = await app.post(`/v2/users/${user}/devices`, { name: 'Chat', kind, key });
  expect([status, body]).toMatchObject([201, {}]);
  return body as Registered;
}

const codes = async () => (await app.notices()).filter((notice) => notice.kind === 'contact-verification');
const newest = async (): Promise<string> => (await codes()).at(-1)?.code ?? '';
const confirm = (user: string, id: string, code: string, by = app) =>
  by.post(`/v2/users/${user}/contacts/${id}/verification/confirm`, { code });
const stateOf = async (user: string, id: string) => {
  const message = userMessage(await app.directory.users.get(user));
  return message.deleted ? undefined : message.state.contacts.find((contact) => contact.id === id);
};

describe('a device of Slack or Mattermost (U13)', () => {
  it.each([
    ['slack', MEMBER],
    ['mattermost', 'ada'.padEnd(26, '0')],
  ])(
    'of %s is used only after the code that is sent to the account, although contacts are not confirmed',
    async (kind, key) => {
      const { data, message } = await registered(ADA, kind, key);
      expect([data.topic, message]).toEqual([`${kind}:${key}`, 'The code that confirms the contact is on its way.']);
      expect(await codes()).toMatchObject([{ method: 'mobile', to: `${kind}:${key}`, contactId: data.id }]);
      expect(await stateOf(ADA, data.id)).toMatchObject({ unverified: true, unverifiedDevice: true });
      const path = `/v2/users/${ADA}/contacts/${data.id}`;
      expect((await app.get(path)).body).toMatchObject({
        data: {
          status: { enabled: true, disabledReason: 'Contact is not verified yet.' },
          device: { name: 'Chat', kind, verified: false },
        },
      });
      expect((await confirm(ADA, data.id, '000000')).status).toBe(422);
      expect(await stateOf(ADA, data.id)).toHaveProperty('unverified');
      expect((await confirm(ADA, data.id, await newest())).status).toBe(200);
      expect(await stateOf(ADA, data.id)).not.toHaveProperty('unverified');
      expect(await stateOf(ADA, data.id)).not.toHaveProperty('unverifiedDevice');
      expect((await app.get(path)).body).toMatchObject({
        data: { status: { enabled: true }, device: { verified: true } },
      });
    },
  );

  it('is not verified by the message with its code, which its account may not know of', async () => {
    const { data } = await registered(ADA);
    const { id } = await app.directory.users.get(ADA);
    const event = { userId: id, method: 'mobile', to: data.topic, at: '2026-01-01T00:00:00.000Z' } as const;
    const { decide } = verificationEvents({} as never);
    const user = await app.directory.users.get(ADA);
    expect(decide([user], [{ value: event } as never])).toEqual([]);
  });

  it('is a device of one user: a second one is refused by the code until the first one has deleted theirs', async () => {
    const ada = await registered(ADA);
    await confirm(ADA, ada.data.id, await newest());
    const bob = await registered(BOB);
    const code = await newest();
    const { body, status } = await confirm(BOB, bob.data.id, code);
    expect([status, body]).toMatchObject([
      422,
      { message: 'This account is a device of another user. Delete that device first.' },
    ]);
    expect(await stateOf(BOB, bob.data.id)).toHaveProperty('unverified');
    expect(await stateOf(ADA, ada.data.id)).not.toHaveProperty('unverified');
    await app.remove(`/v2/users/${ADA}/contacts/${ada.data.id}`);
    expect((await confirm(BOB, bob.data.id, code)).status).toBe(200);
  });

  it('keeps no account from its owner where another user has registered it without the code', async () => {
    await registered(BOB);
    const ada = await registered(ADA);
    expect((await confirm(ADA, ada.data.id, await newest())).status).toBe(200);
  });

  it('is of one of two users who enter their codes at the same time in several processes', async () => {
    const ada = await registered(ADA);
    const first = await newest();
    const bob = await registered(BOB);
    const second = await newest();
    const other = appOn(await anotherProcess(app.stores));
    const answers = await Promise.all([confirm(ADA, ada.data.id, first), confirm(BOB, bob.data.id, second, other)]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 422]);
  });

  it('gets another code when its user asks for one, within the limits of codes', async () => {
    const { data } = await registered(ADA);
    const path = `/v2/users/${ADA}/contacts/${data.id}/verification`;
    expect((await app.post(path, {})).status).toBe(429);
    app.clock.advance(MINUTE_MS);
    expect((await app.post(path, {})).status).toBe(200);
    expect((await codes()).map(({ to }) => to)).toEqual([data.topic, data.topic]);
    await app.remove(`/v2/users/${ADA}/contacts/${data.id}`);
    const again = await registered(ADA);
    expect(again.message).toBe('No code was sent, because too many were sent lately. Ask for one later.');
    expect(await codes()).toHaveLength(2);
  });
});
