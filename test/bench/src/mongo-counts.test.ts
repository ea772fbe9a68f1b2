import { describe, expect, it } from '@jest/globals';
import { mongoShares, mongoTables, type MongoReading } from './mongo-counts.ts';

const reading = (find: number, update: number, queries: number): MongoReading => ({
  commands: new Map([
    ['transactions', 1],
    ['find', find],
    ['update', update],
  ]),
  collections: new Map([
    ['tocsin_notifier.recipient_queues', new Map([['queries', queries]])],
    ['tocsin_notifier.outbox', new Map([['queries', 7]])],
  ]),
});

describe('the counts of a mongod', () => {
  it('are of the time between two readings, also for a collection that is new', () => {
    const before = { ...reading(10, 0, 0), collections: new Map() };
    const { collections, commands } = mongoShares(before, reading(40, 0, 20), 10);
    expect(commands.get('find')).toBe(3);
    expect(collections.get('tocsin_notifier.recipient_queues')?.get('queries')).toBe(2);
  });

  it('are shown for each collection and summed for its database, without what was never done', () => {
    const text = mongoTables(mongoShares(reading(0, 0, 0), reading(30, 0, 20), 10), 'a second');
    expect(text).toMatch(/^ {2}tocsin_notifier +2\.00/m);
    expect(text).toMatch(/^ {2}tocsin_notifier\.recipient_queues +2\.00/m);
    expect(text).toMatch(/^ {2}all commands +3\.00/m);
    expect(text).not.toContain('transactions');
    expect(text).not.toContain('tocsin_notifier.outbox');
  });
});
