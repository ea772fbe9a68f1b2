import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually } from '@tocsin/testing';
import { collectionOf, persistenceIndexes, type Connection } from './index.ts';
import { Lease, LEASES, type LeaseOptions } from './lease.ts';
import { dropDatabase, openDatabase } from './testing/own-database.ts';

const LONG_MS = 600_000;

let connection: Connection;

beforeEach(async () => {
  connection = await openDatabase(persistenceIndexes);
});

afterEach(async () => {
  await dropDatabase(connection);
});

function lease(holder: string, options: Partial<LeaseOptions> = {}): Lease {
  return new Lease({ connection, name: 'work', holder, durationMs: LONG_MS, ...options });
}

describe('Lease', () => {
  it('is held by one of many that take it at once, and stays with it', async () => {
    const leases = Array.from({ length: 10 }, (_, index) => lease(`process ${index}`));
    await Promise.all(leases.map((each) => each.take()));
    const holders = leases.filter(({ isHeld }) => isHeld);
    expect(holders).toHaveLength(1);
    expect(await Promise.all(leases.map((each) => each.take()))).toEqual(leases.map((each) => each === holders[0]));
  });

  it('is free at once when its holder releases it, and not when another does', async () => {
    const [first, second] = [lease('first'), lease('second')];
    await first.take();
    await second.release();
    expect(await second.take()).toBe(false);
    await first.release();
    expect(first.isHeld).toBe(false);
    expect(await second.take()).toBe(true);
  });

  it('is taken from a holder that does not renew it, which learns of it', async () => {
    const [dead, next] = [lease('dead', { durationMs: 3_000 }), lease('next', { durationMs: 3_000 })];
    await dead.take();
    await eventually(async () => {
      expect(await next.take()).toBe(true);
    });
    expect(await dead.take()).toBe(false);
    expect(dead.isHeld).toBe(false);
  });

  it('is taken from a holder of a lower rank, and from no other', async () => {
    const [old, newer, other] = [lease('old', { rank: 1 }), lease('newer', { rank: 2 }), lease('other', { rank: 2 })];
    await old.take();
    expect(await newer.take()).toBe(true);
    expect(await old.take()).toBe(false);
    expect(await other.take()).toBe(false);
  });

  it('is left to a holder of a lower rank by a process that takes only a free one', async () => {
    const [old, newer] = [lease('old', { rank: 1 }), lease('newer', { rank: 2 })];
    await old.take();
    expect(await newer.take({ onlyIfFree: true })).toBe(false);
    await old.release();
    expect(await newer.take({ onlyIfFree: true })).toBe(true);
  });

  it('does not stay with a dead holder for an hour when the clock of the database was an hour ahead', async () => {
    const rows = collectionOf<{ _id: string; holder: string; rank: number; until: Date }>(connection, LEASES);
    await rows.insertOne({ _id: 'work', holder: 'dead', rank: 0, until: new Date(Date.now() + 3_600_000) });
    expect(await lease('next', { durationMs: 3_000 }).take()).toBe(true);
  });
});
