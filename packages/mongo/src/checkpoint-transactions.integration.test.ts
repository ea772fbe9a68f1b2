import { once } from 'node:events';
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { keyHash, type ConsumedBatch, type ConsumedRecord, type BatchResult } from '@tocsin/events';
import { UnavailableError } from '@tocsin/core';
import { testMongo, type TestMongo } from '@tocsin/testkit';
import { mongo } from 'mongoose';
import {
  CheckpointTransactions,
  collectionOf,
  connectMongo,
  migrate,
  MongoCheckpoints,
  persistenceIndexes,
  type Connection,
  type Session,
  type CheckpointTransactionOptions,
} from './index.ts';

const TOPIC = 'alert-commands.v1';

let server: TestMongo;
let connection: Connection;

beforeEach(async () => {
  server = await testMongo();
  connection = await connectMongo(server);
  await migrate(connection, [...persistenceIndexes, { collection: 'effects', keys: { _id: 1 }, serves: 'this test' }]);
});

afterEach(async () => {
  await connection.dropDatabase();
  await connection.close();
});

function record(offset: number): ConsumedRecord<string> {
  return { offset, key: `k${offset}`, timestampMs: 1_000 + offset, value: `v${offset}` };
}

function batch(from: number, to: number, extra: Partial<ConsumedBatch<string>> = {}): ConsumedBatch<string> {
  const records = Array.from({ length: to - from + 1 }, (_, index) => record(from + index));
  return { topic: TOPIC, partition: 3, clusterId: 'c1', records, ...extra };
}

/** An effect that shows when it is done twice. */
async function apply(session: Session, records: readonly ConsumedRecord<string>[]): Promise<void> {
  await collectionOf<{ _id: string; times: number }>(connection, 'effects').bulkWrite(
    records.map(({ value }) => ({
      updateOne: { filter: { _id: value }, update: { $inc: { times: 1 } }, upsert: true },
    })),
    { session },
  );
}

type Work = typeof apply;
type Extra = Partial<CheckpointTransactionOptions> & { readonly work?: Work };

async function settle(of: ConsumedBatch<string>, { work = apply, ...extra }: Extra = {}): Promise<BatchResult> {
  return new CheckpointTransactions({ connection, ...extra }).process([of], work);
}

async function effects(): Promise<Record<string, number>> {
  const found = await collectionOf<{ _id: string; times: number }>(connection, 'effects').find().toArray();
  return Object.fromEntries(found.map(({ _id, times }) => [_id, times]));
}

describe('a batch with its checkpoint', () => {
  it('keeps the position with the effects, with the mark of the key and the time by which the topic is known again', async () => {
    expect(await settle(batch(0, 2))).toEqual({ outcome: 'done' });
    expect(await effects()).toEqual({ v0: 1, v1: 1, v2: 1 });
    const last = { lastKey: keyHash('k2'), lastTimestampMs: 1_002 };
    const expected = { topic: TOPIC, partition: 3, offset: 3, clusterId: 'c1', ...last };
    expect(await new MongoCheckpoints(connection).read(TOPIC, [2, 3])).toEqual([expected]);
  });

  it('skips what lies below the checkpoint: a repeated batch has its effects once', async () => {
    await settle(batch(0, 2));
    expect(await settle(batch(0, 2))).toEqual({ outcome: 'done' });
    expect(await settle(batch(1, 4))).toEqual({ outcome: 'done' });
    expect(await effects()).toEqual({ v0: 1, v1: 1, v2: 1, v3: 1, v4: 1 });
  });

  it('seeks back when the batch begins above the checkpoint, and processes nothing', async () => {
    await settle(batch(0, 2));
    expect(await settle(batch(5, 6))).toEqual({ outcome: 'seek', offset: 3 });
    expect(await effects()).toEqual({ v0: 1, v1: 1, v2: 1 });
  });

  it('goes on above the checkpoint when the log itself begins there now', async () => {
    await settle(batch(0, 2));
    expect(await settle(batch(5, 6, { lostBefore: 5 }))).toEqual({ outcome: 'done' });
    expect(await effects()).toMatchObject({ v5: 1, v6: 1 });
    expect(await settle(batch(9, 9, { lostBefore: 5 }))).toEqual({ outcome: 'seek', offset: 7 });
  });

  it('does not move the checkpoint of another cluster', async () => {
    await settle(batch(0, 2));
    expect(await settle(batch(3, 3, { clusterId: 'c2' }))).toMatchObject({ outcome: 'retry' });
    const [checkpoint] = await new MongoCheckpoints(connection).read(TOPIC, [3]);
    expect(checkpoint).toMatchObject({ offset: 3, clusterId: 'c1' });
  });

  it('starts anew once the checkpoint was forgotten, which works only for the one that was read', async () => {
    const checkpoints = new MongoCheckpoints(connection);
    await settle(batch(0, 2));
    const [stale] = await checkpoints.read(TOPIC, [3]);
    await settle(batch(3, 3));
    if (stale !== undefined) await checkpoints.forget(stale);
    const [present] = await checkpoints.read(TOPIC, [3]);
    expect(present).toMatchObject({ offset: 4 });
    if (present !== undefined) await checkpoints.forget(present);
    expect(await settle(batch(0, 0, { clusterId: 'c2' }))).toEqual({ outcome: 'done' });
    expect(await checkpoints.read(TOPIC, [3])).toMatchObject([{ offset: 1, clusterId: 'c2' }]);
  });

  it('settles from where the checkpoint was put back to, which works only for the one that was read', async () => {
    const checkpoints = new MongoCheckpoints(connection);
    await settle(batch(0, 2));
    const [stale] = await checkpoints.read(TOPIC, [3]);
    await settle(batch(3, 3));
    if (stale !== undefined) await checkpoints.goBack(stale, 0);
    const [present] = await checkpoints.read(TOPIC, [3]);
    expect(present).toMatchObject({ offset: 4 });
    if (present !== undefined) await checkpoints.goBack(present, 1);
    expect(await checkpoints.read(TOPIC, [3])).toEqual([{ ...present, offset: 1 }]);
    expect(await settle(batch(1, 2))).toEqual({ outcome: 'done' });
    expect(await effects()).toEqual({ v0: 1, v1: 2, v2: 2, v3: 1 });
  });

  it('refuses a record that always fails, and stores nothing of the batch', async () => {
    const refused = await settle(batch(0, 2), {
      work: async (session, records) => {
        await apply(session, records);
        const effect = collectionOf<{ _id: string; times: number }>(connection, 'effects');
        await effect.updateOne({ _id: 'v0' }, { $inc: { times: 'one' as unknown as number } }, { session });
      },
    });
    expect(refused).toMatchObject({ outcome: 'refused' });
    expect(JSON.stringify(refused)).toContain('MongoServerError');
    expect(await effects()).toEqual({});
    expect(await new MongoCheckpoints(connection).read(TOPIC, [3])).toEqual([]);
  });

  it('asks for a retry where the cause is internal, and stores nothing of the batch', async () => {
    const work = async (session: Session, records: readonly ConsumedRecord<string>[]): Promise<void> => {
      await apply(session, records);
      throw new UnavailableError('The directory does not answer.');
    };
    expect(await settle(batch(0, 2), { work })).toMatchObject({ outcome: 'retry' });
    expect(await effects()).toEqual({});
    expect(await settle(batch(0, 2))).toEqual({ outcome: 'done' });
  });

  it('tries again where two partitions raced for a unique key, and refuses a record that always conflicts', async () => {
    const effect = collectionOf<{ _id: string; alias: string }>(connection, 'aliases');
    await migrate(connection, [
      { collection: 'aliases', keys: { alias: 1 }, options: { unique: true, name: 'alias_open' }, serves: 'this test' },
    ]);
    await effect.insertOne({ _id: '1', alias: 'disk' });
    const aliases: string[] = [];
    const work = async (session: Session): Promise<void> => {
      await effect.insertOne({ _id: '2', alias: aliases.shift() ?? 'disk' }, { session });
    };
    expect(await settle(batch(0, 0), { work })).toMatchObject({ outcome: 'refused' });
    expect(await settle(batch(0, 0), { work, racingIndexes: ['alias_open'] })).toMatchObject({ outcome: 'refused' });
    aliases.push('disk', 'disk', 'free');
    expect(await settle(batch(0, 0), { work, racingIndexes: ['alias_open'] })).toEqual({ outcome: 'done' });
  });

  it('has effects once when two consumers settle the same batch at the same time', async () => {
    await settle(batch(0, 0));
    const settled = await Promise.all([settle(batch(1, 50)), settle(batch(1, 50)), settle(batch(1, 50))]);
    expect(settled).toEqual([{ outcome: 'done' }, { outcome: 'done' }, { outcome: 'done' }]);
    expect(Object.values(await effects())).toEqual(Array.from({ length: 51 }, () => 1));
  });

  it('has effects once when the very first batch of a partition is settled by two at the same time', async () => {
    await Promise.all([settle(batch(0, 9)), settle(batch(0, 9))]);
    expect(await settle(batch(0, 9))).toEqual({ outcome: 'done' });
    expect(Object.values(await effects())).toEqual(Array.from({ length: 10 }, () => 1));
  });

  it('has effects once when the process is killed after the commit, before it commits the offset to Kafka', async () => {
    const fixture = fileURLToPath(new URL('./testing/killed-settler.ts', import.meta.url));
    const settler = spawn(process.execPath, ['--conditions=source', fixture, server.uri, server.database, TOPIC], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await once(settler.stdout, 'data');
    settler.kill('SIGKILL');
    expect(await effects()).toEqual({ v0: 1, v1: 1 });
    // No offset was committed, so the same records come again, and more with them.
    expect(await settle(batch(0, 3))).toEqual({ outcome: 'done' });
    expect(await effects()).toEqual({ v0: 1, v1: 1, v2: 1, v3: 1 });
  });
});

describe('what the committed try decided', () => {
  /** Decides the number of the try. Before its commit in the first one, `atCommit` is called in its place. */
  const decide = async (
    atCommit: (session: Session, commit: () => Promise<void>) => Promise<void>,
    extra: Partial<CheckpointTransactionOptions> = {},
  ) => {
    let tries = 0;
    return new CheckpointTransactions({ connection, ...extra }).process([batch(0, 1)], async (session, records) => {
      await apply(session, records);
      tries += 1;
      const commit = session.commitTransaction.bind(session);
      if (tries === 1) session.commitTransaction = () => atCommit(session, commit);
      return tries;
    });
  };
  const failure = (label: string): Error => {
    const error = new mongo.MongoError('The answer was lost.');
    error.addErrorLabel(label);
    return error;
  };

  it('is answered, and not what an aborted try decided', async () => {
    const result = await decide(async (session) => {
      await session.abortTransaction();
      throw failure('TransientTransactionError');
    });
    expect(result).toEqual({ outcome: 'done', value: 2 });
    expect(await effects()).toEqual({ v0: 1, v1: 1 });
  });

  it('is not answered where another process has done the batch after an aborted try', async () => {
    const result = await decide(async (session) => {
      await session.abortTransaction();
      await settle(batch(0, 1));
      throw failure('TransientTransactionError');
    });
    expect(result).toEqual({ outcome: 'done' });
    expect(await effects()).toEqual({ v0: 1, v1: 1 });
  });

  it('is answered where the answer to the commit was lost, and a second look finds it committed', async () => {
    const result = await decide(async (session, commit) => {
      session.commitTransaction = commit;
      await commit();
      throw failure('UnknownTransactionCommitResult');
    });
    expect(result).toEqual({ outcome: 'done', value: 1 });
    expect(await effects()).toEqual({ v0: 1, v1: 1 });
  });

  it('is not answered where the answer to the commit was lost until the time was over', async () => {
    const lost = await decide(
      async (session, commit) => {
        session.commitTransaction = () => Promise.reject(failure('UnknownTransactionCommitResult'));
        await commit();
        throw failure('UnknownTransactionCommitResult');
      },
      { deadlineMs: 500 },
    );
    expect(lost).toMatchObject({ outcome: 'retry' });
    expect(await decide(() => Promise.reject(new Error('never called')))).toEqual({ outcome: 'done' });
    expect(await effects()).toEqual({ v0: 1, v1: 1 });
  });
});

describe('batches of several partitions', () => {
  const of = (partition: number, from: number, to: number) =>
    batch(from, to, {
      partition,
      records: batch(from, to).records.map((one) => ({ ...one, value: `${partition}:${one.value}` })),
    });
  const together = (...batches: ConsumedBatch<string>[]) =>
    new CheckpointTransactions({ connection }).process(batches, apply);
  const positions = async () =>
    (await new MongoCheckpoints(connection).read(TOPIC, [0, 1, 2])).map(({ partition, offset }) => [partition, offset]);

  it('moves all positions with the effects of all, in one transaction', async () => {
    for (const partition of [0, 1]) await settle(of(partition, 0, 1));
    expect(await together(of(0, 2, 3), of(1, 2, 2))).toEqual({ outcome: 'done' });
    expect(await effects()).toMatchObject({ '0:v2': 1, '0:v3': 1, '1:v2': 1 });
    expect(await positions()).toEqual([
      [0, 4],
      [1, 3],
    ]);
  });

  it.each([
    ['begins above its position', of(1, 5, 6)],
    ['was settled in part before', of(1, 1, 3)],
    ['is the first one of its partition', of(2, 0, 0)],
    ['comes from another cluster', { ...of(1, 2, 2), clusterId: 'c2' }],
    ['is empty', { ...of(1, 2, 2), records: [] }],
  ])('does nothing and refuses where one of them %s, because that is processed alone', async (_, odd) => {
    for (const partition of [0, 1]) await settle(of(partition, 0, 1));
    const before = [await effects(), await positions()];
    expect(await together(of(0, 2, 3), odd)).toMatchObject({ outcome: 'refused' });
    expect([await effects(), await positions()]).toEqual(before);
  });

  it('has effects once when two processes settle the same batches at the same time', async () => {
    for (const partition of [0, 1]) await settle(of(partition, 0, 0));
    const batches = [of(0, 1, 20), of(1, 1, 20)];
    const outcomes = (await Promise.all([together(...batches), together(...batches)])).map(({ outcome }) => outcome);
    expect(outcomes.sort()).toEqual(['done', 'refused']);
    expect(Object.values(await effects())).toEqual(Array.from({ length: 42 }, () => 1));
  });
});

describe('a record that fails for ever', () => {
  const failed = () => settle(batch(3, 3), { work: note });
  const note = async (session: Session): Promise<void> => {
    await collectionOf<{ _id: string; times: number }>(connection, 'effects').insertOne(
      { _id: 'failed', times: 1 },
      { session },
    );
  };

  it('is skipped in one transaction with the record of it, once', async () => {
    await settle(batch(0, 2));
    expect(await failed()).toEqual({ outcome: 'done' });
    expect(await failed()).toEqual({ outcome: 'done' });
    expect(await effects()).toEqual({ v0: 1, v1: 1, v2: 1, failed: 1 });
    expect(await settle(batch(3, 4))).toEqual({ outcome: 'done' });
    expect(await effects()).not.toHaveProperty('v3');
  });

  it('does not take the position over records that are not processed', async () => {
    await settle(batch(0, 1));
    expect(await failed()).toEqual({ outcome: 'seek', offset: 2 });
  });
});
