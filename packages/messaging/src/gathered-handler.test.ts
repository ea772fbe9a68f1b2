import { describe, expect, it } from '@jest/globals';
import type { ConsumedBatch, Settlement } from '@tocsin/contracts';
import { UnavailableError } from '@tocsin/errors';
import { GatheredHandler } from './gathered-handler.ts';

const DONE: Settlement = { outcome: 'done' };
const bury = (): Promise<Settlement> => Promise.resolve(DONE);

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
  it('that come together are settled together, and each gets the settlement', async () => {
    const groups: string[] = [];
    const handler = new GatheredHandler<string>({
      bury,
      settle: (batches) => {
        groups.push(partitions(batches));
        return Promise.resolve({ outcome: 'retry', reason: 'away' });
      },
    });
    const settlements = await Promise.all([0, 1, 2].map((partition) => handler.settle(batch(partition))));
    expect(groups).toEqual(['0,1,2']);
    expect(settlements).toEqual(Array(3).fill({ outcome: 'retry', reason: 'away' }));
  });

  it('are settled one by one after they are refused together, so that one does not spoil the others', async () => {
    const groups: string[] = [];
    const handler = new GatheredHandler<string>({
      bury,
      settle: (batches) => {
        groups.push(partitions(batches));
        const refused = batches.some(({ partition }) => partition === 1);
        return Promise.resolve(refused ? { outcome: 'refused', reason: 'odd' } : DONE);
      },
    });
    const settlements = await Promise.all([0, 1, 2].map((partition) => handler.settle(batch(partition))));
    expect(groups).toEqual(['0,1,2', '0', '1', '2']);
    expect(settlements.map(({ outcome }) => outcome)).toEqual(['done', 'refused', 'done']);
  });

  it('are settled one by one where one of them makes the handler throw for ever, so that no other is buried for it', async () => {
    const handler = new GatheredHandler<string>({
      bury,
      settle: (batches) => {
        if (batches.some(({ partition }) => partition === 1)) throw new TypeError('no state');
        return Promise.resolve(DONE);
      },
    });
    const settlements = await Promise.allSettled([0, 1, 2].map((partition) => handler.settle(batch(partition))));
    expect(settlements.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  });

  it('are not tried one by one while MongoDB is away', async () => {
    const groups: string[] = [];
    const handler = new GatheredHandler<string>({
      bury,
      settle: (batches) => {
        groups.push(partitions(batches));
        return Promise.reject(new UnavailableError('away'));
      },
    });
    await Promise.allSettled([0, 1].map((partition) => handler.settle(batch(partition))));
    expect(groups).toEqual(['0,1']);
  });

  it('are settled apart from one that has to be tried again, until that one settles', async () => {
    const groups: string[] = [];
    let isStuck = true;
    const handler = new GatheredHandler<string>({
      bury,
      settle: (batches) => {
        groups.push(partitions(batches));
        const stuck = isStuck && batches.some(({ partition }) => partition === 1);
        return Promise.resolve(stuck ? { outcome: 'retry', reason: 'too long' } : DONE);
      },
    });
    const fetched = () => Promise.all([0, 1, 2].map((partition) => handler.settle(batch(partition))));
    await fetched();
    await fetched();
    const settlements = await fetched();
    expect(settlements.map(({ outcome }) => outcome)).toEqual(['done', 'retry', 'done']);
    isStuck = false;
    await fetched();
    await fetched();
    expect(groups).toEqual(['0,1,2', '0', '1', '2', '0,2', '1', '0,2', '1', '0,1,2']);
  });

  it('go in halves while an engine is away, not each by itself at once', async () => {
    const groups: string[] = [];
    let isAway = true;
    const handler = new GatheredHandler<string>({
      bury,
      settle: (batches) => {
        groups.push(partitions(batches));
        return Promise.resolve(isAway ? { outcome: 'retry', reason: 'away' } : DONE);
      },
    });
    const fetched = () => Promise.all([0, 1, 2, 3].map((partition) => handler.settle(batch(partition))));
    await fetched();
    await fetched();
    isAway = false;
    await fetched();
    await fetched();
    expect(groups).toEqual(['0,1,2,3', '0,1', '2,3', '0', '1', '2', '3', '0,1,2,3']);
  });

  it('wait while the most groups are being settled, and are never more records than the most', async () => {
    const groups: string[] = [];
    const ends: (() => void)[] = [];
    const handler = new GatheredHandler<string>({
      bury,
      mostRecords: 4,
      concurrency: 1,
      settle: (batches) => {
        groups.push(partitions(batches));
        return new Promise((resolve) =>
          ends.push(() => {
            resolve(DONE);
          }),
        );
      },
    });
    const sizes = [3, 2, 2, 9];
    const settled = Promise.all(sizes.map((size, partition) => handler.settle(batch(partition, size))));
    for (const expected of [['0'], ['0', '1,2'], ['0', '1,2', '3']]) {
      while (groups.length < expected.length) await new Promise(setImmediate);
      expect(groups).toEqual(expected);
      ends.shift()?.();
    }
    expect(await settled).toEqual(sizes.map(() => DONE));
  });

  it('fail as their settling does', async () => {
    const handler = new GatheredHandler<string>({ bury, settle: () => Promise.reject(new TypeError('odd')) });
    await expect(handler.settle(batch(0))).rejects.toThrow('odd');
  });
});
