import { describe, expect, it } from '@jest/globals';
import { mongo } from 'mongoose';
import { instantOf, isoOf, momentOfToken } from './cluster-time.ts';

describe('a moment of the replica set', () => {
  it('is called by the first whole second that is later than all its writes', () => {
    expect(isoOf(instantOf({ t: 1_772_438_400, i: 7 }))).toBe('2026-03-02T08:00:01Z');
  });

  it('is the first field of a resume token', () => {
    const token = { _data: '8269A541000000002B2B042C0100296E5A1004' };
    expect(momentOfToken(token)).toEqual(new mongo.Timestamp({ t: 0x69a54100, i: 0x2b }));
  });

  it.each([undefined, {}, { _data: '' }, { _data: '8169A541000000002B' }, { _data: '8269A541' }])(
    'is not read from %j',
    (token) => {
      expect(() => momentOfToken(token)).toThrow('resume tokens of an unknown kind');
    },
  );
});
