import { describe, expect, test } from '@jest/globals';
import { eventually } from './eventually.ts';

describe('eventually', () => {
  test('gives the first answer that is not an error', async () => {
    let asked = 0;

    const answer = await eventually(
      () => {
        if (++asked < 3) throw new Error('not yet');
        return asked;
      },
      { everyMs: 1 },
    );

    expect(answer).toBe(3);
  });

  test('throws the last error when time is up', async () => {
    const never = (): never => {
      throw new Error('never');
    };

    await expect(eventually(never, { timeoutMs: 5, everyMs: 1 })).rejects.toThrow('never');
  });
});
