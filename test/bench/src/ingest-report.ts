import { bucketQuantileMs, observations, quantile, table, type Buckets } from './ingest-figures.ts';
import type { LoadResult } from './ingest-load.ts';

/** Everything that one run of the bench measured. */
export interface IngestMeasurements {
  readonly rate: number;
  readonly load: LoadResult;
  readonly processed: Buckets;
  readonly handedOver: Buckets;
  /** Accepted requests without a settled status. */
  readonly lost: number;
  /** Process -> share of one core during the open loop. */
  readonly cpu: ReadonlyMap<string, number>;
  /** Process -> seconds of processor time for each accepted alert, until all of them had settled. */
  readonly cpuPerAlert: ReadonlyMap<string, number>;
  /** Integration actions that every alert was compared with. */
  readonly actions: number;
  readonly peak: LoadResult;
  readonly baseline: LoadResult;
}

/** A promise of the product and whether this run kept it. */
interface Bar {
  readonly name: string;
  readonly bar: string;
  readonly measured: string;
  readonly kept: boolean;
}

const ms = (value: number): string => (Number.isNaN(value) ? '-' : `${value.toFixed(1)} ms`);
const perSecond = (load: LoadResult): number => load.accepted.length / load.seconds;
const rounded = (value: number): string => Math.round(value).toString();

/** The measurements of the run, in tables. */
export function report(measured: IngestMeasurements): string {
  const { load, processed, handedOver, peak, baseline } = measured;
  const stage = (name: string, buckets: Buckets) => [
    name,
    ms(bucketQuantileMs(buckets, 0.5)),
    ms(bucketQuantileMs(buckets, 0.99)),
    String(observations(buckets)),
  ];
  const rates = [
    ['', 'accepted/s', 'p50', 'p99', 'refused'],
    rateRow(`open loop, ${measured.rate}/s, ${measured.actions} actions`, load),
    rateRow('closed loop, peak', peak),
    rateRow('baseline, peak', baseline),
  ];
  const stages = [
    ['since acceptance', 'p50', 'p99', 'observed'],
    stage('processed', processed),
    stage('handed to SMTP', handedOver),
  ];
  const each = (name: string) => `${((measured.cpuPerAlert.get(name) ?? 0) * 1_000_000).toFixed(0)} ms`;
  const cores = [...measured.cpu].map(([name, share]) => [name, `${(share * 100).toFixed(0)} %`, each(name)]);
  const all = [...measured.cpuPerAlert.values()].reduce((sum, seconds) => sum + seconds, 0);
  const results = bars(measured).map(({ name, bar, measured: is, kept }) => [name, bar, is, kept ? 'kept' : 'MISSED']);
  return [
    table(rates),
    table(stages),
    table([
      ['processor time', 'of one core, open loop', 'for 1000 alerts'],
      ...cores,
      ['all', '', `${(all * 1_000_000).toFixed(0)} ms`],
    ]),
    `  peak / baseline = ${(perSecond(peak) / perSecond(baseline)).toFixed(2)}`,
    table([['', 'bar', 'measured', ''], ...results]),
  ].join('\n\n');
}

/** The bars of the product, in the order of their weight. */
export function bars({ rate, load, processed, lost, peak }: IngestMeasurements): readonly Bar[] {
  const p99 = quantile(load.latenciesMs, 0.99);
  const processedP99 = bucketQuantileMs(processed, 0.99);
  const accepted = perSecond(load);
  const most = perSecond(peak);
  return [
    { name: 'lost', bar: '0', measured: String(lost), kept: lost === 0 },
    { name: 'accepted/s', bar: `${rate}`, measured: rounded(accepted), kept: accepted >= rate * 0.99 },
    { name: 'p99 of the 202', bar: '< 50 ms', measured: ms(p99), kept: p99 < 50 },
    { name: 'p99 to processed', bar: '< 500 ms', measured: ms(processedP99), kept: processedP99 < 500 },
    { name: 'closed-loop peak/s', bar: '>= 2500', measured: rounded(most), kept: most >= 2_500 },
  ];
}

function rateRow(name: string, load: LoadResult): string[] {
  const refused = [...load.refused].map(([what, count]) => `${count} x ${what}`).join(', ');
  const [p50, p99] = [quantile(load.latenciesMs, 0.5), quantile(load.latenciesMs, 0.99)];
  return [name, rounded(perSecond(load)), ms(p50), ms(p99), refused === '' ? '0' : refused];
}
