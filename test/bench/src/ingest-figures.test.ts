import { describe, expect, it } from '@jest/globals';
import {
  bucketQuantileMs,
  cpuSeconds,
  observations,
  observedBetween,
  quantile,
  stageBuckets,
  table,
} from './ingest-figures.ts';

const scraped = (counts: readonly [string, number][]) =>
  [
    '# TYPE tocsin_alert_stage_seconds histogram',
    ...counts.map(
      ([le, count]) => `tocsin_alert_stage_seconds_bucket{le="${le}",stage="processed",service="x"} ${count}`,
    ),
    'tocsin_alert_stage_seconds_bucket{le="+Inf",stage="routed",service="x"} 7',
  ].join('\n');

describe('quantile', () => {
  it('is the smallest value that enough of the others do not exceed', () => {
    const values = Array.from({ length: 100 }, (_, at) => at + 1);
    expect([quantile(values, 0.5), quantile(values, 0.99), quantile(values, 1)]).toEqual([50, 99, 100]);
    expect(quantile([], 0.5)).toBeNaN();
  });
});

describe('the buckets of a stage', () => {
  const before = stageBuckets(
    scraped([
      ['0.1', 10],
      ['1', 10],
      ['+Inf', 10],
    ]),
    'processed',
  );
  const after = stageBuckets(
    scraped([
      ['0.1', 60],
      ['1', 110],
      ['+Inf', 110],
    ]),
    'processed',
  );

  it('count what was observed between two readings, of that stage alone', () => {
    expect(observations(observedBetween(before, after))).toBe(100);
    expect(observations(observedBetween(new Map(), after))).toBe(110);
  });

  it('give quantiles interpolated inside a bucket', () => {
    const observed = observedBetween(before, after);
    expect(bucketQuantileMs(observed, 0.5)).toBeCloseTo(100);
    expect(bucketQuantileMs(observed, 0.75)).toBeCloseTo(550);
    expect(bucketQuantileMs(new Map(), 0.5)).toBeNaN();
  });
});

describe('cpuSeconds', () => {
  it('adds user and system time, whatever the process is called', () => {
    expect(cpuSeconds('17 (a) b) S 1 2 3 4 5 6 7 8 9 10 250 150 0 0 20')).toBe(4);
  });
});

describe('table', () => {
  it('lines its columns up', () => {
    expect(
      table([
        ['a', '1'],
        ['long', '20'],
      ]),
    ).toBe('  a       1\n  long   20');
  });
});
