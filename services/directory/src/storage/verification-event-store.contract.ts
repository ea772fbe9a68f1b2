import { describe, expect, it } from '@jest/globals';
import type { ConsumedBatch, VerificationEvent } from '@tocsin/contracts';
import type { UserStore } from '../ports/user-store.ts';
import type { VerificationEventStore } from '../ports/verification-event-store.ts';
import { sampleUser, sampleVerification } from '../testing/stored-samples.ts';

export interface VerificationEventStores {
  readonly verifications: VerificationEventStore;
  readonly users: UserStore;
}

/** Verification events of one partition, the first of which stands at `from`. */
export function verificationBatch(events: readonly VerificationEvent[], from = 0): ConsumedBatch<VerificationEvent> {
  const records = events.map((value, n) => ({
    offset: from + n,
    key: value.userId,
    timestampMs: 1_767_225_600_000 + from + n,
    value,
  }));
  return { topic: 'verification-events.v1', partition: 0, clusterId: 'cluster', records };
}

/** What every store of verification events promises. Each adapter runs it, so the fake cannot drift from the real one. */
export function describeVerificationEventStore(name: string, create: () => Promise<VerificationEventStores>): void {
  describe(`${name} as a store of verification events`, () => {
    it('verifies the user to whose user name a mail went, and no other', async () => {
      const { verifications, users } = await create();
      for (const each of ['ada', 'bob', 'cyd']) await users.insert(sampleUser(each));
      const events = [
        sampleVerification('ada'),
        sampleVerification('bob', { to: 'bob@home.example.com' }),
        sampleVerification('nobody'),
      ];
      expect(await verifications.settle([verificationBatch(events)])).toEqual({ outcome: 'done' });
      const { version } = sampleUser('ada');
      const verified = sampleUser('ada', { verified: true, version: { ...version, n: 2 } });
      expect(await users.find({ id: 'user-ada' })).toEqual(verified);
      expect(await users.find({ id: 'user-bob' })).toEqual(sampleUser('bob'));
      expect(await users.find({ id: 'user-cyd' })).toEqual(sampleUser('cyd'));
    });

    const device = { name: 'Phone', verified: false };
    const deviceContact = (id: string, to: string) => ({ id, to, method: 'mobile', enabled: true, device }) as const;

    it('verifies the device to which a push went, and no other', async () => {
      const { verifications, users } = await create();
      const contacts = [deviceContact('d1', 'topic-1'), deviceContact('d2', 'topic-2')] as const;
      await users.insert(sampleUser('ada', { contacts, verified: true }));
      await users.insert(sampleUser('bob', { contacts }));
      const pushed = sampleVerification('ada', { method: 'mobile', to: 'topic-2' });
      expect(await verifications.settle([verificationBatch([pushed, pushed])])).toEqual({ outcome: 'done' });
      const ada = await users.find({ id: 'user-ada' });
      expect(ada?.contacts).toEqual([contacts[0], { ...contacts[1], device: { ...device, verified: true } }]);
      expect(ada?.version.n).toBe(2);
      expect(await users.find({ id: 'user-bob' })).toEqual(sampleUser('bob', { contacts }));
    });

    it('verifies nothing by a push to a device that was replaced, nor by a mail to a user who was made anew', async () => {
      const { verifications, users } = await create();
      const replaced = sampleUser('ada', { contacts: [deviceContact('d2', 'topic-2')] });
      await users.insert(replaced);
      await users.insert(sampleUser('bob'));
      await users.remove('user-bob');
      const anew = { ...sampleUser('bob'), id: 'user-bob-2' };
      await users.insert(anew);
      const late = [sampleVerification('ada', { method: 'mobile', to: 'topic-1' }), sampleVerification('bob')];
      expect(await verifications.settle([verificationBatch(late)])).toEqual({ outcome: 'done' });
      expect(await users.find({ id: 'user-ada' })).toEqual(replaced);
      expect(await users.find({ id: 'user-bob' })).toBeUndefined();
      expect(await users.find({ id: 'user-bob-2' })).toEqual(anew);
    });

    it('writes once, however often an event comes', async () => {
      const { verifications, users } = await create();
      await users.insert(sampleUser('ada'));
      const first = verificationBatch([sampleVerification('ada'), sampleVerification('ada')]);
      await verifications.settle([first]);
      await verifications.settle([first]);
      await verifications.settle([verificationBatch([sampleVerification('ada')], 2)]);
      expect((await users.find({ id: 'user-ada' }))?.version.n).toBe(2);
    });

    it('passes over a record that can not be settled', async () => {
      const { verifications, users } = await create();
      await users.insert(sampleUser('ada'));
      const { records, ...where } = verificationBatch([sampleVerification('ada')]);
      for (const record of records)
        expect(await verifications.bury({ ...where, ...record })).toEqual({ outcome: 'done' });
      await verifications.settle([verificationBatch([sampleVerification('ada')])]);
      expect((await users.find({ id: 'user-ada' }))?.verified).toBe(false);
    });
  });
}
