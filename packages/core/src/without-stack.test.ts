import { describe, expect, it } from '@jest/globals';
import { UnavailableError, withoutStack } from './index.ts';

describe('withoutStack', () => {
  it('makes an error that says what it is and not where, and leaves later ones theirs', () => {
    const refusal = withoutStack(() => new UnavailableError('full'));
    expect(refusal).toMatchObject({ message: 'full', code: 'unavailable' });
    expect(refusal.stack).not.toContain('\n');
    expect(() =>
      withoutStack(() => {
        throw new RangeError('no');
      }),
    ).toThrow('no');
    expect(new UnavailableError('full').stack).toContain('without-stack.test');
  });
});
