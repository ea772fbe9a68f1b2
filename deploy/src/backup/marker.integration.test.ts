import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { RESTORES } from '@tocsin/mongo';
import { eventually, testMongo } from '@tocsin/testkit';
import { mongo } from 'mongoose';
import { HeldMarker, unendedRestores } from './marker.ts';

const MONDAY = { backup: 'monday', startedAt: new Date('2026-03-02T08:00:00Z') };
const TUESDAY = { backup: 'tuesday', startedAt: new Date('2026-03-03T08:00:00Z') };

let client: mongo.MongoClient;
let ownPrefix: string;
let names = 0;
let databases: readonly string[];
let writes: string[];
let held: HeldMarker[];

beforeAll(async () => {
  const { uri, databasePrefix } = await testMongo();
  ownPrefix = databasePrefix;
  client = new mongo.MongoClient(uri);
});
beforeEach(() => {
  names += 1;
  databases = ['directory', 'notifier'].map((name) => `${ownPrefix}m${names}_${name}`);
  writes = [];
  held = [];
});
afterAll(async () => {
  await client.close();
});

async function take(restore: typeof MONDAY): Promise<HeldMarker> {
  const marker = await HeldMarker.take(client, databases, restore);
  held.push(marker);
  return marker;
}

async function abandonAll(): Promise<void> {
  for (const marker of held) await marker.abandon();
}

const write = (marker: HeldMarker, name: string): Promise<void> =>
  marker.write(() => {
    writes.push(name);
    return Promise.resolve();
  });

const marked = async () => (await unendedRestores(client, databases)).map(({ marker }) => marker.backup);

/** As if the restore had been cut off, or frozen, some seconds ago. */
async function renewedBefore(seconds: number): Promise<void> {
  const before = [{ $set: { aliveAt: { $subtract: ['$$NOW', seconds * 1_000] } } }];
  for (const database of databases) await client.db(database).collection(RESTORES).updateMany({}, before);
}

describe('the marker of a restore', () => {
  it('is of one of two restores that begin at the same time', async () => {
    const results = await Promise.allSettled([take(MONDAY), take(TUESDAY), take(MONDAY)]);
    const refused = results.flatMap((result) => (result.status === 'rejected' ? [String(result.reason)] : []));
    expect(refused).toHaveLength(2);
    for (const reason of refused) expect(reason).toContain('Another restore runs: of backup');
    expect(new Set(await marked()).size).toBe(1);
    await abandonAll();
  });

  it('keeps another restore out while it is renewed, and is in all databases until it is removed', async () => {
    const marker = await take(MONDAY);
    await renewedBefore(14);
    const [before] = await unendedRestores(client, databases);
    await eventually(async () => {
      const unended = await unendedRestores(client, databases);
      for (const { marker: renewed } of unended)
        expect(Number(renewed.aliveAt)).toBeGreaterThan(Number(before?.marker.aliveAt) + 10_000);
    });
    await expect(take(TUESDAY)).rejects.toThrow(/of backup monday, since 2026-03-02T08:00:00.000Z\. Wait/);
    await write(marker, 'monday');
    expect(await marked()).toEqual(['monday', 'monday']);
    await marker.remove();
    expect(await marked()).toEqual([]);
    expect(writes).toEqual(['monday']);
  });

  it('is taken over once it was not renewed for 15 s, and the restore that had it writes and removes nothing more', async () => {
    const first = await take(MONDAY);
    const second = await eventually(async () => {
      await renewedBefore(16);
      return take(TUESDAY);
    });
    expect(second.tookOver).toBe(true);
    await eventually(async () => {
      await expect(write(first, 'monday')).rejects.toThrow('Another restore has taken these databases over');
    });
    writes = [];
    await expect(write(first, 'monday')).rejects.toThrow('Another restore');
    await expect(first.remove()).rejects.toThrow('Another restore has taken these databases over');
    await first.abandon();
    await expect(take(MONDAY)).rejects.toThrow('of backup tuesday');
    await write(second, 'tuesday');
    expect(writes).toEqual(['tuesday']);
    await second.remove();
    expect(await marked()).toEqual([]);
  });

  it('is looked for before a write of a restore that was frozen', async () => {
    const clock = { ms: 0 };
    const frozen = await HeldMarker.take(client, databases, { ...MONDAY, nowMs: () => clock.ms });
    const other = await eventually(async () => {
      await renewedBefore(16);
      return take(TUESDAY);
    });
    clock.ms = 15_000;
    await expect(write(frozen, 'monday')).rejects.toThrow('Another restore has taken these databases over');
    expect(writes).toEqual([]);
    await frozen.abandon();
    await other.remove();
  });

  it('is not removed where one database has it no more', async () => {
    const marker = await take(MONDAY);
    await client
      .db(databases[1] ?? '')
      .collection(RESTORES)
      .deleteMany({});
    await expect(marker.remove()).rejects.toThrow('Another restore has taken these databases over');
    expect(await marked()).toEqual(['monday']);
  });

  it('that is left by a restore which failed keeps no other restore waiting', async () => {
    await (await take(MONDAY)).abandon();
    expect(await marked()).toEqual(['monday', 'monday']);
    const next = await take(TUESDAY);
    expect(next.tookOver).toBe(true);
    await next.remove();
  });
});
