import { describe, expect, it } from '@jest/globals';
import { InvalidError } from '@tocsin/core';
import { testApp } from '../testing/app-fixture.ts';
import { emptyStores } from '../testing/mongo-fixture.ts';
import { sampleUser } from '../testing/stored-samples.ts';
import type { Contact } from './contact.ts';

const at = new Date('2026-01-01T00:00:00.000Z');
const waiting: Contact = { id: 'waiting', method: 'sms', to: '1-1', enabled: true, verification: {} };
const sent: Contact = {
  ...waiting,
  id: 'sent',
  verification: { code: { salt: 'salt', hash: '0f', expiresAt: new Date('2026-01-01T00:10:00.000Z'), triesLeft: 5 } },
};

/** Ada, whose contacts are confirmed by a code other than 999999. */
async function contactsOfAda() {
  const { directory, stores } = await testApp({ confirmation: 'required', newCode: () => '012345' });
  await stores.users.insert(sampleUser('ada'));
  const { contacts, contactVerification: verification } = directory;
  return { contacts, verification, ada: () => stores.users.find({ id: 'user-ada' }) };
}

describe('the contacts of a stored user', () => {
  it('keeps whether a contact waits, its code and what was sent', async () => {
    const { users } = await emptyStores();
    const codesSent = [{ address: 'sms:1-1', at }];
    const contacts = [...sampleUser('ada').contacts, waiting, sent];
    await users.insert(sampleUser('ada', { contacts, codesSent }));
    expect(await users.find({ id: 'user-ada' })).toEqual(sampleUser('ada', { contacts, codesSent }));
    const [first, second] = [sent, waiting];
    await users.change({ id: 'user-ada' }, (user) => ({
      user: { ...user, contacts: [first, second] },
      answer: undefined,
    }));
    expect((await users.find({ id: 'user-ada' }))?.contacts).toEqual([first, second]);
  });

  it('has no more than two contacts of a method when many are added at once', async () => {
    const { contacts, ada } = await contactsOfAda();
    const adding = Array.from({ length: 10 }, (_, n) => contacts.create('user-ada', { method: 'sms', to: `1-${n}` }));
    const outcomes = await Promise.allSettled(adding);
    const refused = outcomes.filter((outcome) => outcome.status === 'rejected');
    expect(refused.map(({ reason }) => reason as unknown)).toEqual(refused.map(() => expect.any(InvalidError)));
    expect(refused).toHaveLength(8);
    const user = await ada();
    expect(user?.contacts.filter(({ method }) => method === 'sms')).toHaveLength(2);
    expect(user?.codesSent).toHaveLength(2);
  });

  it('counts every one of many guesses that come at once', async () => {
    const { contacts, verification } = await contactsOfAda();
    const { id: contactId } = await contacts.create('user-ada', { method: 'sms', to: '1-1' });
    const path = { user: 'ada@example.com', contactId };
    const guesses = Array.from({ length: 12 }, () => verification.confirm(path, '999999'));
    const faults = (await Promise.allSettled(guesses)).map((outcome) =>
      outcome.status === 'rejected' && outcome.reason instanceof InvalidError ? outcome.reason.fields?.['code'] : '',
    );
    expect(faults.filter((fault) => fault?.startsWith('is not the code')).toSorted()).toEqual(
      [0, 1, 2, 3, 4].map((left) => `is not the code that was sent; tries left: ${left}`),
    );
    await expect(verification.confirm(path, '012345')).rejects.toThrow(InvalidError);
  });

  it('confirms a contact by its code', async () => {
    const { contacts, verification, ada } = await contactsOfAda();
    const { id: contactId } = await contacts.create('user-ada', { method: 'sms', to: '1-1' });
    await verification.confirm({ user: 'user-ada', contactId }, '012345');
    expect((await ada())?.contacts[1]).toEqual({ id: contactId, method: 'sms', to: '1-1', enabled: true });
  });
});
