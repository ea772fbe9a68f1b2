import { describe, expect, it } from '@jest/globals';
import { defineTopic, type ConsumedBatch, type RecordTransactions } from '@tocsin/events';
import { UnavailableError } from '@tocsin/core';
import { z } from 'zod';
import { MemoryTransactions } from './testing/memory-transactions.ts';
import { consume, StagedProcessor, TooMuchTogetherError, type Stages } from './stages.ts';

type StringStages = Stages<string, undefined, string, string, { readonly text: string }>;

const topic = defineTopic({ name: 't.v1', kind: 'commands', schema: z.string(), key: (text: string) => text });
const batch = (values: readonly string[], partition = 0): ConsumedBatch<string> => ({
  topic: topic.name,
  partition,
  clusterId: 'c',
  records: values.map((value, offset) => ({ offset, key: value, timestampMs: 0, value })),
});

/** Stages that log what they do, with `changes`. */
function setUp(
  changes: Partial<StringStages> = {},
  transactions: RecordTransactions<undefined> = new MemoryTransactions(),
) {
  const log: string[] = [];
  const stages: StringStages = {
    prepare: (records) => {
      log.push(`prepare ${records.length}`);
      return Promise.resolve('prepared');
    },
    read: (_, records, prepared, attempt) => {
      log.push(`read ${attempt} for ${records.map(({ value }) => value).join()}, ${prepared}`);
      return Promise.resolve('known');
    },
    decide: (known, records, prepared) => {
      log.push(`decide by ${known}, ${prepared}`);
      return { text: records.map(({ value }) => value).join() };
    },
    write: (_, { text }) => {
      log.push(`write ${text}`);
      return Promise.resolve();
    },
    deadLetter: (_, { value }, reason) => {
      log.push(`dead letter ${value}: ${reason}`);
      return Promise.resolve();
    },
    committed: ({ text }) => void log.push(`committed ${text}`),
    release: (prepared) => void log.push(`release ${prepared}`),
    ...changes,
  };
  return { log, processor: new StagedProcessor(stages, transactions) };
}

/** Its transactions are committed at the try of this number. */
const repeating = (tries: number): RecordTransactions<undefined> => ({
  process: async (batches, work) => {
    const records = batches.flatMap((each) => each.records);
    for (let count = 1; count < tries; count += 1) await work(undefined, records);
    return { outcome: 'done', value: await work(undefined, records) };
  },
});

describe('the stages of records', () => {
  it('run in their order, for all partitions of a group at once, and what follows the commit runs once', async () => {
    const { log, processor } = setUp();
    expect(await processor.process([batch(['a', 'b'])])).toEqual({ outcome: 'done' });
    expect(log).toEqual([
      'prepare 2',
      'read 1 for a,b, prepared',
      'decide by known, prepared',
      'write a,b',
      'committed a,b',
      'release prepared',
    ]);
  });

  it('prepare once for a transaction that is repeated, and read and decide anew in each', async () => {
    const { log, processor } = setUp({}, repeating(2));
    await processor.process([batch(['a']), batch(['b'], 1)]);
    const afterRead = ['decide by known, prepared', 'write a,b'];
    const inTransactions = [1, 2].flatMap((attempt) => [`read ${attempt} for a,b, prepared`, ...afterRead]);
    expect(log).toEqual(['prepare 2', ...inTransactions, 'committed a,b', 'release prepared']);
  });

  it('run nothing after the commit where an earlier try was aborted and a repeat finds the records processed by another process', async () => {
    const abortedThenProcessed: RecordTransactions<undefined> = {
      process: async (batches, work) => {
        await work(undefined, batches[0]?.records ?? []);
        return { outcome: 'done' };
      },
    };
    const { log, processor } = setUp({}, abortedThenProcessed);
    expect(await processor.process([batch(['a'])])).toEqual({ outcome: 'done' });
    expect(log.slice(-2)).toEqual(['write a', 'release prepared']);
  });

  it('run nothing after the commit where the transaction failed, and release reservations', async () => {
    const { log, processor } = setUp({ write: () => Promise.reject(new UnavailableError('unavailable')) });
    expect(await processor.process([batch(['a'])])).toMatchObject({ outcome: 'retry' });
    expect(log).toEqual(['prepare 1', 'read 1 for a, prepared', 'decide by known, prepared', 'release prepared']);
  });

  it('are refused where the decision throws a defect', async () => {
    const { log, processor } = setUp({
      decide: () => {
        throw new TypeError('odd');
      },
    });
    expect(await processor.process([batch(['a'])])).toEqual({ outcome: 'refused', reason: 'TypeError: odd' });
    expect(log).toEqual(['prepare 1', 'read 1 for a, prepared', 'release prepared']);
  });

  it('begin no transaction while their preparation fails', async () => {
    const { log, processor } = setUp({ prepare: () => Promise.reject(new UnavailableError('unavailable')) });
    expect(await processor.process([batch(['a'])])).toEqual({ outcome: 'retry', reason: 'unavailable' });
    expect(log).toEqual([]);
  });

  it('are tried with fewer records where these take too long together, and of several partitions each alone', async () => {
    const { log, processor } = setUp({ prepare: () => Promise.reject(new TooMuchTogetherError('too long')) });
    expect(await processor.process([batch(['a', 'b'])])).toEqual({ outcome: 'retry', reason: 'too long' });
    const several = await processor.process([batch(['a']), batch(['b'], 1)]);
    expect(several).toEqual({ outcome: 'refused', reason: 'too long' });
    expect(log).toEqual([]);
  });

  it('do not run for records that are processed already', async () => {
    const { log, processor } = setUp();
    await processor.process([batch(['a'])]);
    log.length = 0;
    expect(await processor.process([batch(['a'])])).toEqual({ outcome: 'done' });
    expect(log).toEqual(['prepare 1', 'release prepared']);
  });

  it('write about a record that fails for ever in the transaction that passes over it, once', async () => {
    const { log, processor } = setUp();
    const record = { topic: topic.name, partition: 0, clusterId: 'c', offset: 0, key: 'a', timestampMs: 0, value: 'a' };
    expect(await processor.deadLetter(record, 'odd')).toEqual({ outcome: 'done' });
    expect(await processor.deadLetter(record, 'odd')).toEqual({ outcome: 'done' });
    expect(await processor.process([batch(['a'])])).toEqual({ outcome: 'done' });
    expect(log).toEqual(['dead letter a: odd', 'prepare 1', 'release prepared']);
  });

  it('skip a record whose bytes are no value without a log entry', async () => {
    const { log, processor } = setUp();
    const record = { topic: topic.name, partition: 0, clusterId: 'c', offset: 0, key: 'a', timestampMs: 0 };
    expect(await processor.deadLetter({ ...record, value: undefined }, 'no JSON')).toEqual({ outcome: 'done' });
    expect(log).toEqual([]);
  });

  it('are subscribed to a topic', () => {
    const { processor } = setUp();
    const stages = { read: () => Promise.resolve({}), decide: () => ({}), write: () => Promise.resolve() };
    const subscription = consume(topic, stages, new MemoryTransactions());
    expect(subscription.topic).toBe(topic);
    expect(subscription.processor).toBeInstanceOf(processor.constructor);
  });
});
