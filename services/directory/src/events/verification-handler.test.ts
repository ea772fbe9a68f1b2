import { describe, expect, it } from '@jest/globals';
import { MemoryDirectory } from '../testing/memory-directory.ts';
import { MemoryVerificationEventStore } from '../testing/memory-verification-event-store.ts';
import { verificationBatch } from '../storage/verification-event-store.contract.ts';
import { sampleUser, sampleVerification } from '../testing/stored-samples.ts';
import { verificationHandler } from './verification-handler.ts';

function setUp() {
  const directory = new MemoryDirectory();
  directory.users.set('user-ada', sampleUser('ada'));
  return { directory, handler: verificationHandler(new MemoryVerificationEventStore(directory)) };
}

describe('a verification event', () => {
  it('verifies the user whose mail was accepted', async () => {
    const { directory, handler } = setUp();
    expect(await handler.settle(verificationBatch([sampleVerification('ada')]))).toEqual({ outcome: 'done' });
    expect(directory.users.get('user-ada')?.verified).toBe(true);
  });

  it('is passed over where it can never be settled', async () => {
    const { directory, handler } = setUp();
    const { topic, partition, clusterId } = verificationBatch([]);
    const record = { topic, partition, clusterId, offset: 0, key: 'a', timestampMs: 0, value: undefined };
    expect(await handler.bury(record, 'no value')).toEqual({ outcome: 'done' });
    expect(directory.users.get('user-ada')?.verified).toBe(false);
  });
});
