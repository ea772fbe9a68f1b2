import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { type CommittedOffset, OffsetCommitter } from './offset-committer.ts';

const logger = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };
let commits: CommittedOffset[][];

beforeEach(() => {
  commits = [];
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

const committer = (): OffsetCommitter =>
  new OffsetCommitter((offsets) => {
    commits.push(offsets);
    return commits.length === 1 ? Promise.reject(new Error('rebalancing')) : Promise.resolve();
  }, logger);

describe('OffsetCommitter', () => {
  it('commits the newest position of each partition together, once in an interval, also after a failure', async () => {
    const offsets = committer();
    offsets.mark('t', 0, 5);
    offsets.mark('t', 0, 9);
    offsets.mark('t', 1, 3);
    await jest.advanceTimersByTimeAsync(1_000);
    offsets.mark('t', 0, 11, 'm');
    await jest.advanceTimersByTimeAsync(1_000);
    await jest.advanceTimersByTimeAsync(5_000);
    expect(commits).toEqual([
      [
        { topic: 't', partition: 0, offset: '9', metadata: null },
        { topic: 't', partition: 1, offset: '3', metadata: null },
      ],
      [{ topic: 't', partition: 0, offset: '11', metadata: 'm' }],
    ]);
  });

  it('commits nothing of partitions that another process may have', async () => {
    const offsets = committer();
    offsets.mark('t', 0, 5);
    offsets.clear();
    await jest.advanceTimersByTimeAsync(1_000);
    expect(commits).toEqual([]);
  });

  it('commits at once where a flush asks for it', async () => {
    const offsets = committer();
    offsets.mark('t', 0, 5);
    await offsets.flush();
    expect(commits).toHaveLength(1);
    expect(jest.getTimerCount()).toBe(0);
  });
});
