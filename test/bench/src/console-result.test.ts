import { describe, expect, test } from '@jest/globals';
import { consoleResult, type ConsoleFigures } from './console-result.ts';

const within: ConsoleFigures = {
  alerts: 10_000,
  opened: [
    { paintMs: 3_000, listMs: 3_500 },
    { paintMs: 200, listMs: 600 },
    { paintMs: 999, listMs: 1_400 },
  ],
  keyMs: 96,
  scrolled: { longestTaskMs: 60, nodes: 400, passed: 900 },
  requestsPerSecond: 0.1,
  bulk: { count: 100, seconds: 4.2 },
  cpuSeconds: 3,
};

describe('the figures of the console', () => {
  test('are judged by the median of the openings, and by the slowest key', () => {
    const { kept, table } = consoleResult(within);
    expect(kept).toBe(true);
    expect(table).toMatch(/first paint, median of 3 +999 ms +1000 ms/);
    expect(table).toMatch(/acknowledging 100 at once +4\.2 s/);
  });

  test.each([
    { opened: [{ paintMs: 1_000, listMs: 1_000 }] },
    { keyMs: 104 },
    { requestsPerSecond: 0.2 },
    { opened: [{ paintMs: Number.NaN, listMs: 1 }] },
  ])('are over the limits with %j', (over) => {
    expect(consoleResult({ ...within, ...over }).kept).toBe(false);
  });
});
