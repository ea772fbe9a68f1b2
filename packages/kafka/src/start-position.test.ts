import { keyHash, type Checkpoint } from '@tocsin/events';
import { describe, expect, it } from '@jest/globals';
import { checkPosition, type StartPosition, seekOffset, processedUpTo } from './start-position.ts';

const checkpoint: Checkpoint = {
  topic: 't',
  partition: 0,
  offset: 100,
  clusterId: 'c',
  lastKey: 'k99',
  lastTimestampMs: 1_099,
};
const verify: StartPosition = { kind: 'verify', checkpoint };
const at: StartPosition = { kind: 'at', offset: 100 };
const beginning: StartPosition = { kind: 'beginning' };
const record = (offset: number) => ({ offset, key: `k${offset}`, timestampMs: 1_000 + offset });

describe('checkPosition', () => {
  it('goes on at the checkpoint when the record before it is the stored one', () => {
    expect(checkPosition(verify, record(99))).toEqual({ outcome: 'go-on', offset: 100 });
  });

  it('recognises the stored record by the hash of its key as well, and another one by its own hash', () => {
    const marked: StartPosition = { kind: 'verify', checkpoint: { ...checkpoint, lastKey: keyHash('k99') } };
    expect(checkPosition(marked, record(99))).toEqual({ outcome: 'go-on', offset: 100 });
    for (const key of ['k98', '', undefined])
      expect(checkPosition(marked, { ...record(99), key })).toMatchObject({ outcome: 'mismatch' });
  });

  it.each([
    { what: 'another key', first: { ...record(99), key: 'other' } },
    { what: 'no key', first: { ...record(99), key: undefined } },
    { what: 'another time', first: { ...record(99), timestampMs: 7 } },
    { what: 'an earlier record', first: record(0) },
  ])('believes no offset after $what where the record before the checkpoint was sought', ({ first }) => {
    expect(checkPosition(verify, first)).toEqual({ outcome: 'mismatch', checkpoint });
  });

  it('goes on when retention removed only records before the checkpoint', () => {
    expect(checkPosition(verify, record(100))).toEqual({ outcome: 'go-on', offset: 100 });
  });

  it('reports a gap after the checkpoint', () => {
    expect(checkPosition(verify, record(101))).toEqual({ outcome: 'gap', offset: 100 });
    expect(checkPosition(at, record(101))).toEqual({ outcome: 'gap', offset: 100 });
  });

  it('skips nothing by an offset alone when the client went back', () => {
    expect(checkPosition(at, record(0))).toEqual({ outcome: 'went-back' });
    expect(checkPosition(at, record(99))).toEqual({ outcome: 'went-back' });
  });

  it('begins with the first record of the log where nothing was processed', () => {
    expect(checkPosition(beginning, record(40))).toEqual({ outcome: 'go-on', offset: 40 });
  });

  it('goes on where it stopped', () => {
    expect(checkPosition(at, record(100))).toEqual({ outcome: 'go-on', offset: 100 });
  });
});

describe('a start position', () => {
  it('returns where to seek, and the first offset that is not processed', () => {
    expect([verify, at, beginning].map(seekOffset)).toEqual([99, 100, 0]);
    expect([verify, at, beginning, undefined].map(processedUpTo)).toEqual([100, 100, undefined, undefined]);
  });
});
