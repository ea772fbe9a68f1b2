import { createAlertBody } from '@tocsin/api';
import { alertBodies } from './ingest-alerts.ts';
import { quantile } from './ingest-figures.ts';
import { benchResult, type BenchResult } from './run-bench.ts';

const WARM_UP = 5_000;

/** The measurements of a bench, in microseconds. */
export interface BesideReading {
  /** The measured work, such as `evaluating 50 actions`. */
  readonly what: string;
  readonly tookUs: readonly number[];
  /** Reading and checking a body of 1 KB: what every create costs anyway. */
  readonly readUs: readonly number[];
  /** The limit of the median; slower measurements show other work of the machine. */
  readonly limitUs: number;
}

/** Runs `once` so many times after a warm-up, and reads a body as often, in turns. */
export function measureBesideReading(once: () => unknown, times: number): Pick<BesideReading, 'tookUs' | 'readUs'> {
  const json = alertBodies('none')(2);
  const schema = createAlertBody('reject');
  const read = () => schema.parse(JSON.parse(json));
  const measured: { readonly tookUs: number[]; readonly readUs: number[] } = { tookUs: [], readUs: [] };
  for (let time = -WARM_UP; time < times; time += 1) {
    const [took, reading] = [durationUs(once), durationUs(read)];
    if (time < 0) continue;
    measured.tookUs.push(took);
    measured.readUs.push(reading);
  }
  return measured;
}

/** The table of the bench, and whether the promise was kept. */
export function besideReadingResult({ what, tookUs, readUs, limitUs }: BesideReading): BenchResult {
  const [took, slow] = middleAndSlow(tookUs);
  const [read, slowRead] = middleAndSlow(readUs);
  const rows = [
    ['of one create', 'p50', 'p99', 'limit'],
    [what, us(took), us(slow), `p50 < ${limitUs} us`],
    ['reading and checking its body', us(read), us(slowRead), ''],
    [`${what.split(' ', 1).join('')} / reading`, (took / read).toFixed(2), (slow / slowRead).toFixed(2), ''],
  ];
  return benchResult(rows, took < limitUs);
}

function durationUs(once: () => unknown): number {
  const startedAt = performance.now();
  once();
  return (performance.now() - startedAt) * 1_000;
}

function middleAndSlow(times: readonly number[]): readonly [number, number] {
  const sorted = times.toSorted((a, b) => a - b);
  return [quantile(sorted, 0.5), quantile(sorted, 0.99)];
}

const us = (value: number): string => `${value.toFixed(1)} us`;
