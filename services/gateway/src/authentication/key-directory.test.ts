import { beforeEach, describe, expect, it } from '@jest/globals';
import type { IntegrationState } from '@tocsin/events';
import { MemoryReplica } from '@tocsin/kafka';
import { integration as integrationOf, key } from '../testing/stage.ts';
import { RateLimit } from '../rate-limit/rate-limit.ts';
import { KEY_INDEXES, KeyDirectory, type UnknownKeysLimit } from './key-directory.ts';

const integration = integrationOf('1', key, { keyHash: 'hash' });

const NOT_LIMITED: UnknownKeysLimit = { spend: () => undefined, giveBack: () => undefined };

let replica: MemoryReplica<IntegrationState>;
let directory: KeyDirectory;

beforeEach(() => {
  replica = new MemoryReplica<IntegrationState>(KEY_INDEXES);
  directory = new KeyDirectory(replica, NOT_LIMITED);
});

describe('KeyDirectory', () => {
  it('finds what it holds, and what only the owner has', async () => {
    replica.put('1', integration);
    replica.ownerHas('keyHash', 'other', { ...integration, id: '2' });
    expect(await directory.find('hash', 'a')).toBe(integration);
    expect(await directory.find('other', 'a')).toMatchObject({ id: '2' });
    expect(await directory.find('unknown', 'a')).toBeUndefined();
  });

  it('looks 48 unknown keys of an address up at a time, three quarters of what others leave, 64 in all, and known ones always', async () => {
    replica.put('1', integration);
    const ask = (count: number, address: string) =>
      Promise.allSettled(Array.from({ length: count }, (_, n) => directory.find(`unknown ${n}`, address)));
    const asked = [ask(49, 'a'), ask(13, 'b'), ask(4, 'c'), ask(1, 'd'), ask(1, 'e')];
    expect(await directory.find('hash', 'a')).toBe(integration);
    const found = (await Promise.all(asked)).map((all) => all.filter(({ status }) => status === 'fulfilled').length);
    expect(found).toEqual([48, 12, 3, 1, 0]);
    expect((await asked[4])?.[0]).toMatchObject({ status: 'rejected', reason: { code: 'unavailable' } });
    expect(await directory.find('one more', 'a')).toBeUndefined();
  });

  it('looks up no more unknown keys of an address than it may try, also when it tries them at once', async () => {
    const rate = { perSecond: 1, burst: 2 };
    const unknownKeys = new RateLimit({
      name: 'unknown-keys',
      rate,
      reason: 'ADDRESS',
      now: () => 0,
      onRefused: () => undefined,
    });
    const asked: string[] = [];
    const owner = {
      find: () => undefined,
      fetch: (_: string, keyHash: string) => Promise.resolve(void asked.push(keyHash)),
    };
    directory = new KeyDirectory(owner, unknownKeys);
    const tried = await Promise.allSettled(['1', '2', '3', '4'].map((keyHash) => directory.find(keyHash, 'a')));
    expect(tried.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'rejected']);
    expect(asked).toEqual(['1', '2']);
    await expect(directory.find('5', 'b')).resolves.toBeUndefined();
  });
});
