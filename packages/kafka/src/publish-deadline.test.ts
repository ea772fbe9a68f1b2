import { describe, expect, it } from '@jest/globals';
import { isLate, PublishDeadline, type Moment } from './publish-deadline.ts';

const NOW = 1_800_000_000_000;
const DEADLINE = NOW + 1_000;

/** So long after the beginning, with the clock set by so much since. */
const after = (ms: number, setByMs = 0): Moment => ({ wallMs: NOW + ms + setByMs, monotonicMs: 5_000 + ms });

describe('a message that its caller waits for until a deadline', () => {
  it.each([
    ['like the one here', 0],
    ['two minutes ahead', 120_000],
    ['an hour behind', -3_600_000],
  ])('is late when it is appended over a minute after it, with a clock of the brokers %s', (_, ahead) => {
    const publishDeadline = new PublishDeadline();
    publishDeadline.answered([{ partition: 0, logAppendTime: String(NOW + ahead) }], after(-5), after(0));
    const headers = publishDeadline.headers(DEADLINE, after(0));
    expect(isLate(headers, DEADLINE + ahead + 60_000)).toBe(false);
    expect(isLate(headers, DEADLINE + ahead + 60_001)).toBe(true);
  });

  it('is never late while the clock of the brokers is unknown', () => {
    const publishDeadline = new PublishDeadline();
    publishDeadline.answered([{ partition: 0, logAppendTime: '-1' }, { partition: 1 }], after(-5), after(0));
    expect(publishDeadline.headers(DEADLINE, after(0))).toEqual({});
  });

  it('is not late after an outage that ends with an answer with a timestamp of its beginning', () => {
    const publishDeadline = new PublishDeadline();
    publishDeadline.answered([{ partition: 0, logAppendTime: String(NOW) }], after(-5), after(0));
    publishDeadline.answered([{ partition: 0, logAppendTime: String(NOW + 10) }], after(5), after(600_000));
    const headers = publishDeadline.headers(DEADLINE + 600_000, after(600_000));
    expect(isLate(headers, DEADLINE + 600_000)).toBe(false);
    expect(isLate(headers, DEADLINE + 660_001)).toBe(true);
  });

  it('is not late where the first answer has a timestamp from before an outage', () => {
    const publishDeadline = new PublishDeadline();
    publishDeadline.answered([{ partition: 0, logAppendTime: String(NOW) }], after(-5), after(600_000));
    expect(publishDeadline.headers(DEADLINE + 600_000, after(600_000))).toEqual({});
  });

  it.each([
    ['back', -120_000],
    ['forward', 120_000],
  ])('is not late while the clock here was set %s since the brokers answered with their time', (_, setByMs) => {
    const publishDeadline = new PublishDeadline();
    publishDeadline.answered([{ partition: 0, logAppendTime: String(NOW) }], after(-5), after(0));
    expect(publishDeadline.headers(DEADLINE + setByMs, after(10, setByMs))).toEqual({});
    publishDeadline.answered([{ partition: 0, logAppendTime: String(NOW + 10) }], after(10), after(15, setByMs));
    expect(publishDeadline.headers(DEADLINE + setByMs, after(15, setByMs))).toEqual({});
    publishDeadline.answered(
      [{ partition: 0, logAppendTime: String(NOW + 20) }],
      after(20, setByMs),
      after(25, setByMs),
    );
    expect(isLate(publishDeadline.headers(DEADLINE + setByMs, after(25, setByMs)), DEADLINE)).toBe(false);
  });
});

describe('the clock of a broker that was ahead once', () => {
  it('counts for ten minutes after another partition answered with a later time', () => {
    const publishDeadline = new PublishDeadline();
    publishDeadline.answered([{ partition: 1, logAppendTime: String(NOW + 3_600_000) }], after(-5), after(0));
    publishDeadline.answered([{ partition: 0, logAppendTime: String(NOW + 600_000) }], after(600_000), after(600_000));
    expect(isLate(publishDeadline.headers(DEADLINE, after(600_000)), DEADLINE + 3_600_000)).toBe(false);
    publishDeadline.answered([{ partition: 0, logAppendTime: String(NOW + 600_001) }], after(600_001), after(600_001));
    expect(isLate(publishDeadline.headers(DEADLINE, after(600_001)), DEADLINE + 60_001)).toBe(true);
  });
});

describe('a message without a deadline', () => {
  it('is never late', () => {
    const publishDeadline = new PublishDeadline();
    publishDeadline.answered([{ partition: 0, logAppendTime: String(NOW) }], after(-5), after(0));
    expect(publishDeadline.headers(undefined, after(0))).toEqual({});
    expect(isLate({}, Number.MAX_SAFE_INTEGER)).toBe(false);
    expect(isLate(undefined, Number.MAX_SAFE_INTEGER)).toBe(false);
  });
});
