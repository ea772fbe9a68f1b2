import { beforeEach, describe, expect, it } from '@jest/globals';
import type { IntegrationState } from '@tocsin/contracts';
import { MemoryReplica } from '@tocsin/messaging';
import { KEY_INDEXES, ReplicaKeyDirectory } from './replica-key-directory.ts';

const integration: IntegrationState = {
  id: '1',
  name: 'Default API',
  type: 'API',
  enabled: true,
  allowWriteAccess: true,
  allowConfigurationAccess: true,
  suppressNotifications: false,
  keyHash: 'hash',
};

let replica: MemoryReplica<IntegrationState>;
let directory: ReplicaKeyDirectory;

beforeEach(() => {
  replica = new MemoryReplica<IntegrationState>(KEY_INDEXES);
  directory = new ReplicaKeyDirectory(replica);
});

describe('ReplicaKeyDirectory', () => {
  it('finds what it holds, and what only the owner has', async () => {
    replica.put('1', integration);
    replica.ownerHas('keyHash', 'other', { ...integration, id: '2' });
    expect(await directory.find('hash')).toBe(integration);
    expect(await directory.find('other')).toMatchObject({ id: '2' });
    expect(await directory.find('nobody')).toBeUndefined();
  });

  it('asks about 64 unknown keys at a time and says of more that it cannot know, while known ones pass', async () => {
    replica.put('1', integration);
    const asked = Array.from({ length: 64 }, (_, n) => directory.find(`unknown ${n}`));
    await expect(directory.find('one more')).rejects.toMatchObject({ code: 'unavailable' });
    expect(await directory.find('hash')).toBe(integration);
    await Promise.all(asked);
    expect(await directory.find('one more')).toBeUndefined();
  });
});
