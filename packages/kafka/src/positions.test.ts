import type { Checkpoint } from '@tocsin/events';
import { describe, expect, it } from '@jest/globals';
import type { Admin } from 'kafkajs';
import type { StartPosition } from './start-position.ts';
import { CheckpointPositions, CommittedPositions, lastProcessed } from './positions.ts';

const checkpoint = (partition: number, offset: number, clusterId = 'here'): Checkpoint => ({
  topic: 't',
  partition,
  offset,
  clusterId,
  lastKey: 'k',
  lastTimestampMs: 1,
});

describe('CheckpointPositions', () => {
  it('verifies a checkpoint of this cluster, and logs and forgets one of another', async () => {
    const stored = [checkpoint(0, 7), checkpoint(1, 7, 'elsewhere'), checkpoint(2, 0)];
    const forgotten: Checkpoint[] = [];
    const errors: string[] = [];
    const logger = {
      debug: () => undefined,
      info: () => undefined,
      warn: () => undefined,
      error: (_: object, message: string) => void errors.push(message),
    };
    const store = {
      read: () => Promise.resolve(stored),
      goBack: () => Promise.resolve(),
      forget: (gone: Checkpoint) => {
        forgotten.push(gone);
        return Promise.resolve();
      },
    };
    const found = await new CheckpointPositions(store, logger).read({ name: 't' }, [0, 1, 2, 3], 'here');
    expect([...found]).toEqual([
      [0, { kind: 'verify', checkpoint: stored[0] }],
      [1, { kind: 'beginning' }],
      [2, { kind: 'beginning' }],
      [3, { kind: 'beginning' }],
    ]);
    expect(forgotten).toEqual([stored[1]]);
    expect(errors).toHaveLength(1);
  });
});

interface CommittedPartition {
  readonly partition: number;
  readonly offset: string;
  readonly metadata: string | null;
}

/** The start positions of three or more partitions after the group `g` has committed these offsets. */
function committed(partitions: readonly CommittedPartition[]): Promise<ReadonlyMap<number, StartPosition>> {
  const admin = {
    fetchOffsets: ({ groupId, topics }: { groupId: string; topics: string[] }) =>
      Promise.resolve(groupId === 'g' ? [{ topic: topics[0] ?? '', partitions }] : []),
  } as unknown as Admin;
  const kafka = {
    ask: <T>(question: (of: Admin) => Promise<T>) => question(admin),
    wireName: () => 'p.t',
  };
  const asked = Array.from({ length: Math.max(3, partitions.length) }, (_, partition) => partition);
  return new CommittedPositions(kafka, 'g').read({ name: 't' }, asked, 'here');
}

describe('CommittedPositions', () => {
  it('verifies a position by the record that was committed with it', async () => {
    const last = { key: 'k', timestampMs: 5 };
    const found = await committed([
      { partition: 0, offset: '7', metadata: lastProcessed(last) },
      { partition: 1, offset: '7', metadata: lastProcessed({ ...last, key: undefined }) },
      { partition: 2, offset: '7', metadata: lastProcessed({ ...last, key: 'k'.repeat(5_000) }) },
      { partition: 3, offset: '7', metadata: 'moved by hand' },
      { partition: 4, offset: '-2', metadata: null },
    ]);
    const checkpoint = { topic: 't', clusterId: 'here', offset: 7, lastTimestampMs: 5 };
    expect([...found.values()]).toEqual([
      { kind: 'verify', checkpoint: { ...checkpoint, partition: 0, lastKey: 'k' } },
      { kind: 'verify', checkpoint: { ...checkpoint, partition: 1 } },
      { kind: 'at', offset: 7 },
      { kind: 'at', offset: 7 },
      { kind: 'beginning' },
    ]);
  });

  it('goes on where the group committed, and begins where it did not', async () => {
    const found = await committed([
      { partition: 0, offset: '7', metadata: null },
      { partition: 1, offset: '-1', metadata: null },
    ]);
    expect([...found]).toEqual([
      [0, { kind: 'at', offset: 7 }],
      [1, { kind: 'beginning' }],
      [2, { kind: 'beginning' }],
    ]);
  });
});
