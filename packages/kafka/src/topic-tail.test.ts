import { describe, expect, it } from '@jest/globals';
import { UnavailableError } from '@tocsin/core';
import type { Consumer, ConsumerRunConfig, EachBatchPayload } from 'kafkajs';
import { TopicTail } from './index.ts';
import type { KafkaConnection } from './kafka-connection.ts';

const logger = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

interface GivenBatch {
  readonly offsets: readonly number[];
  /** The end of the log when the batch was fetched. */
  readonly end: number;
}

/** A tail of one partition, whose consumer the test is. The test answers each question for the end of the log. */
async function startedTail() {
  const asked: PromiseWithResolvers<number>[] = [];
  const seen = { records: [] as string[], soughtTo: [] as number[], fatal: [] as Error[] };
  const listeners = new Map<string, (event: never) => void>();
  let config: ConsumerRunConfig = {};
  const consumer = {
    events: { GROUP_JOIN: 'join', CRASH: 'crash' },
    on: (event: string, listener: (event: never) => void) => listeners.set(event, listener),
    connect: () => Promise.resolve(),
    disconnect: () => Promise.resolve(),
    subscribe: () => Promise.resolve(),
    run: (given: ConsumerRunConfig) => {
      config = given;
      return Promise.resolve();
    },
    pause: () => undefined,
    resume: () => undefined,
    seek: ({ offset }: { readonly offset: string }) => seen.soughtTo.push(Number(offset)),
  } as unknown as Consumer;
  const kafka = {
    clientId: 'tests',
    wireName: ({ name }: { readonly name: string }) => name,
    consumer: () => consumer,
    ask: async () => {
      const question = Promise.withResolvers<number>();
      asked.push(question);
      return [{ partition: 0, low: '0', high: String(await question.promise) }];
    },
  } as unknown as KafkaConnection;
  const tail = new TopicTail({
    kafka,
    topic: { name: 'notes.v1' },
    onRecord: (_, value) => seen.records.push(value.toString()),
    logger,
    onFatal: (error) => seen.fatal.push(error),
  });
  await tail.start();
  return {
    tail,
    seen,
    /** Begins to follow; the question for the end of the log is open. */
    follow: async () => {
      const following = tail.follow();
      const question = await nextOf(asked);
      return { following, answer: question.resolve };
    },
    /** The batch is read once `end`, where it is given, has answered the question for the end of the log. */
    read: async ({ end, offsets }: GivenBatch, endNow?: number) => {
      const messages = offsets.map((offset) => ({
        offset: String(offset),
        key: Buffer.from('k'),
        value: Buffer.from(`record ${offset}`),
      }));
      const lastOffset = () => String(offsets.at(-1));
      const batch = { partition: 0, highWatermark: String(end), messages, lastOffset };
      const reading = config.eachBatch?.({ batch, resolveOffset: () => undefined } as unknown as EachBatchPayload);
      if (endNow !== undefined) (await nextOf(asked)).resolve(endNow);
      await reading;
    },
    crash: (error: Error) => listeners.get('crash')?.({ payload: { error, restart: false, groupId: 'g' } } as never),
  };
}

/** Waits for turns of the event loop until there is one. */
async function nextOf<T>(items: T[]): Promise<T> {
  for (let turn = 0; turn < 100 && items.length === 0; turn += 1) await new Promise(setImmediate);
  const [item] = items.splice(0, 1);
  if (item === undefined) throw new Error('There is no question for the end of the log.');
  return item;
}

describe('the end of a topic', () => {
  it('is not moved ahead by a follow that began before the last rest and is answered late', async () => {
    const { follow, read, seen, tail } = await startedTail();
    const late = await follow();
    tail.unfollow();
    const next = await follow();
    next.answer(10);
    await next.following;
    late.answer(12);
    await late.following;
    await read({ offsets: [10, 11, 12], end: 13 });
    expect(seen).toMatchObject({ soughtTo: [10], records: ['record 10', 'record 11', 'record 12'] });
  });

  it('is followed anew where an unclean election has cut the log below the position', async () => {
    const { follow, read, seen } = await startedTail();
    const { answer, following } = await follow();
    answer(100);
    await following;
    await read({ offsets: [0, 1], end: 40 }, 40);
    await read({ offsets: [40, 41], end: 42 });
    expect(seen).toMatchObject({ soughtTo: [100, 40], records: ['record 40', 'record 41'] });
  });

  it('stays where it is at a batch that was fetched before the position was set', async () => {
    const { follow, read, seen } = await startedTail();
    const { answer, following } = await follow();
    answer(100);
    await following;
    await read({ offsets: [38, 39], end: 40 }, 101);
    await read({ offsets: [100], end: 101 });
    expect(seen).toMatchObject({ soughtTo: [100], records: ['record 100'] });
  });

  it('cannot be followed once its consumer cannot recover', async () => {
    const { crash, seen, tail } = await startedTail();
    crash(new Error('The topic may not be read.'));
    await expect(tail.follow()).rejects.toThrow(UnavailableError);
    expect(seen.fatal).toHaveLength(1);
  });
});
