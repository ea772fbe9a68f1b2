import { ManualClock } from '@tocsin/core';
import type { BatchResult, ConsumedBatch } from '@tocsin/events';
import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { DeadLetterPublisher } from './dead-letter-publisher.ts';
import { toFetchedRecord, type FetchedRecord } from './fetched-record.ts';
import { RecordingPublisher } from './recording-publisher.ts';
import { PartitionProcessor } from './partition-processor.ts';
import { RecordingTracer } from './testing/recording-tracer.ts';
import { publishSpans, withoutTrace } from './tracing.ts';

interface Item {
  readonly n: number;
  readonly alertId: string;
  readonly trace?: string;
}

const TRACE = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`;
const OTHER = `00-${'c'.repeat(32)}-${'d'.repeat(16)}-01`;
const UNSAMPLED = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-00`;
const logger = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

const record = (n: number, trace?: string): FetchedRecord => ({
  offset: n,
  key: 'the alias of an alert',
  timestampMs: 0,
  trace,
  bytes: { key: null, value: Buffer.from(JSON.stringify({ n, alertId: `alert-${n}` })) },
});

async function processed(
  fetched: readonly FetchedRecord[],
  answer: (batch: ConsumedBatch<Item>) => BatchResult = () => ({ outcome: 'done' }),
) {
  const tracer = new RecordingTracer();
  const publisher = new RecordingPublisher();
  const batches: ConsumedBatch<Item>[] = [];
  const processor = new PartitionProcessor<Item>({
    topic: { name: 'items.v1', schema: z.object({ n: z.number(), alertId: z.string() }) },
    partition: 3,
    groups: {
      process: (batch) => {
        batches.push(batch);
        return Promise.resolve(answer(batch));
      },
    },
    processor: { deadLetter: () => Promise.resolve({ outcome: 'done' }) },
    deadLetters: new DeadLetterPublisher({ publisher, groupId: 'group', clock: new ManualClock(new Date(0)) }),
    logger,
    tracer,
  });
  await processor.process(fetched, 'cluster');
  return { spans: tracer.spans, batches };
}

describe('the trace of a message', () => {
  it('is no part of its value', () => {
    expect(JSON.stringify(withoutTrace({ n: 1, trace: TRACE }))).toBe('{"n":1}');
    const plain = { n: 1 };
    expect(withoutTrace(plain)).toBe(plain);
  });

  it('is not read from a record unless traces are read', () => {
    const message = {
      key: null,
      value: Buffer.from('{}'),
      timestamp: '0',
      attributes: 0,
      offset: '7',
      headers: { traceparent: Buffer.from(TRACE) },
    };
    expect(toFetchedRecord(message)).not.toHaveProperty('trace');
    expect(toFetchedRecord(message, true)).toMatchObject({ trace: TRACE });
  });
});

describe('messages that are published', () => {
  it('have a span each where they are traced, as a child of their cause, and others have none', () => {
    const tracer = new RecordingTracer();
    const spans = publishSpans(tracer, 'items.v1', [
      { n: 1, alertId: 'alert-1', trace: TRACE },
      { n: 2 },
      { n: 3, trace: 'rubbish' },
      { n: 4, trace: UNSAMPLED },
    ]);
    expect(spans.map((span) => span !== undefined)).toEqual([true, false, false, false]);
    expect(tracer.spans).toMatchObject([
      { name: 'publish items.v1', kind: 'producer', parent: TRACE, attributes: { 'tocsin.alert_id': 'alert-1' } },
    ]);
  });
});

describe('records that are processed together', () => {
  it('have a span each where they are traced, which is the parent of their effects, and one that is linked to all', async () => {
    const { batches, spans } = await processed([record(0), record(1, TRACE), record(2, OTHER)]);
    const [one, other, batch] = spans;
    expect(batches[0]?.records.map(({ value }) => value.trace)).toEqual([undefined, one?.context, other?.context]);
    expect(spans).toMatchObject([
      { name: 'process items.v1', kind: 'consumer', parent: TRACE, ended: 'well' },
      { name: 'process items.v1', kind: 'consumer', parent: OTHER, ended: 'well' },
      { name: 'process batch of items.v1', links: [one?.context, other?.context], ended: 'well' },
    ]);
    expect(batch?.attributes).toMatchObject({ 'messaging.batch.message_count': 3 });
    expect(one?.attributes).toMatchObject({ 'messaging.kafka.offset': 1, 'tocsin.alert_id': 'alert-1' });
  });

  it('have none where none is sampled, and reach their handler unchanged', async () => {
    const { batches, spans } = await processed([record(0), record(1, UNSAMPLED), record(2, 'rubbish'), record(3, '')]);
    expect(spans).toEqual([]);
    for (const { value } of batches[0]?.records ?? []) expect(value).not.toHaveProperty('trace');
  });

  it('have a span for each try, which says how the try ended', async () => {
    const { spans } = await processed([record(0, TRACE), record(1)], ({ records }) =>
      records.some(({ value }) => value.n === 0) ? { outcome: 'refused', reason: 'secret words' } : { outcome: 'done' },
    );
    expect(spans.map(({ ended, name }) => [name, ended])).toEqual([
      ['process items.v1', 'refused'],
      ['process batch of items.v1', 'refused'],
      ['process items.v1', 'refused'],
      ['process batch of items.v1', 'refused'],
    ]);
    expect(new Set(spans.map(({ context }) => context)).size).toBe(4);
  });

  it('have no keys or contents', async () => {
    const { spans } = await processed([record(0, TRACE)], () => ({ outcome: 'retry', reason: 'secret words' }));
    expect(JSON.stringify(spans)).not.toMatch(/alias of an alert|secret words/);
  });
});
