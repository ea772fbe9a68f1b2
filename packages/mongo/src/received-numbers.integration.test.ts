import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { ConsumedRecord, NumberRange, BatchResult, ReceivedNumbers } from '@tocsin/events';
import fc from 'fast-check';
import { CheckpointTransactions, MongoCheckpoints, persistenceIndexes, type Connection } from './index.ts';
import { addNumbers } from './received-numbers.ts';
import { dropDatabase, openDatabase } from './testing/own-database.ts';

const TOPIC = 'alert-commands.v1';
const A = 'aaaaaaaa-0000-4000-8000-000000000000';
const B = 'bbbbbbbb-0000-4000-8000-000000000000';

let connection: Connection;

beforeEach(async () => {
  connection = await openDatabase(persistenceIndexes);
});

afterEach(async () => {
  await dropDatabase(connection);
});

type Numbered = readonly [instance: string, numbers: NumberRange] | undefined;

/** Processes one batch of records from `from` on, each with its sequence. */
function settle(
  from: number,
  sequences: readonly Numbered[],
  work = () => Promise.resolve(),
  partition = 3,
): Promise<BatchResult> {
  const records = sequences.map((sequence, index): ConsumedRecord<string> => {
    const record = { offset: from + index, key: undefined, timestampMs: 0, value: '' };
    return sequence === undefined ? record : { ...record, sequence: { instance: sequence[0], numbers: sequence[1] } };
  });
  const batch = { topic: TOPIC, partition, clusterId: '$c', records };
  return new CheckpointTransactions({ connection }).process([batch], work);
}

const accounts = () => new MongoCheckpoints(connection).received(TOPIC);

describe('the received numbers of a partition', () => {
  it('is written with the position, for each process that numbers', async () => {
    await settle(0, [undefined, [A, [1, 2]], [B, [1, 1]]]);
    await settle(3, [[A, [3, 7]], undefined]);
    expect(await accounts()).toEqual([
      { partition: 3, received: { [A]: { through: 7, gaps: [] }, [B]: { through: 1, gaps: [] } } },
    ]);
    const [checkpoint] = await new MongoCheckpoints(connection).read(TOPIC, [3]);
    expect(checkpoint).toMatchObject({ offset: 5, clusterId: '$c', lastKey: undefined });
  });

  it('stays as it was when the transaction ends before its commit, and is right when the batch comes again', async () => {
    await settle(0, [[A, [1, 2]]]);
    const killed = () => Promise.reject(new Error('killed before the commit'));
    expect(await settle(1, [[A, [3, 4]]], killed)).toMatchObject({ outcome: 'retry' });
    expect(await accounts()).toEqual([{ partition: 3, received: { [A]: { through: 2, gaps: [] } } }]);
    await settle(1, [[A, [3, 4]]]);
    await settle(0, [
      [A, [1, 2]],
      [A, [3, 4]],
    ]);
    expect(await accounts()).toEqual([{ partition: 3, received: { [A]: { through: 4, gaps: [] } } }]);
  });

  it('is the same however a log is cut into batches', async () => {
    const range = fc
      .tuple(fc.integer({ min: 1, max: 30 }), fc.nat({ max: 4 }))
      .map(([from, more]): NumberRange => [from, from + more]);
    const log = fc.array(fc.oneof(fc.constant(undefined), range), { minLength: 1, maxLength: 12 });
    const cuts = fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 12, maxLength: 12 });
    let partition = 10;
    await fc.assert(
      fc.asyncProperty(log, cuts, async (numbers, sizes) => {
        partition += 1;
        let from = 0;
        for (const size of sizes) {
          if (from >= numbers.length) break;
          const part = numbers.slice(from, from + size).map((each) => each && ([A, each] as const));
          expect(await settle(from, part, undefined, partition)).toEqual({ outcome: 'done' });
          from += size;
        }
        const none: ReceivedNumbers = { through: 0, gaps: [] };
        const expected = numbers.reduce(
          (account, each) => (each === undefined ? account : addNumbers(account, each)),
          none,
        );
        const own = (await accounts()).find((each) => each.partition === partition);
        expect(own?.received[A] ?? none).toEqual(expected);
      }),
      { numRuns: 60 },
    );
  });

  it('is removed only in the state that was read', async () => {
    await settle(0, [[A, [1, 2]]]);
    const checkpoints = new MongoCheckpoints(connection);
    expect(await checkpoints.forgetReceived(TOPIC, 3, A, { through: 1, gaps: [] })).toBe(false);
    expect(await checkpoints.forgetReceived(TOPIC, 3, A, { through: 2, gaps: [] })).toBe(true);
    expect(await accounts()).toEqual([{ partition: 3, received: {} }]);
  });
});
