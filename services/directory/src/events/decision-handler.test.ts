import { describe, expect, it } from '@jest/globals';
import { MemoryDirectory } from '../testing/memory-directory.ts';
import { MemoryReceiptStore } from '../testing/memory-receipt-store.ts';
import { decisionBatch } from '../storage/receipt-store.contract.ts';
import { sampleReceipt, sampleUser } from '../testing/stored-samples.ts';
import { decisionHandler } from './decision-handler.ts';

function setUp() {
  const directory = new MemoryDirectory();
  directory.users.set('user-ada', sampleUser('ada'));
  return { directory, handler: decisionHandler(new MemoryReceiptStore(directory)) };
}

describe('a decision', () => {
  it('changes nothing where no mail was delivered', async () => {
    const { directory, handler } = setUp();
    const decisions = [sampleReceipt('ada', { stage: 'route' }), sampleReceipt('ada', {}, { outcome: 'failed' })];
    expect(await handler.settle(decisionBatch(decisions))).toEqual({ outcome: 'done' });
    expect(directory.users.get('user-ada')?.verified).toBe(false);
  });

  it('verifies the user whom the mail reached', async () => {
    const { directory, handler } = setUp();
    expect(await handler.settle(decisionBatch([sampleReceipt('ada')]))).toEqual({ outcome: 'done' });
    expect(directory.users.get('user-ada')?.verified).toBe(true);
  });

  it('is passed over where it can never be settled', async () => {
    const { directory, handler } = setUp();
    const record = { topic: 'decisions.v1', partition: 0, clusterId: 'cluster', offset: 0, key: 'a', timestampMs: 0 };
    expect(await handler.bury({ ...record, value: undefined }, 'no value')).toEqual({ outcome: 'done' });
    expect(directory.users.get('user-ada')?.verified).toBe(false);
  });
});
