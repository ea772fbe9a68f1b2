import { describe, expect, it } from '@jest/globals';
import { emptyStores } from '../testing/mongo-fixture.ts';
import { sampleUser, sampleVerification } from '../testing/stored-samples.ts';
import { verificationBatch } from '../testing/verification-batch.ts';

describe('a verification event', () => {
  it('verifies the user with that user name after a mail, and no other', async () => {
    const { verifications, users } = await emptyStores();
    for (const each of ['ada', 'bob', 'cyd']) await users.insert(sampleUser(each));
    const events = [
      sampleVerification('ada'),
      sampleVerification('bob', { to: 'bob@home.example.com' }),
      sampleVerification('unknown'),
    ];
    expect(await verifications.process([verificationBatch(events)])).toEqual({ outcome: 'done' });
    const { version } = sampleUser('ada');
    const verified = sampleUser('ada', { verified: true, version: { ...version, n: 2 } });
    expect(await users.find({ id: 'user-ada' })).toEqual(verified);
    expect(await users.find({ id: 'user-bob' })).toEqual(sampleUser('bob'));
    expect(await users.find({ id: 'user-cyd' })).toEqual(sampleUser('cyd'));
  });

  const device = { name: 'Phone', verified: false };
  const deviceContact = (id: string, to: string) => ({ id, to, method: 'mobile', enabled: true, device }) as const;

  it('verifies the device to which a push went, and no other', async () => {
    const { verifications, users } = await emptyStores();
    const contacts = [deviceContact('d1', 'topic-1'), deviceContact('d2', 'topic-2')] as const;
    await users.insert(sampleUser('ada', { contacts, verified: true }));
    await users.insert(sampleUser('bob', { contacts }));
    const pushed = sampleVerification('ada', { method: 'mobile', to: 'topic-2' });
    expect(await verifications.process([verificationBatch([pushed, pushed])])).toEqual({ outcome: 'done' });
    const ada = await users.find({ id: 'user-ada' });
    expect(ada?.contacts).toEqual([contacts[0], { ...contacts[1], device: { ...device, verified: true } }]);
    expect(ada?.version.n).toBe(2);
    expect(await users.find({ id: 'user-bob' })).toEqual(sampleUser('bob', { contacts }));
  });

  it('verifies nothing by a push to a device that was replaced, nor by a mail to a user who was made anew', async () => {
    const { verifications, users } = await emptyStores();
    const replaced = sampleUser('ada', { contacts: [deviceContact('d2', 'topic-2')] });
    await users.insert(replaced);
    await users.insert(sampleUser('bob'));
    await users.remove('user-bob');
    const anew = { ...sampleUser('bob'), id: 'user-bob-2' };
    await users.insert(anew);
    const late = [sampleVerification('ada', { method: 'mobile', to: 'topic-1' }), sampleVerification('bob')];
    expect(await verifications.process([verificationBatch(late)])).toEqual({ outcome: 'done' });
    expect(await users.find({ id: 'user-ada' })).toEqual(replaced);
    expect(await users.find({ id: 'user-bob' })).toBeUndefined();
    expect(await users.find({ id: 'user-bob-2' })).toEqual(anew);
  });

  it('writes once, however often an event comes', async () => {
    const { verifications, users } = await emptyStores();
    await users.insert(sampleUser('ada'));
    const first = verificationBatch([sampleVerification('ada'), sampleVerification('ada')]);
    await verifications.process([first]);
    await verifications.process([first]);
    await verifications.process([verificationBatch([sampleVerification('ada')], 2)]);
    expect((await users.find({ id: 'user-ada' }))?.version.n).toBe(2);
  });

  it('is passed over where it fails for ever', async () => {
    const { verifications, users } = await emptyStores();
    await users.insert(sampleUser('ada'));
    const { records, ...where } = verificationBatch([sampleVerification('ada')]);
    for (const record of records)
      expect(await verifications.deadLetter({ ...where, ...record }, 'no value')).toEqual({ outcome: 'done' });
    expect(await verifications.process([verificationBatch([sampleVerification('ada')])])).toEqual({ outcome: 'done' });
    expect((await users.find({ id: 'user-ada' }))?.verified).toBe(false);
  });
});
