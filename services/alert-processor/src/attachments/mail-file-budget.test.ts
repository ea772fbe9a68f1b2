import { describe, expect, it } from '@jest/globals';
import { MIN_FILE_BYTES, MailFileBudget } from './operations.ts';

const STEP = MIN_FILE_BYTES;

function setUp(kept: Record<string, number> = {}) {
  let now = 0;
  const reads: number[] = [];
  const stored = new Map(Object.entries(kept));
  const store = {
    mailBytes: (least: number) => {
      reads.push(least);
      return Promise.resolve(stored);
    },
  };
  const budget = new MailFileBudget({ store, inAll: 5 * STEP, perIntegration: 3 * STEP, nowMs: () => now });
  return { budget, stored, store, reads, pass: (ms: number) => (now += ms) };
}

describe('the budget of files of mails (P13)', () => {
  it('is used up by the files of one integration, and leaves the rest to others', async () => {
    const { budget, reads } = setUp();
    const taken: boolean[] = [];
    for (const id of ['a', 'a', 'a', 'a', 'b', 'b', 'b', 'c']) taken.push(await budget.take(id, STEP));
    expect(taken).toEqual([true, true, true, false, true, true, false, false]);
    expect(reads).toEqual([STEP]);
  });

  it('counts what is stored, by its length, and a small file as a larger one', async () => {
    const { budget } = setUp({ a: 2 * STEP });
    expect(await budget.take('a', STEP + 1)).toBe(false);
    expect(await budget.take('a', 1)).toBe(true);
    expect(await budget.take('a', 1)).toBe(false);
  });

  it('counts removed and new files of other replicas after half a minute', async () => {
    const { budget, stored, pass } = setUp({ a: 3 * STEP });
    expect(await budget.take('a', 1)).toBe(false);
    stored.delete('a');
    pass(30_000);
    expect(await budget.take('a', 1)).toBe(false);
    pass(1);
    expect(await budget.take('a', 1)).toBe(true);
  });

  it('is read again after a failure to read it', async () => {
    const { budget, store } = setUp();
    const { mailBytes } = store;
    store.mailBytes = () => Promise.reject(new Error('unavailable'));
    await expect(budget.take('a', 1)).rejects.toThrow('unavailable');
    store.mailBytes = mailBytes;
    expect(await budget.take('a', 1)).toBe(true);
  });
});
