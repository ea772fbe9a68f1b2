import { describe, expect, it } from '@jest/globals';
import { isLate, Lateness } from './lateness.ts';

const NOW = 1_800_000_000_000;
const DEADLINE = NOW + 1_000;

describe('a message that its caller waits for until a deadline', () => {
  it.each([
    ['like the one here', 0],
    ['two minutes ahead', 120_000],
    ['an hour behind', -3_600_000],
  ])('is late when it is appended over a minute after it, with a clock of the brokers %s', (_, ahead) => {
    const lateness = new Lateness();
    lateness.heard([{ logAppendTime: String(NOW + ahead) }], NOW);
    const headers = lateness.headers(DEADLINE);
    expect(isLate(headers, DEADLINE + ahead + 60_000)).toBe(false);
    expect(isLate(headers, DEADLINE + ahead + 60_001)).toBe(true);
  });

  it('is never late while the brokers have not told their time', () => {
    const lateness = new Lateness();
    lateness.heard([{ logAppendTime: '-1' }, {}], NOW);
    expect(lateness.headers(DEADLINE)).toEqual({});
  });
});

describe('a message without a deadline', () => {
  it('is never late', () => {
    const lateness = new Lateness();
    lateness.heard([{ logAppendTime: String(NOW) }], NOW);
    expect(lateness.headers(undefined)).toEqual({});
    expect(isLate({}, Number.MAX_SAFE_INTEGER)).toBe(false);
    expect(isLate(undefined, Number.MAX_SAFE_INTEGER)).toBe(false);
  });
});
