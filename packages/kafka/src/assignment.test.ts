import { ManualClock, UnavailableError } from '@tocsin/core';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { Admin } from 'kafkajs';
import { z } from 'zod';
import { Assignment } from './assignment.ts';
import { DeadLetterPublisher } from './dead-letter-publisher.ts';
import type { StartPosition } from './start-position.ts';
import type { Positions } from './positions.ts';
import { RecordGroups } from './record-groups.ts';
import { RecordingPublisher } from './recording-publisher.ts';

const logger = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };
const topic = { name: 'items.v1', schema: z.unknown() };
const processor = {
  process: () => Promise.resolve({ outcome: 'done' as const }),
  deadLetter: () => Promise.resolve({ outcome: 'done' as const }),
};
const admin = {
  describeCluster: () => Promise.resolve({ clusterId: 'c', brokers: [], controller: 1 }),
  fetchTopicOffsets: () =>
    Promise.resolve([
      { partition: 0, offset: '100', high: '100', low: '10' },
      { partition: 1, offset: '50', high: '50', low: '0' },
    ]),
} as unknown as Admin;

let log: string[];

function assignmentWith(read: () => Promise<ReadonlyMap<number, StartPosition>>, isUnavailable = false): Assignment {
  const positions: Positions = { read, goBack: () => Promise.resolve() };
  const list = (of: { topic: string; partitions?: number[] }[] = []): string =>
    of.map(({ topic: name, partitions }) => `${name}/${(partitions ?? []).join('+')}`).join();
  return new Assignment({
    kafka: {
      wireName: ({ name }) => `p.${name}`,
      ask: (question) => (isUnavailable ? Promise.reject(new Error('unavailable')) : question(admin)),
    },
    consumer: {
      pause: (partitions) => log.push(`pause ${list(partitions)}`),
      resume: (partitions) => log.push(`resume ${list(partitions)}`),
      seek: ({ partition, offset }) => log.push(`seek ${partition} to ${offset}`),
    },
    partitions: { 'p.items.v1': [0, 1], 'unknown.v1': [0] },
    topics: new Map([['p.items.v1', { topic, processor, groups: new RecordGroups<never>({ processor }) }]]),
    positions,
    deadLetters: new DeadLetterPublisher({
      publisher: new RecordingPublisher(),
      groupId: 'g',
      clock: new ManualClock(new Date(0)),
    }),
    committer: { mark: () => undefined },
    logger,
    maxRecordsPerPartition: 300,
  });
}

const known = new Map<number, StartPosition>([
  [0, { kind: 'at', offset: 40 }],
  [1, { kind: 'beginning' }],
]);

beforeEach(() => {
  log = [];
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

describe('Assignment', () => {
  it('pauses all partitions until each is sought to its position', async () => {
    const assignment = assignmentWith(() => Promise.resolve(known));
    assignment.pauseAll();
    expect(assignment.reader('p.items.v1', 0)).toBeUndefined();
    expect(await assignment.begin()).toBe(true);
    expect(log).toEqual(['pause p.items.v1/0+1', 'seek 0 to 40', 'seek 1 to 0', 'resume p.items.v1/0+1']);
    expect(assignment.reader('p.items.v1', 0)?.position).toBe(40);
  });

  it('reads the positions again until that succeeds', async () => {
    let tries = 0;
    const assignment = assignmentWith(() => {
      tries += 1;
      return tries < 4 ? Promise.reject(new Error('MongoDB is unavailable.')) : Promise.resolve(known);
    });
    const beginning = assignment.begin();
    await jest.advanceTimersByTimeAsync(5_000);
    expect(await beginning).toBe(true);
    expect(tries).toBe(4);
  });

  it('does nothing after a rebalance, even one that comes while it reads positions', async () => {
    const { promise, resolve } = Promise.withResolvers<ReadonlyMap<number, StartPosition>>();
    const assignment = assignmentWith(() => promise);
    const beginning = assignment.begin();
    assignment.retire();
    resolve(known);
    expect(await beginning).toBe(false);
    expect(log).toEqual([]);
  });

  it('counts the backlog of the partitions of this process', async () => {
    const assignment = assignmentWith(() => Promise.resolve(known));
    expect(await assignment.pending()).toBe(140);
    await assignment.begin();
    expect(await assignment.pending()).toBe(110);
  });

  it('reports the backlog of a topic, of the partitions that were fetched, until they are given out anew', async () => {
    const assignment = assignmentWith(() => Promise.resolve(known));
    await assignment.begin();
    expect(assignment.backlogs('items.v1')).toEqual(new Map());
    const record = { offset: 40, key: undefined, timestampMs: 70_000, bytes: { key: null, value: Buffer.from('{}') } };
    const batch = { records: [record], end: 43, resolve: () => undefined, isRunning: () => false };
    await assignment.reader('p.items.v1', 0)?.read(batch);
    expect(assignment.backlogs('items.v1')).toEqual(new Map([['0', { records: 3, oldestMs: 70_000 }]]));
    expect(assignment.backlogs('others.v1')).toEqual(new Map());
    assignment.retire();
    expect(assignment.backlogs('items.v1')).toEqual(new Map());
  });

  it('cannot count while the brokers are unavailable', async () => {
    const assignment = assignmentWith(() => Promise.resolve(known), true);
    await expect(assignment.pending()).rejects.toThrow(UnavailableError);
  });
});
