import { describe, expect, it } from '@jest/globals';
import { pagesBars, pagesReport, type PagesLoad, type PagesMeasurements } from './pages-report.ts';

const load: PagesLoad = {
  accepted: 100,
  refused: new Map(),
  lost: 0,
  repeated: 0,
  perSecond: 700,
  waitsMs: Float64Array.of(20, 1_900),
  cpu: new Map([
    ['notifier', 0.001],
    ['MongoDB', 0.002],
  ]),
  records: new Map([['pages.v1', 1]]),
  mongo: { commands: new Map([['transactions', 0.25]]), collections: new Map() },
};
const documents = new Map([
  ['tocsin_notifier.flows', 3],
  ['tocsin_notifier.recipient_queues', 4.5],
]);
const good: PagesMeasurements = { most: load, documents, rate: 300, steady: load };

const missed = (measured: PagesMeasurements) => pagesBars(measured).flatMap(({ name, kept }) => (kept ? [] : [name]));

describe('the bars of pages', () => {
  it('are all kept by what is wanted', () => {
    expect(missed(good)).toEqual([]);
  });

  it.each<[Partial<PagesLoad>, string]>([
    [{ perSecond: 599 }, 'mails a second'],
    [{ cpu: new Map([['notifier', 0.003_4]]) }, 'processor time a page'],
  ])('are measured at the most that can be: %j misses %s', (changes, name) => {
    expect(missed({ ...good, most: { ...load, ...changes } })).toEqual([name]);
    expect(missed({ ...good, steady: { ...load, ...changes } })).toEqual([]);
  });

  it('miss what is written where it is more', () => {
    expect(missed({ ...good, documents: new Map([['tocsin_notifier.flows', 8.1]]) })).toEqual([
      'documents written a page',
    ]);
  });

  it('miss the wait where the slowest in a hundred wait for two seconds at the steady rate', () => {
    const waitsMs = Float64Array.of(20, 2_000);
    expect(missed({ ...good, steady: { ...load, waitsMs } })).toEqual(['p99 to the mail at 300/s']);
    expect(missed({ ...good, most: { ...load, waitsMs } })).toEqual([]);
  });

  it('miss one page without a mail, in either load', () => {
    expect(missed({ ...good, most: { ...load, lost: 1 } })).toEqual(['accepted without a mail']);
    expect(missed({ ...good, steady: { ...load, lost: 1 } })).toEqual(['accepted without a mail']);
  });
});

describe('the report of pages', () => {
  it('says what a page takes of each process, and what it comes to', () => {
    const text = pagesReport({ ...good, steady: { ...load, refused: new Map([['503', 2]]) } });
    for (const part of [
      'open loop, 300/s',
      'notifier',
      '1.00 ms',
      '3.00 ms',
      'tocsin_notifier.flows',
      '7.50',
      'pages.v1',
      '0.25',
      '2 x 503',
    ])
      expect(text).toContain(part);
  });
});
