import { describe, expect, it } from '@jest/globals';
import { versionHeaders, versionIn } from './message-version.ts';

describe('the version of a message', () => {
  it.each([1, 2, 17])('is read as it was written: %i', (version) => {
    expect(versionIn(versionHeaders(version))).toBe(version);
  });

  it('is 1 where nothing says it, and costs nothing then', () => {
    expect(versionHeaders()).toEqual({});
    expect(versionIn(undefined)).toBe(1);
    expect(versionIn({})).toBe(1);
    expect(versionIn({ v: Buffer.from('2') })).toBe(2);
    expect(versionIn({ v: Buffer.from('somebody else wrote this') })).toBe(1);
  });
});
