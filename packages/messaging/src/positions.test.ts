import type { Checkpoint } from '@tocsin/contracts';
import { describe, expect, it } from '@jest/globals';
import type { Admin } from 'kafkajs';
import { CheckpointPositions, CommittedPositions } from './positions.ts';

const checkpoint = (partition: number, offset: number, clusterId = 'here'): Checkpoint => ({
  topic: 't',
  partition,
  offset,
  clusterId,
  lastKey: 'k',
  lastTimestampMs: 1,
});

describe('CheckpointPositions', () => {
  it('verifies a checkpoint of this cluster, and forgets with a word one of another', async () => {
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

describe('CommittedPositions', () => {
  it('goes on where the group committed, and begins where it did not', async () => {
    const partitions = [
      { partition: 0, offset: '7', metadata: null },
      { partition: 1, offset: '-1', metadata: null },
    ];
    const admin = {
      fetchOffsets: ({ groupId, topics }: { groupId: string; topics: string[] }) =>
        Promise.resolve(groupId === 'g' ? [{ topic: topics[0] ?? '', partitions }] : []),
    } as unknown as Admin;
    const kafka = {
      ask: <T>(question: (of: Admin) => Promise<T>) => question(admin),
      wireName: () => 'p.t',
    };
    const found = await new CommittedPositions(kafka, 'g').read({ name: 't' }, [0, 1, 2]);
    expect([...found]).toEqual([
      [0, { kind: 'at', offset: 7 }],
      [1, { kind: 'beginning' }],
      [2, { kind: 'beginning' }],
    ]);
  });
});
