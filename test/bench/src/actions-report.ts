import { quantile } from './ingest-figures.ts';
import { verdict, type Verdict } from './run-bench.ts';

/** What the bench of actions measured, in microseconds, once for each time. */
export interface ActionMeasurements {
  readonly actions: number;
  readonly evaluatedUs: readonly number[];
  /** Reading and checking a body of 1 KB: what every create costs anyway. */
  readonly readUs: readonly number[];
}

/** What an evaluation may take, half of the times; slower ones show what else the machine had to do. */
const LIMIT_US = 100;

/** The table of the bench, and whether the promise was kept. */
export function actionsVerdict({ actions, evaluatedUs, readUs }: ActionMeasurements): Verdict {
  const [evaluated, slow] = middleAndSlow(evaluatedUs);
  const [read, slowRead] = middleAndSlow(readUs);
  const rows = [
    ['of one create', 'p50', 'p99', 'limit'],
    [`evaluating ${actions} actions`, us(evaluated), us(slow), `p50 < ${LIMIT_US} us`],
    ['reading and checking its body', us(read), us(slowRead), ''],
    ['evaluating / reading', (evaluated / read).toFixed(2), (slow / slowRead).toFixed(2), ''],
  ];
  return verdict(rows, evaluated < LIMIT_US);
}

function middleAndSlow(times: readonly number[]): readonly [number, number] {
  const sorted = times.toSorted((a, b) => a - b);
  return [quantile(sorted, 0.5), quantile(sorted, 0.99)];
}

const us = (value: number): string => `${value.toFixed(1)} us`;
