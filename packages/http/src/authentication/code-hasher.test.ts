import { describe, expect, it } from '@jest/globals';
import { CodeHasher } from './code-hasher.ts';

const old = 'the signing key before the rotation';
const present = 'the signing key after the rotation';

describe('the hash of a code', () => {
  it('fits this code for this subject alone, under the key of the installation alone', () => {
    const hasher = new CodeHasher([present]);
    const hash = hasher.hash('browser', '314159');
    expect(hash).toMatch(/^[0-9a-f]{64}$/);
    expect(hasher.fits('browser', '314159', hash)).toBe(true);
    expect(hasher.fits('browser', '314158', hash)).toBe(false);
    expect(hasher.fits('another', '314159', hash)).toBe(false);
    expect(hasher.fits('browser', '314159', '')).toBe(false);
    expect(new CodeHasher([old]).fits('browser', '314159', hash)).toBe(false);
  });

  it('fits during a rotation of the signing key', () => {
    const hash = new CodeHasher([old]).hash('browser', '314159');
    expect(new CodeHasher([present, old]).fits('browser', '314159', hash)).toBe(true);
  });
});
