import { describe, expect, test } from '@jest/globals';
import { sendUnlessChanged } from './guarded-write.ts';

const changesBetween = (before: string, now: string) => (before === now ? [] : [`It is ${now} now.`]);

describe('a write of what other people change too', () => {
  test('It is sent where no one changed it since it was seen.', async () => {
    const sent: string[] = [];
    const send = (now: string) => Promise.resolve(sent.push(`new in place of ${now}`));

    const result = await sendUnlessChanged('old', { read: () => Promise.resolve('old'), changesBetween }, send);

    expect([result, sent]).toEqual([{ changes: [], seen: 'old' }, ['new in place of old']]);
  });

  test('It is not sent where another person changed it, and says what they changed.', async () => {
    const sent: string[] = [];
    const send = () => Promise.resolve(sent.push('new'));

    const result = await sendUnlessChanged('old', { read: () => Promise.resolve('other'), changesBetween }, send);

    expect([result, sent]).toEqual([{ changes: ['It is other now.'], seen: 'other' }, []]);
  });
});
