import { describe, expect, it } from '@jest/globals';
import { sequenceHeaders, sequenceIn, traceHeaders, traceIn, versionHeaders, versionIn } from './record-headers.ts';
import { SequenceCounter } from './sequence-counter.ts';

describe('the header of the schema version', () => {
  it.each([1, 2, 17])('is read as it was written: %i', (version) => {
    expect(versionIn(versionHeaders(version))).toBe(version);
  });

  it('is 1 where nothing says it, and costs nothing then', () => {
    expect(versionHeaders()).toEqual({});
    expect(versionIn(undefined)).toBe(1);
    expect(versionIn({})).toBe(1);
    expect(versionIn({ v: Buffer.from('2') })).toBe(2);
    expect(versionIn({ v: Buffer.from('another program wrote this') })).toBe(1);
  });
});

describe('the header of a sequence', () => {
  it('is read as it was written', () => {
    const sequence = { instance: new SequenceCounter().instance, numbers: [7, 12] } as const;
    expect(sequenceIn(sequenceHeaders(sequence))).toEqual(sequence);
    expect(sequenceIn(sequenceHeaders(undefined))).toBeUndefined();
  });

  it.each(['', 'x', `${'a'.repeat(36)}:0-3`, `${'a'.repeat(36)}:5-3`, `$${'a'.repeat(35)}:1-3`])(
    'is none where it says [%s]',
    (sequence) => {
      expect(sequenceIn({ sequence })).toBeUndefined();
    },
  );
});

describe('the header of a trace', () => {
  const TRACE = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`;

  it('is read as it was written', () => {
    expect(traceIn(traceHeaders(TRACE))).toBe(TRACE);
    expect(traceIn({ traceparent: Buffer.from(TRACE) })).toBe(TRACE);
    expect(traceHeaders(undefined)).toEqual({});
    expect(traceIn({})).toBeUndefined();
    expect(traceIn(undefined)).toBeUndefined();
  });
});
