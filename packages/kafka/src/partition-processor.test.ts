import { ManualClock, InvariantError, NotFoundError, TooLargeError, UnavailableError } from '@tocsin/core';
import type { ConsumedBatch, DeadLetter, BatchResult } from '@tocsin/events';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { z } from 'zod';
import { DeadLetterPublisher } from './dead-letter-publisher.ts';
import type { FetchedRecord } from './fetched-record.ts';
import { RecordingPublisher } from './recording-publisher.ts';
import { PartitionProcessor } from './partition-processor.ts';

interface Item {
  readonly n: number;
}
type Process = (batch: ConsumedBatch<Item>) => Promise<BatchResult>;

const logger = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };
const DONE: BatchResult = { outcome: 'done' };
const text = (offset: number, value: string | null): FetchedRecord => ({
  offset,
  key: `k${offset}`,
  timestampMs: 0,
  bytes: { key: Buffer.from(`k${offset}`), value: value === null ? null : Buffer.from(value) },
});
const record = (n: number): FetchedRecord => text(n, JSON.stringify({ n }));
const records = (count: number): readonly FetchedRecord[] => Array.from({ length: count }, (_, n) => record(n));

function setUp(process: Process, passOver: () => BatchResult = () => DONE, reads?: number) {
  const publisher = new RecordingPublisher();
  const failed: { offset: number; reason: string; value: unknown; letters: number }[] = [];
  const processor = new PartitionProcessor<Item>({
    topic: { name: 'items.v1', schema: z.object({ n: z.number() }), ...(reads !== undefined && { reads }) },
    partition: 3,
    groups: { process },
    processor: {
      deadLetter: ({ offset, value }, reason) => {
        failed.push({ offset, reason, value, letters: publisher.published.length });
        return Promise.resolve(passOver());
      },
    },
    deadLetters: new DeadLetterPublisher({
      publisher,
      groupId: 'group',
      clock: new ManualClock(new Date('2026-01-01T00:00:00Z')),
    }),
    logger,
  });
  return { processor, publisher, failed };
}

function throwing(error: Error): never {
  throw error;
}

const refusing =
  (bad: ReadonlySet<number>, done: number[]): Process =>
  ({ records: batch }) => {
    if (batch.some(({ value }) => bad.has(value.n))) return Promise.resolve({ outcome: 'refused', reason: 'bad' });
    done.push(...batch.map(({ value }) => value.n));
    return Promise.resolve(DONE);
  };

describe('PartitionProcessor', () => {
  it('processes records in one call, and passes the start of the log on', async () => {
    const seen: unknown[] = [];
    const { processor } = setUp((batch) => {
      seen.push([batch.topic, batch.partition, batch.clusterId, batch.records.length, batch.lostBefore]);
      return Promise.resolve(DONE);
    });
    expect(await processor.process(records(5), 'cluster', 7)).toEqual({ next: 5 });
    expect(seen).toEqual([['items.v1', 3, 'cluster', 5, 7]]);
  });

  it('always processes every good record in order and makes every bad one a dead letter, once', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 40 }), fc.uniqueArray(fc.nat(39)), async (count, chosen) => {
        const bad = new Set(chosen.filter((n) => n < count));
        const done: number[] = [];
        const { processor, publisher, failed } = setUp(refusing(bad, done));
        expect(await processor.process(records(count), 'cluster')).toEqual({ next: count });
        expect(done).toEqual(Array.from({ length: count }, (_, n) => n).filter((n) => !bad.has(n)));
        expect(failed.map(({ offset }) => offset)).toEqual([...bad].sort((a, b) => a - b));
        expect(publisher.published).toHaveLength(bad.size);
      }),
    );
  });

  it('publishes a dead letter with bytes and reason for an unreadable record, before it moves past it', async () => {
    const { processor, publisher, failed } = setUp(() => Promise.resolve(DONE));
    const fetched = [record(0), text(1, 'no json'), text(2, null), text(3, '{"n":"x"}'), record(4)];
    expect(await processor.process(fetched, 'cluster')).toEqual({ next: 5 });
    expect(publisher.published.map(({ message }) => message)).toMatchObject([
      {
        topic: 'items.v1',
        partition: 3,
        offset: 1,
        groupId: 'group',
        reason: 'The value is not JSON.',
        key: Buffer.from('k1').toString('base64'),
        value: Buffer.from('no json').toString('base64'),
        failedAt: '2026-01-01T00:00:00.000Z',
      },
      { offset: 2, reason: 'The value is not JSON.' },
      { offset: 3, reason: 'The value does not fit its topic: n Invalid input: expected number, received string' },
    ]);
    expect(publisher.published[1]?.message).not.toHaveProperty('value');
    expect(failed.map(({ letters }) => letters)).toEqual([1, 2, 3]);
  });

  it('waits before a record of a schema that it does not know yet: there is no dead letter, and nothing goes past it', async () => {
    const done: number[] = [];
    const { processor, publisher, failed } = setUp(refusing(new Set(), done));
    const fetched = [record(0), record(1), { ...text(2, '{"m":"of another shape"}'), schemaVersion: 2 }, record(3)];
    const halt = { outcome: 'retry', reason: 'Version 2 of items.v1 is newer than this process, which knows 1.' };
    expect(await processor.process(fetched, 'cluster')).toEqual({ next: 2, halt });
    expect(await processor.process(fetched.slice(2), 'cluster')).toEqual({ next: 2, halt });
    expect(done).toEqual([0, 1]);
    expect([...publisher.published, ...failed]).toEqual([]);
  });

  it('processes a record of a schema that it reads and does not write yet, as the next release left it', async () => {
    const done: number[] = [];
    const { processor } = setUp(refusing(new Set(), done), () => DONE, 2);
    expect(await processor.process([record(0), { ...record(1), schemaVersion: 2 }], 'cluster')).toEqual({ next: 2 });
    expect(done).toEqual([0, 1]);
  });

  it('stops at the result `retry`, and keeps what is done', async () => {
    const retry: BatchResult = { outcome: 'retry', reason: 'unavailable' };
    const { processor } = setUp(({ records: batch }) =>
      Promise.resolve(batch.some(({ value }) => value.n === 3) ? retry : DONE),
    );
    const fetched = [record(0), record(1), text(2, 'poison'), record(3), record(4)];
    expect(await processor.process(fetched, 'cluster')).toEqual({ next: 3, halt: retry });
  });

  it('passes `seek` on', async () => {
    const seek: BatchResult = { outcome: 'seek', offset: 2 };
    const { processor } = setUp(() => Promise.resolve(seek));
    expect(await processor.process([record(5)], 'cluster')).toEqual({ next: 5, halt: seek });
  });

  it('tries again after an error that may be transient', async () => {
    const { processor } = setUp(() => Promise.reject(new Error('odd')));
    const halt = { outcome: 'retry', reason: 'Error: odd' };
    expect(await processor.process(records(2), 'cluster')).toEqual({ next: 0, halt });
  });

  it.each<[string, (n: number) => void]>([
    ['a defect', () => (undefined as unknown as readonly Item[]).at(0)],
    ['an invariant that does not hold', () => throwing(new InvariantError('A run without a rule.'))],
    ['a refusal that is not retryable', () => throwing(new NotFoundError('No such team.'))],
  ])('halves out the record whose processing throws %s, and makes it a dead letter', async (_, fail) => {
    const done: number[] = [];
    const { processor, failed } = setUp(({ records: batch }) => {
      for (const { value } of batch) if (value.n === 3) fail(value.n);
      done.push(...batch.map(({ value }) => value.n));
      return Promise.resolve(DONE);
    });
    expect(await processor.process(records(6), 'cluster')).toEqual({ next: 6 });
    expect(done).toEqual([0, 1, 2, 4, 5]);
    expect(failed).toMatchObject([{ offset: 3, value: { n: 3 } }]);
  });

  it('skips no record whose dead letter cannot be published', async () => {
    const { processor, publisher, failed } = setUp(refusing(new Set([0]), []));
    publisher.refuseWith(new UnavailableError('Kafka is unavailable.'));
    expect(await processor.process(records(1), 'cluster')).toMatchObject({ next: 0, halt: { outcome: 'retry' } });
    expect(failed).toEqual([]);
  });

  it('writes one dead letter however often it has to try to pass over the record', async () => {
    const answers: BatchResult[] = [
      { outcome: 'retry', reason: 'unavailable' },
      { outcome: 'refused', reason: 'odd' },
      DONE,
    ];
    const { processor, publisher } = setUp(refusing(new Set([0]), []), () => answers.shift() ?? DONE);
    const halts = [await processor.process(records(1), 'c'), await processor.process(records(1), 'c')];
    expect(halts).toMatchObject([
      { halt: { reason: 'unavailable' } },
      { halt: { reason: 'It cannot be skipped: odd' } },
    ]);
    expect(await processor.process(records(1), 'c')).toEqual({ next: 1 });
    expect(publisher.published).toHaveLength(1);
  });

  it('writes a separate dead letter for a record at the same offset of a recreated topic', async () => {
    const { processor, publisher } = setUp(refusing(new Set([0]), []));
    for (const value of ['old', 'new']) await processor.process([text(0, value)], 'c');
    const values = publisher.published.map(({ message }) => (message as DeadLetter).value);
    expect(values).toEqual(['old', 'new'].map((value) => Buffer.from(value).toString('base64')));
  });
});

describe('DeadLetterPublisher', () => {
  it('keeps a letter without its value where that is too large to be wrapped', async () => {
    const letters: DeadLetter[] = [];
    const publisher = new RecordingPublisher();
    const publish = publisher.publish.bind(publisher);
    publisher.publish = async (topic, messages) => {
      const [letter] = messages as unknown as readonly DeadLetter[];
      if (letter?.value !== undefined) throw new TooLargeError('The message is too large.');
      if (letter !== undefined) letters.push(letter);
      await publish(topic, messages);
    };
    const deadLetters = new DeadLetterPublisher({ publisher, groupId: 'group', clock: new ManualClock(new Date(0)) });
    await deadLetters.publish('items.v1', 0, { ...record(1), schemaVersion: 3 }, 'bad');
    expect(letters).toMatchObject([{ offset: 1, version: 3, reason: 'bad (its value is too large to be kept)' }]);
  });
});
