import { describe, expect, it } from '@jest/globals';
import { MailRates } from './mail-rates.ts';

describe('a rate of mails', () => {
  it('lets a burst pass, then so many a second, each name for itself', () => {
    let now = 0;
    const rates = new MailRates({ burst: 3, perSecond: 2 }, () => now);
    const taken = (name: string, times: number) => Array.from({ length: times }, () => rates.take(name));
    expect(taken('a', 4)).toEqual([true, true, true, false]);
    expect(rates.hasRoom('a')).toBe(false);
    expect(taken('b', 1)).toEqual([true]);
    now = 500;
    expect(rates.hasRoom('a')).toBe(true);
    expect(taken('a', 2)).toEqual([true, false]);
    now = 1_000_000;
    expect(taken('a', 4)).toEqual([true, true, true, false]);
  });

  it('remembers no more than 10 000 names, and forgets those first who have all their room', () => {
    let now = 0;
    const rates = new MailRates({ burst: 1, perSecond: 1 }, () => now);
    for (let name = 0; name < 9_999; name += 1) rates.take(`old ${name}`);
    now = 1_000;
    rates.take('busy');
    rates.take('new');
    expect(rates.hasRoom('busy')).toBe(false);
    expect(rates.hasRoom('old 1')).toBe(true);
  });
});
