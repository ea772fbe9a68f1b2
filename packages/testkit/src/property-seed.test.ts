import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';

describe('Properties', () => {
  it('draw the same values in each run of a commit', () => {
    const { PROPERTY_SEED } = process.env;
    expect(fc.readConfigureGlobal().seed).toBe(Number(PROPERTY_SEED));
    expect(fc.sample(fc.string())).toEqual(fc.sample(fc.string()));
  });
});
