import { describe, expect, it } from '@jest/globals';
import { ManualClock } from '@tocsin/clock';
import { InvalidError } from '@tocsin/errors';
import { ContactVerification } from '../application/contact-verification.ts';
import { Contacts } from '../application/contacts.ts';
import type { Contact } from '../domain/contact.ts';
import type { UserStore } from '../ports/user-store.ts';
import { sampleUser } from '../testing/stored-samples.ts';

const at = new Date('2026-01-01T00:00:00.000Z');
const waiting: Contact = { id: 'waiting', method: 'sms', to: '1-1', enabled: true, verification: {} };
const sent: Contact = {
  ...waiting,
  id: 'sent',
  verification: { code: { salt: 'salt', hash: '0f', expiresAt: new Date('2026-01-01T00:10:00.000Z'), triesLeft: 5 } },
};

/** What every user store promises of contacts, also when they are changed at once. */
export function describeContactStore(name: string, create: () => Promise<{ readonly users: UserStore }>): void {
  /** The resource on a store that holds Ada, where every contact is confirmed by a code other than 999999. */
  async function contactsOfAda() {
    const { users } = await create();
    await users.insert(sampleUser('ada'));
    let ids = 0;
    const newId = () => `id-${(ids += 1)}`;
    const ports = { users, clock: new ManualClock(at), newId, newCode: () => '012345', log: { info: () => undefined } };
    return {
      contacts: new Contacts({ ...ports, confirmation: 'required' }),
      verification: new ContactVerification(ports),
      ada: () => users.find({ id: 'user-ada' }),
    };
  }

  describe(`${name} as a store of contacts`, () => {
    it('keeps whether a contact waits, its code and what was sent', async () => {
      const { users } = await create();
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
}
