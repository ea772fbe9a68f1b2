import { describe, expect, it } from '@jest/globals';
import { heartbeatsResult, type HeartbeatMeasurements } from './heartbeats-report.ts';

const found: HeartbeatMeasurements = {
  heartbeats: 2,
  pingsPerSecond: 1_000,
  pingMs: [2, 4],
  refused: 0,
  wrongly: 0,
  lateMs: [100, 600],
  plainWriteMs: [1, 2],
  cores: [0.25, 0.5],
};

describe('heartbeatsResult', () => {
  it('shows times, the ratio to a plain write and what the monitor took', () => {
    const { table, kept } = heartbeatsResult(found);
    expect(kept).toBe(true);
    for (const figure of ['4.0 ms', '600.0 ms', '2.0 plain writes', '25 % of a core', '2 of 2'])
      expect(table).toContain(figure);
  });

  it.each<[string, Partial<HeartbeatMeasurements>]>([
    ['slow pings', { pingMs: [2, 21] }],
    ['a refused ping', { refused: 1 }],
    ['an expiry in spite of a ping', { wrongly: 1 }],
    ['an expiry that is noticed late', { lateMs: [100, 1_000] }],
    ['an expiry that is not noticed', { lateMs: [100] }],
  ])('is over the limits by %s', (_, wrong) => {
    expect(heartbeatsResult({ ...found, ...wrong }).kept).toBe(false);
  });
});
