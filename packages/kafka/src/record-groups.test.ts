import { describe, expect, it } from '@jest/globals';
import type { ConsumedBatch, BatchResult } from '@tocsin/events';
import { UnavailableError } from '@tocsin/core';
import type { BatchProcessor } from './ports.ts';
import { RecordGroups, type GroupBounds } from './record-groups.ts';

const DONE: BatchResult = { outcome: 'done' };
/** Groups whose batches are processed by `process`. */
const groupsWith = (process: BatchProcessor<string>['process'], bounds: GroupBounds = {}): RecordGroups<string> =>
  new RecordGroups({ ...bounds, processor: { process, deadLetter: () => Promise.resolve(DONE) } });

function batch(partition: number, records = 1): ConsumedBatch<string> {
  return {
    topic: 't',
    partition,
    clusterId: 'c',
    records: Array.from({ length: records }, (_, offset) => ({ offset, key: 'k', timestampMs: 0, value: 'v' })),
  };
}

const partitions = (batches: readonly ConsumedBatch<string>[]): string => batches.map((one) => one.partition).join();

describe('batches of several partitions', () => {
  it('that come together are processed together, and each gets the result', async () => {
    const tried: string[] = [];
    const groups = groupsWith((batches) => {
      tried.push(partitions(batches));
      return Promise.resolve({ outcome: 'retry', reason: 'unavailable' });
    });
    const results = await Promise.all([0, 1, 2].map((partition) => groups.process(batch(partition))));
    expect(tried).toEqual(['0,1,2']);
    expect(results).toEqual(Array(3).fill({ outcome: 'retry', reason: 'unavailable' }));
  });

  it('are processed one by one after they are refused together, so that one does not fail the others', async () => {
    const tried: string[] = [];
    const groups = groupsWith((batches) => {
      tried.push(partitions(batches));
      const refused = batches.some(({ partition }) => partition === 1);
      return Promise.resolve(refused ? { outcome: 'refused', reason: 'odd' } : DONE);
    });
    const results = await Promise.all([0, 1, 2].map((partition) => groups.process(batch(partition))));
    expect(tried).toEqual(['0,1,2', '0', '1', '2']);
    expect(results.map(({ outcome }) => outcome)).toEqual(['done', 'refused', 'done']);
  });

  it('are processed one by one where one of them throws for ever, so that no other becomes a dead letter for it', async () => {
    const groups = groupsWith((batches) => {
      if (batches.some(({ partition }) => partition === 1)) throw new TypeError('no state');
      return Promise.resolve(DONE);
    });
    const results = await Promise.allSettled([0, 1, 2].map((partition) => groups.process(batch(partition))));
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  });

  it('are not tried one by one while MongoDB is unavailable', async () => {
    const tried: string[] = [];
    const groups = groupsWith((batches) => {
      tried.push(partitions(batches));
      return Promise.reject(new UnavailableError('unavailable'));
    });
    await Promise.allSettled([0, 1].map((partition) => groups.process(batch(partition))));
    expect(tried).toEqual(['0,1']);
  });

  it('are processed apart from one that has to be tried again, until that one is done', async () => {
    const tried: string[] = [];
    let isStuck = true;
    const groups = groupsWith((batches) => {
      tried.push(partitions(batches));
      const stuck = isStuck && batches.some(({ partition }) => partition === 1);
      return Promise.resolve(stuck ? { outcome: 'retry', reason: 'too long' } : DONE);
    });
    const fetched = () => Promise.all([0, 1, 2].map((partition) => groups.process(batch(partition))));
    await fetched();
    await fetched();
    const results = await fetched();
    expect(results.map(({ outcome }) => outcome)).toEqual(['done', 'retry', 'done']);
    isStuck = false;
    await fetched();
    await fetched();
    expect(tried).toEqual(['0,1,2', '0', '1', '2', '0,2', '1', '0,2', '1', '0,1,2']);
  });

  it('are halved while an engine is unavailable, and not tried one by one at once', async () => {
    const tried: string[] = [];
    let isUnavailable = true;
    const groups = groupsWith((batches) => {
      tried.push(partitions(batches));
      return Promise.resolve(isUnavailable ? { outcome: 'retry', reason: 'unavailable' } : DONE);
    });
    const fetched = () => Promise.all([0, 1, 2, 3].map((partition) => groups.process(batch(partition))));
    await fetched();
    await fetched();
    isUnavailable = false;
    await fetched();
    await fetched();
    expect(tried).toEqual(['0,1,2,3', '0,1', '2,3', '0', '1', '2', '3', '0,1,2,3']);
  });

  it('wait while the most groups are being processed, and are never more records than the limit', async () => {
    const tried: string[] = [];
    const ends: (() => void)[] = [];
    const groups = groupsWith(
      (batches) => {
        tried.push(partitions(batches));
        return new Promise((resolve) =>
          ends.push(() => {
            resolve(DONE);
          }),
        );
      },
      { maxRecords: 4, concurrency: 1 },
    );
    const sizes = [3, 2, 2, 9];
    const settled = Promise.all(sizes.map((size, partition) => groups.process(batch(partition, size))));
    for (const expected of [['0'], ['0', '1,2'], ['0', '1,2', '3']]) {
      while (tried.length < expected.length) await new Promise(setImmediate);
      expect(tried).toEqual(expected);
      ends.shift()?.();
    }
    expect(await settled).toEqual(sizes.map(() => DONE));
  });

  it('fail as their processing does', async () => {
    const groups = groupsWith(() => Promise.reject(new TypeError('odd')));
    await expect(groups.process(batch(0))).rejects.toThrow('odd');
  });
});
