import { describe, expect, it } from '@jest/globals';
import type { LoadResult } from './ingest-load.ts';
import { bars, report, type IngestMeasurements } from './ingest-report.ts';

const load = (perSecond: number, latencyMs: number): LoadResult => ({
  sent: perSecond,
  accepted: Array.from({ length: perSecond }, String),
  latenciesMs: Float64Array.of(latencyMs),
  refused: new Map(),
  refusedAfterMs: 0,
  lagMs: 0,
  seconds: 1,
});
const within = (seconds: number) =>
  new Map([
    [seconds, 100],
    [Infinity, 100],
  ]);

const good: IngestMeasurements = {
  rate: 2_000,
  load: load(2_000, 20),
  processed: within(0.1),
  handedOver: within(0.5),
  lost: 0,
  cpu: new Map([['gateway', 0.35]]),
  cpuPerAlert: new Map([['gateway', 0.000_12]]),
  actions: 20,
  peak: load(3_000, 30),
  baseline: load(6_000, 10),
};

const missed = (measured: IngestMeasurements) => bars(measured).flatMap(({ name, kept }) => (kept ? [] : [name]));

describe('the bars', () => {
  it.each<[Partial<IngestMeasurements>, string[]]>([
    [{}, []],
    [{ lost: 1 }, ['lost']],
    [{ load: load(1_900, 20) }, ['accepted/s']],
    [{ load: load(2_000, 51) }, ['p99 of the 202']],
    [{ processed: within(1) }, ['p99 to processed']],
    [{ peak: load(2_400, 30) }, ['closed-loop peak/s']],
  ])('with %j are missed: %j', (changes, expected) => {
    expect(missed({ ...good, ...changes })).toEqual(expected);
  });
});

describe('the report', () => {
  it('names the rates, the stages, the cores, the ratio and the results', () => {
    const text = report({ ...good, lost: 3, peak: { ...good.peak, refused: new Map([['503', 2]]) } });
    for (const part of [
      'open loop, 2000/s',
      'processed',
      'gateway',
      '35 %',
      'peak / baseline = 0.50',
      'MISSED',
      '2 x 503',
    ])
      expect(text).toContain(part);
  });
});
