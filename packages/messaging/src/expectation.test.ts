import { keyMark, type Checkpoint } from '@tocsin/contracts';
import { describe, expect, it } from '@jest/globals';
import { examine, type Expectation, seekOffset, settledTo } from './expectation.ts';

const checkpoint: Checkpoint = {
  topic: 't',
  partition: 0,
  offset: 100,
  clusterId: 'c',
  lastKey: 'k99',
  lastTimestampMs: 1_099,
};
const verify: Expectation = { kind: 'verify', checkpoint };
const at: Expectation = { kind: 'at', offset: 100 };
const beginning: Expectation = { kind: 'beginning' };
const record = (offset: number) => ({ offset, key: `k${offset}`, timestampMs: 1_000 + offset });

describe('examine', () => {
  it('goes on at the checkpoint when the record before it is the stored one', () => {
    expect(examine(verify, record(99))).toEqual({ verdict: 'go-on', offset: 100 });
  });

  it('recognises the stored record by the hash of its key as well, and another one by its own hash', () => {
    const marked: Expectation = { kind: 'verify', checkpoint: { ...checkpoint, lastKey: keyMark('k99') } };
    expect(examine(marked, record(99))).toEqual({ verdict: 'go-on', offset: 100 });
    for (const key of ['k98', '', undefined])
      expect(examine(marked, { ...record(99), key })).toMatchObject({ verdict: 'mismatch' });
  });

  it.each([
    { what: 'another key', first: { ...record(99), key: 'other' } },
    { what: 'no key', first: { ...record(99), key: undefined } },
    { what: 'another time', first: { ...record(99), timestampMs: 7 } },
    { what: 'an earlier record', first: record(0) },
  ])('believes no offset after $what where the record before the checkpoint was sought', ({ first }) => {
    expect(examine(verify, first)).toEqual({ verdict: 'mismatch', checkpoint });
  });

  it('goes on when retention took no more than the record before the checkpoint', () => {
    expect(examine(verify, record(100))).toEqual({ verdict: 'go-on', offset: 100 });
  });

  it('reports a gap after the checkpoint', () => {
    expect(examine(verify, record(101))).toEqual({ verdict: 'gap', offset: 100 });
    expect(examine(at, record(101))).toEqual({ verdict: 'gap', offset: 100 });
  });

  it('skips nothing by an offset alone when the client went back', () => {
    expect(examine(at, record(0))).toEqual({ verdict: 'went-back' });
    expect(examine(at, record(99))).toEqual({ verdict: 'went-back' });
  });

  it('begins with the first record of the log where nothing was settled', () => {
    expect(examine(beginning, record(40))).toEqual({ verdict: 'go-on', offset: 40 });
  });

  it('goes on where it stopped', () => {
    expect(examine(at, record(100))).toEqual({ verdict: 'go-on', offset: 100 });
  });
});

describe('an expectation', () => {
  it('knows where to seek and what is settled', () => {
    expect([verify, at, beginning].map(seekOffset)).toEqual([99, 100, 0]);
    expect([verify, at, beginning, undefined].map(settledTo)).toEqual([100, 100, undefined, undefined]);
  });
});
