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
    expect(await directory.find('hash', 'a')).toBe(integration);
    expect(await directory.find('other', 'a')).toMatchObject({ id: '2' });
    expect(await directory.find('nobody', 'a')).toBeUndefined();
  });

  it('asks about 48 unknown keys of an address at a time, 64 in all, and says of more that it cannot know, while known ones pass', async () => {
    replica.put('1', integration);
    const ask = (count: number, address: string) =>
      Array.from({ length: count }, (_, n) => directory.find(`unknown ${n}`, address));
    const asked = ask(48, 'a');
    const refused = ask(1, 'a');
    asked.push(...ask(16, 'b'));
    refused.push(...ask(1, 'c'));
    for (const each of refused) await expect(each).rejects.toMatchObject({ code: 'unavailable' });
    expect(await directory.find('hash', 'a')).toBe(integration);
    await Promise.all(asked);
    expect(await directory.find('one more', 'a')).toBeUndefined();
  });
});
