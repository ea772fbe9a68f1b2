import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually } from '@tocsin/testkit';
import { collectionOf, persistenceIndexes, type Connection } from './index.ts';
import { LEASES, Leases, type Lease } from './leases.ts';
import { dropDatabase, openDatabase } from './testing/own-database.ts';

const LONG_MS = 600_000;

let connection: Connection;

beforeEach(async () => {
  connection = await openDatabase(persistenceIndexes);
});

afterEach(async () => {
  await dropDatabase(connection);
});

interface LeaseOptions {
  readonly durationMs?: number;
  readonly rank?: number;
}

function leases(holder: string, durationMs = LONG_MS): Leases {
  return new Leases({ connection, group: 'work', holder, durationMs });
}

function lease(holder: string, { durationMs, rank }: LeaseOptions = {}): Lease {
  return leases(holder, durationMs).lease('one.v1', rank);
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

  it('is taken from a holder that does not renew it, which notices that', async () => {
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
    const [old, group] = [lease('old', { rank: 1 }), leases('newer')];
    const newer = group.lease('one.v1', 2);
    await old.take();
    expect(await group.take([{ lease: newer, onlyIfFree: true }])).toEqual([]);
    expect(newer.isHeld).toBe(false);
    await old.release();
    expect(await group.take([{ lease: newer, onlyIfFree: true }])).toEqual([newer]);
  });

  it('does not stay with a dead holder for an hour when the clock of the database was an hour ahead', async () => {
    const entry = { holder: 'dead', rank: 0, until: new Date(Date.now() + 3_600_000) };
    await collectionOf<{ _id: string }>(connection, LEASES).insertOne({ _id: 'work', 'one/v1': entry } as never);
    expect(await lease('next', { durationMs: 3_000 }).take()).toBe(true);
  });
});

describe('Leases of a group', () => {
  const NAMES = ['one.v1', 'two.v1', 'three.v1'];

  it('are taken and renewed together, with one write of one document', async () => {
    const group = leases('first');
    const all = NAMES.map((name) => group.lease(name));
    const wanted = all.map((each) => ({ lease: each }));
    expect(await group.take(wanted)).toEqual(all);
    const stored = collectionOf(connection, LEASES);
    const first = await stored.findOne();
    expect(await group.take(wanted)).toEqual([]);
    expect(all.map(({ isHeld }) => isHeld)).toEqual([true, true, true]);
    const renewed = await stored.find().toArray();
    expect(renewed).toHaveLength(1);
    expect(renewed[0]).not.toEqual(first);
  });

  it('have a holder each: what one process releases or never held, another one takes', async () => {
    const [first, second] = [leases('first'), leases('second')];
    const [one, two] = ['one.v1', 'two.v1'].map((name) => first.lease(name));
    const others = NAMES.map((name) => second.lease(name));
    await first.take([one, two].flatMap((each) => (each === undefined ? [] : [{ lease: each }])));
    const wanted = others.map((each) => ({ lease: each }));
    expect(await second.take(wanted)).toEqual([others[2]]);
    await one?.release();
    expect(await second.take(wanted)).toEqual([others[0]]);
    expect(others.map(({ isHeld }) => isHeld)).toEqual([true, false, true]);
    expect(await two?.take()).toBe(true);
  });
});
