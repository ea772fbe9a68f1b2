import { describe, expect, it } from '@jest/globals';
import type { ConsumedBatch, Decision } from '@tocsin/contracts';
import type { ReceiptStore } from '../ports/receipt-store.ts';
import type { UserStore } from '../ports/user-store.ts';
import { sampleReceipt, sampleUser } from '../testing/stored-samples.ts';

export interface ReceiptStores {
  readonly receipts: ReceiptStore;
  readonly users: UserStore;
}

/** Decisions of one partition, the first of which stands at `from`. */
export function decisionBatch(decisions: readonly Decision[], from = 0): ConsumedBatch<Decision> {
  const records = decisions.map((value, n) => ({
    offset: from + n,
    key: value.userId,
    timestampMs: 1_767_225_600_000 + from + n,
    value,
  }));
  return { topic: 'decisions.v1', partition: 0, clusterId: 'cluster', records };
}

/** What every store of receipts promises. Each adapter runs it, so the fake cannot drift from the real one. */
export function describeReceiptStore(name: string, create: () => Promise<ReceiptStores>): void {
  describe(`${name} as a receipt store`, () => {
    it('verifies whoever was reached under their user name, and nobody else', async () => {
      const { receipts, users } = await create();
      for (const each of ['ada', 'bob', 'cyd']) await users.insert(sampleUser(each));
      const elsewhere = { facts: { userId: 'user-bob', method: 'email', to: 'bob@home.example.com' } };
      const decisions = [
        sampleReceipt('ada'),
        sampleReceipt('bob', {}, elsewhere),
        sampleReceipt('cyd', {}, { outcome: 'failed' }),
        sampleReceipt('nobody'),
      ];
      expect(await receipts.settle([decisionBatch(decisions)])).toEqual({ outcome: 'done' });
      const { version } = sampleUser('ada');
      const verified = sampleUser('ada', { verified: true, version: { ...version, n: 2 } });
      expect(await users.find({ id: 'user-ada' })).toEqual(verified);
      expect(await users.find({ id: 'user-bob' })).toEqual(sampleUser('bob'));
      expect(await users.find({ id: 'user-cyd' })).toEqual(sampleUser('cyd'));
    });

    it('verifies the device to which a push went, and no other', async () => {
      const { receipts, users } = await create();
      const device = { name: 'Phone', verified: false };
      const mobile = { method: 'mobile', enabled: true, device } as const;
      const contacts = [
        { id: 'd1', to: 'topic-1', ...mobile },
        { id: 'd2', to: 'topic-2', ...mobile },
      ];
      await users.insert(sampleUser('ada', { contacts, verified: true }));
      await users.insert(sampleUser('bob', { contacts }));
      const pushed = sampleReceipt('ada', {}, { facts: { userId: 'user-ada', method: 'mobile', to: 'topic-2' } });
      expect(await receipts.settle([decisionBatch([pushed, pushed])])).toEqual({ outcome: 'done' });
      const ada = await users.find({ id: 'user-ada' });
      expect(ada?.contacts).toEqual([contacts[0], { ...contacts[1], device: { ...device, verified: true } }]);
      expect(ada?.version.n).toBe(2);
      expect(await users.find({ id: 'user-bob' })).toEqual(sampleUser('bob', { contacts }));
    });

    it('writes once, however often it hears of it', async () => {
      const { receipts, users } = await create();
      await users.insert(sampleUser('ada'));
      const first = decisionBatch([sampleReceipt('ada'), sampleReceipt('ada')]);
      await receipts.settle([first]);
      await receipts.settle([first]);
      await receipts.settle([decisionBatch([sampleReceipt('ada')], 2)]);
      expect((await users.find({ id: 'user-ada' }))?.version.n).toBe(2);
    });

    it('passes over a record that can not be settled', async () => {
      const { receipts, users } = await create();
      await users.insert(sampleUser('ada'));
      const { records, ...where } = decisionBatch([sampleReceipt('ada')]);
      for (const record of records) expect(await receipts.bury({ ...where, ...record })).toEqual({ outcome: 'done' });
      await receipts.settle([decisionBatch([sampleReceipt('ada')])]);
      expect((await users.find({ id: 'user-ada' }))?.verified).toBe(false);
    });
  });
}
