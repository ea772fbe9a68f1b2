import type { Checkpoint } from '@tocsin/events';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import fc from 'fast-check';
import type { StartPosition } from './start-position.ts';
import { FakeLog } from './testing/fake-log.ts';
import type { FetchedRecord } from './fetched-record.ts';
import type { Backlog } from './ports.ts';
import { PartitionReader } from './partition-reader.ts';
import type { ProcessingResult } from './partition-processor.ts';

type Answer = (records: readonly FetchedRecord[], lostBefore?: number) => ProcessingResult;

let log: FakeLog;
let effects: number[];
let errors: string[];
/** The reports about the partition, oldest first. */
let backlogs: (Backlog | 'left')[];
let stored: Checkpoint | undefined;
/** The start position in place of `stored` where positions are not stored with the effects. */
let elsewhere: StartPosition | undefined;

const checkpoint = (offset: number, firstTimestampMs = 0): Checkpoint => ({
  topic: 't',
  partition: 0,
  offset,
  clusterId: 'c',
  lastKey: 'k',
  lastTimestampMs: firstTimestampMs + offset - 1,
});
const startPosition = (): StartPosition =>
  stored === undefined ? { kind: 'beginning' } : { kind: 'verify', checkpoint: stored };

/** Effects and checkpoint in one step; what is below the checkpoint has been done. */
const processAll: Answer = (records) => {
  const last = records.at(-1);
  if (last === undefined) return { next: 0 };
  if (last.offset >= (stored?.offset ?? 0)) {
    effects.push(...records.map(({ offset }) => offset).filter((offset) => offset >= (stored?.offset ?? 0)));
    stored = checkpoint(last.offset + 1, last.timestampMs - last.offset);
  }
  return { next: last.offset + 1 };
};

function reader(answer: Answer = processAll, begin = startPosition()): PartitionReader {
  const made = new PartitionReader({
    topic: 't',
    partition: 0,
    clusterId: 'c',
    control: log.control,
    positions: {
      read: () => Promise.resolve(new Map([[0, elsewhere ?? startPosition()]])),
      goBack: (from, offset) => {
        stored = { ...from, offset };
        return Promise.resolve();
      },
    },
    processor: { process: (records, _, lostBefore) => Promise.resolve(answer(records, lostBefore)) },
    logger: {
      debug: () => undefined,
      info: () => undefined,
      warn: () => undefined,
      error: (_, message) => errors.push(message),
    },
    metrics: {
      consuming: () => undefined,
      consumerBacklog: (_topic, _partition, backlog) => backlogs.push(backlog),
      consumerLeft: () => backlogs.push('left'),
      deadLetter: () => undefined,
      tooNew: () => undefined,
    },
    maxRecordsPerPartition: 3,
  });
  made.begin(begin);
  return made;
}

async function fetchUntilIdle(from: PartitionReader, rounds = 200): Promise<void> {
  for (let round = 0; round < rounds; round += 1) {
    const batch = log.fetch();
    if (batch !== undefined) await from.read(batch);
    await jest.advanceTimersByTimeAsync(1_000);
    if (!log.paused && log.next === log.end && batch === undefined) return;
  }
}

const upTo = (end: number, start = 0): readonly number[] => Array.from({ length: end - start }, (_, n) => start + n);

beforeEach(() => {
  log = new FakeLog();
  effects = [];
  errors = [];
  backlogs = [];
  stored = undefined;
  elsewhere = undefined;
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

describe('PartitionReader', () => {
  it('processes everything from the beginning, in order and no more than the limit at a time', async () => {
    log.append(20);
    const sizes: number[] = [];
    const one = reader((records) => {
      sizes.push(records.length);
      return processAll(records);
    });
    await fetchUntilIdle(one);
    expect(effects).toEqual(upTo(20));
    expect(Math.max(...sizes)).toBe(3);
    expect(one.position).toBe(20);
  });

  it('reports the timestamp of the oldest unprocessed record, and none once it is processed', async () => {
    log.append(5, 70_000);
    let works = false;
    const one = reader((records) =>
      works
        ? processAll(records)
        : { next: records[0]?.offset ?? 0, halt: { outcome: 'retry', reason: 'nothing works' } },
    );
    await fetchUntilIdle(one, 3);
    expect(new Set(backlogs.map((backlog) => JSON.stringify(backlog)))).toEqual(
      new Set([JSON.stringify({ records: 5, oldestMs: 70_000 })]),
    );
    expect(one.backlog).toEqual({ records: 5, oldestMs: 70_000 });
    works = true;
    await fetchUntilIdle(one);
    expect(backlogs.at(-1)).toEqual({ records: 0, oldestMs: undefined });
    expect(one.backlog).toEqual({ records: 0, oldestMs: undefined });
    one.retire();
    expect(backlogs.at(-1)).toBe('left');
    expect(one.backlog).toBeUndefined();
  });

  it('reports a record while its processing does not end', async () => {
    log.append(1, 70_000);
    let reported: readonly unknown[] = [];
    await fetchUntilIdle(
      reader((records) => {
        reported = [...backlogs];
        return processAll(records);
      }),
    );
    expect(reported).toEqual([{ records: 1, oldestMs: 70_000 }]);
  });

  it('goes on at the checkpoint when the record before it is the stored one', async () => {
    log.append(20);
    stored = checkpoint(12);
    await fetchUntilIdle(reader());
    expect(effects).toEqual(upTo(20, 12));
    expect(errors).toEqual([]);
  });

  it('is at its checkpoint before anything was fetched, also at the end of the log', async () => {
    log.append(12);
    stored = checkpoint(12);
    const one = reader();
    expect(one.position).toBe(12);
    await fetchUntilIdle(one);
    expect(one.position).toBe(12);
    expect(effects).toEqual([]);
  });

  it.each([
    { what: 'shorter than the checkpoint', length: 5 },
    { what: 'ending at the checkpoint', length: 12 },
    { what: 'longer than the checkpoint', length: 40 },
  ])('reads a recreated topic $what from its beginning, and says so', async ({ length }) => {
    log.append(length, 1_000_000);
    stored = checkpoint(12);
    await fetchUntilIdle(reader());
    expect(effects).toEqual(upTo(length));
    expect(errors).toHaveLength(1);
  });

  describe('in a log that was truncated', () => {
    /** Ten records of long ago, five of a minute before the last five: all processed, and the end taken away after that. */
    function processedAndCut(to: number): void {
      log.append(10, 0);
      log.append(5, 3_600_000);
      log.append(5, 3_660_000);
      stored = checkpoint(20, 3_660_000);
      log.truncate(to);
    }

    it.each([
      { what: 'is shorter than the checkpoint', more: 2 },
      { what: 'ends just before the checkpoint', more: 4 },
      { what: 'ends at the checkpoint again', more: 5 },
      { what: 'has grown past the checkpoint', more: 30 },
    ])('processes what is new and nothing old again where it $what', async ({ more }) => {
      processedAndCut(15);
      log.append(more, 3_700_000);
      const one = reader();
      // Behind the record that is sought first, the client waits for one that can be compared.
      if (more === 4) {
        await fetchUntilIdle(one);
        log.append(1, 3_700_000);
      }
      await fetchUntilIdle(one);
      expect(effects).toEqual(upTo(log.end, 15));
      expect(errors).toEqual(['The log was truncated; reading on from an earlier record.']);
    });

    it('processes again only what came shortly before the last processed record', async () => {
      processedAndCut(18);
      log.append(4, 3_700_000);
      await fetchUntilIdle(reader());
      expect(effects).toEqual(upTo(22, 15));
    });

    it('processes nothing again where all newer records are gone, and goes on with the next ones', async () => {
      processedAndCut(12);
      const one = reader();
      await fetchUntilIdle(one);
      expect([effects, one.position]).toEqual([[], 12]);
      log.append(3, 3_700_000);
      await fetchUntilIdle(one);
      expect(effects).toEqual(upTo(15, 12));
    });

    it('has the same result after a crash before the first record was processed there', async () => {
      processedAndCut(15);
      await fetchUntilIdle(reader());
      log.append(4, 3_700_000);
      await fetchUntilIdle(reader());
      expect(effects).toEqual(upTo(19, 15));
    });

    it('skips no record at or behind the checkpoint, whatever the timestamp of the last processed one is', async () => {
      processedAndCut(19);
      log.append(6, 3_000_000);
      await fetchUntilIdle(reader());
      expect(effects).toEqual(expect.arrayContaining(upTo(25, 20) as number[]));
      expect(Math.min(...effects)).toBeGreaterThanOrEqual(15);
    });

    it.each([true, false])('notices it while it reads, where the stored position is lost: %s', async (lost) => {
      processedAndCut(20);
      stored = undefined;
      const one = reader();
      await fetchUntilIdle(one);
      if (lost) elsewhere = { kind: 'beginning' };
      log.truncate(15);
      log.append(2, 3_700_000);
      await fetchUntilIdle(one);
      expect(effects).toEqual([...upTo(20), ...upTo(17, 15)]);
    });
  });

  it('notices a topic that was recreated while it read', async () => {
    log.append(20);
    const one = reader();
    await fetchUntilIdle(one);
    log.records = [];
    log.append(6, 1_000_000);
    await fetchUntilIdle(one);
    expect(effects).toEqual([...upTo(20), ...upTo(6)]);
    expect(errors).toHaveLength(1);
  });

  it('reads from the beginning of a log that ends before the position', async () => {
    log.append(20);
    elsewhere = { kind: 'at', offset: 500 };
    await fetchUntilIdle(reader(processAll, elsewhere));
    expect(effects).toEqual(upTo(20));
  });

  it('logs what retention removed and goes on after it, and gives the handler the beginning of the log', async () => {
    log.append(30);
    stored = checkpoint(12);
    log.removeBelow(20);
    const begins: (number | undefined)[] = [];
    await fetchUntilIdle(
      reader((records, lostBefore) => {
        begins.push(lostBefore);
        return processAll(records);
      }),
    );
    expect(effects).toEqual(upTo(30, 20));
    expect(begins[0]).toBe(20);
    expect(begins.slice(1).every((begin) => begin === undefined)).toBe(true);
    expect(errors).toHaveLength(1);
  });

  it('begins without a log line where retention had removed the start before it ever read', async () => {
    log.append(30);
    log.removeBelow(20);
    await fetchUntilIdle(reader());
    expect(effects).toEqual(upTo(30, 20));
    expect(errors).toEqual([]);
  });

  it('seeks once more before it counts records in the middle of a log as lost', async () => {
    log.append(20);
    stored = checkpoint(5);
    const one = reader();
    const batch = log.fetch();
    if (batch === undefined) throw new Error('Nothing was fetched.');
    await one.read({ ...batch, records: batch.records.slice(3) });
    expect(effects).toEqual([]);
    await fetchUntilIdle(one);
    expect(effects).toEqual(upTo(20, 5));
    expect(errors).toEqual([]);
  });

  it('pauses the partition alone after trouble, and brings the same records again, fewer at once', async () => {
    log.append(4);
    let troubles = 3;
    const one = reader((records) => {
      troubles -= 1;
      const halt = { outcome: 'retry', reason: 'unavailable' } as const;
      return troubles < 0 && records.length === 1 ? processAll(records) : { next: records[0]?.offset ?? 0, halt };
    });
    const batch = log.fetch();
    if (batch !== undefined) await one.read(batch);
    expect(log.paused).toBe(true);
    await fetchUntilIdle(one);
    expect(effects).toEqual(upTo(4));
  });

  it('does nothing after a rebalance', async () => {
    log.append(4);
    const one = reader(() => {
      one.retire();
      return { next: 3, halt: { outcome: 'retry', reason: 'unavailable' } };
    });
    const batch = log.fetch();
    if (batch !== undefined) await one.read(batch);
    await jest.advanceTimersByTimeAsync(60_000);
    expect(log).toMatchObject({ next: 0, paused: false });
  });

  it('always has each effect once, in order, with any failures, seeks and halved batches', async () => {
    const answer = fc.constantFrom('done', 'half', 'retry', 'lost answer', 'new reader');
    await fc.assert(
      fc.asyncProperty(fc.array(answer, { maxLength: 30 }), fc.integer({ min: 1, max: 40 }), async (answers, count) => {
        const script = [...answers];
        log = new FakeLog();
        effects = [];
        stored = undefined;
        log.append(count);
        const one: { reader?: PartitionReader } = {};
        const process: Answer = (records) => {
          const first = records[0]?.offset ?? 0;
          const halt = { outcome: 'retry', reason: 'unavailable' } as const;
          switch (script.shift()) {
            case 'half':
              return { ...processAll(records.slice(0, 1)), halt };
            case 'retry':
              return { next: first, halt };
            case 'lost answer':
              processAll(records);
              return { next: first, halt };
            case 'new reader':
              processAll(records);
              one.reader?.retire();
              log.paused = false;
              one.reader = reader(process);
              return { next: first, halt };
            case 'done':
            case undefined:
              return processAll(records);
          }
        };
        one.reader = reader(process);
        for (let round = 0; round < 100 && effects.length < count; round += 1) await fetchUntilIdle(one.reader, 1);
        expect(effects).toEqual(upTo(count));
      }),
      { numRuns: 60 },
    );
  });
});
