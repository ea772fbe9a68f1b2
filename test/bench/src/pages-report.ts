import { quantile, table } from './ingest-figures.ts';
import { mongoTables, type MongoReading } from './mongo-counts.ts';

/** The result of one load of pages, after all mails and all writes. */
export interface PagesLoad {
  readonly accepted: number;
  /** Other answer or error -> how often. */
  readonly refused: ReadonlyMap<string, number>;
  /** Accepted, and no mail came of it. */
  readonly lost: number;
  /** How often a mail named an alert again. */
  readonly repeated: number;
  /** Mails a second, from the first request to the last mail. */
  readonly perSecond: number;
  /** From the sending of the request to the arrival of the mail, ascending. */
  readonly waitsMs: ArrayLike<number>;
  /** Process -> seconds of processor time for each page. */
  readonly cpu: ReadonlyMap<string, number>;
  /** Topic -> records for each page. */
  readonly records: ReadonlyMap<string, number>;
  /** For each page. */
  readonly mongo: MongoReading;
}

/** Both loads of one run of the bench. */
export interface PagesMeasurements {
  /** As many pages as can be. */
  readonly most: PagesLoad;
  /** Of it, collection -> documents inserted, changed or removed for each page. */
  readonly documents: ReadonlyMap<string, number>;
  /** So many a second. */
  readonly rate: number;
  readonly steady: PagesLoad;
}

/** The targets for pages, and whether this run met them. */
interface Bar {
  readonly name: string;
  readonly bar: string;
  readonly is: string;
  readonly kept: boolean;
}

const MIN_PER_SECOND = 600;
const MAX_MS = 3.3;
const MAX_DOCUMENTS = 8;
const MAX_WAIT_MS = 2_000;

const sum = (parts: ReadonlyMap<string, number>): number => [...parts.values()].reduce((all, part) => all + part, 0);

/** The measurements, in tables. */
export function pagesReport(measured: PagesMeasurements): string {
  const { documents, most, rate, steady } = measured;
  const columns = ['closed loop', `open loop, ${rate}/s`];
  const row = (name: string, of: (load: PagesLoad) => string) => [name, of(most), of(steady)];
  const parts = (of: (load: PagesLoad) => ReadonlyMap<string, number>, format: (value: number) => string) => [
    ...shown(of(most), format).map((name) => row(name, (load) => format(of(load).get(name) ?? 0))),
    row('all', (load) => format(sum(of(load)))),
  ];
  const wait = (q: number) => (load: PagesLoad) => `${quantile(load.waitsMs, q).toFixed(0)} ms`;
  const results = pagesBars(measured).map(({ name, bar, is, kept }) => [name, bar, is, kept ? 'kept' : 'MISSED']);
  return [
    table([
      ['pages', ...columns],
      row('accepted', ({ accepted }) => String(accepted)),
      row('refused', ({ refused }) => [...refused].map(([what, count]) => `${count} x ${what}`).join(', ') || '0'),
      row('mails a second', ({ perSecond }) => perSecond.toFixed(0)),
      row('request to mail, p50', wait(0.5)),
      row('request to mail, p99', wait(0.99)),
      row('mails beyond the first of an alert', ({ repeated }) => String(repeated)),
    ]),
    table([['processor time a page', ...columns], ...parts(({ cpu }) => cpu, milliseconds)]),
    table([['Kafka records a page', ...columns], ...parts(({ records }) => records, fixed)]),
    table([
      ['documents written a page', 'closed loop'],
      ...shown(documents, fixed).map((name) => [name, fixed(documents.get(name) ?? 0)]),
      ['all', fixed(sum(documents))],
    ]),
    mongoTables(steady.mongo, `a page, open loop, ${rate}/s`),
    table([['', 'bar', 'measured', ''], ...results]),
  ].join('\n\n');
}

const milliseconds = (seconds: number): string => `${(seconds * 1_000).toFixed(2)} ms`;
const fixed = (value: number): string => value.toFixed(2);

/** The names of the parts that are more than nothing in a table. */
const shown = (parts: ReadonlyMap<string, number>, format: (value: number) => string): readonly string[] =>
  [...parts.keys()].filter((name) => format(parts.get(name) ?? 0) !== format(0));

/** The limits of the cost of pages, the most important first. */
export function pagesBars({ documents, most, rate, steady }: PagesMeasurements): readonly Bar[] {
  const lost = most.lost + steady.lost;
  const ms = sum(most.cpu) * 1_000;
  const written = sum(documents);
  const p99 = quantile(steady.waitsMs, 0.99);
  return [
    { name: 'accepted without a mail', bar: '0', is: String(lost), kept: lost === 0 },
    {
      name: 'mails a second',
      bar: `>= ${MIN_PER_SECOND}`,
      is: most.perSecond.toFixed(0),
      kept: most.perSecond >= MIN_PER_SECOND,
    },
    {
      name: `p99 to the mail at ${rate}/s`,
      bar: `< ${MAX_WAIT_MS} ms`,
      is: `${p99.toFixed(0)} ms`,
      kept: p99 < MAX_WAIT_MS,
    },
    { name: 'processor time a page', bar: `<= ${MAX_MS} ms`, is: `${ms.toFixed(2)} ms`, kept: ms <= MAX_MS },
    {
      name: 'documents written a page',
      bar: `<= ${MAX_DOCUMENTS}`,
      is: written.toFixed(1),
      kept: written <= MAX_DOCUMENTS,
    },
  ];
}
