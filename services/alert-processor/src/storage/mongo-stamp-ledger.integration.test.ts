import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { AlertCommands, type ConsumedRecord, type NumberRange } from '@tocsin/contracts';
import { MongoCheckpoints, settleBatch, type Connection } from '@tocsin/persistence';
import { openDatabase } from '../testing/mongo-fixture.ts';
import { MongoStampLedger } from './mongo-stamp-ledger.ts';
import { describeStampLedger } from './stamp-ledger.contract.ts';

const INSTANCE = '0f8fad5b-d9cb-469f-a165-70867728950e';
const at = (second: number): Date => new Date(Date.UTC(2026, 0, 5, 8, 0, second));

let connection: Connection;

beforeEach(async () => {
  connection = await openDatabase();
});

afterEach(async () => {
  await connection.dropDatabase();
  await connection.close();
});

const offsets = new Map<number, number>();

async function bring(partition: number, instance: string, numbers: NumberRange): Promise<void> {
  const offset = offsets.get(partition) ?? 0;
  offsets.set(partition, offset + 1);
  const record: ConsumedRecord<string> = {
    offset,
    key: undefined,
    timestampMs: 0,
    value: '',
    stamp: { instance, numbers },
  };
  const batch = { topic: AlertCommands.name, partition, clusterId: 'c', records: [record] };
  const settlement = await settleBatch({ connection, batch, work: () => Promise.resolve() });
  if (settlement.outcome !== 'done') throw new Error(`not settled: ${settlement.outcome}`);
}

describeStampLedger('MongoStampLedger', () => {
  offsets.clear();
  return Promise.resolve({ ledger: new MongoStampLedger(connection), bring });
});

describe('the accounts of ended processes', () => {
  it('leave the checkpoints, and late commands still count', async () => {
    const ledger = new MongoStampLedger(connection);
    offsets.clear();
    await bring(0, INSTANCE, [1, 4]);
    await ledger.keep({ instance: INSTANCE, partitions: [{ partition: 0, through: 4, givenUp: [] }] }, at(0));
    const later = new Date(at(0).getTime() + 601_000);
    await ledger.owed(later);
    expect(await new MongoCheckpoints(connection).stamps(AlertCommands.name)).toEqual([{ partition: 0, stamps: {} }]);
    await bring(0, INSTANCE, [5, 5]);
    const [owed] = await ledger.owed(later);
    expect(owed?.seen.get(0)).toEqual({ through: 5, gaps: [] });
  });

  it('survive when the topic is recreated and its checkpoint removed', async () => {
    const ledger = new MongoStampLedger(connection);
    offsets.clear();
    await bring(0, INSTANCE, [1, 4]);
    await ledger.keep({ instance: INSTANCE, partitions: [{ partition: 0, through: 4, givenUp: [] }] }, at(0));
    await ledger.owed(at(1));
    const checkpoints = new MongoCheckpoints(connection);
    for (const checkpoint of await checkpoints.read(AlertCommands.name, [0])) await checkpoints.forget(checkpoint);
    const [owed] = await ledger.owed(at(2));
    expect(owed?.seen.get(0)).toEqual({ through: 4, gaps: [] });
  });

  it('keep what closes a part of a gap on a recreated topic', async () => {
    const ledger = new MongoStampLedger(connection);
    const checkpoints = new MongoCheckpoints(connection);
    const recreate = async (): Promise<void> => {
      for (const checkpoint of await checkpoints.read(AlertCommands.name, [0])) await checkpoints.forget(checkpoint);
      offsets.clear();
    };
    offsets.clear();
    await bring(0, INSTANCE, [1, 2]);
    await bring(0, INSTANCE, [5, 5]);
    await ledger.keep({ instance: INSTANCE, partitions: [{ partition: 0, through: 5, givenUp: [] }] }, at(0));
    const [gap] = await ledger.owed(at(1));
    expect(gap?.seen.get(0)).toEqual({ through: 5, gaps: [[3, 4]] });
    await recreate();
    await bring(0, INSTANCE, [3, 3]);
    await ledger.owed(at(2));
    await recreate();
    const [owed] = await ledger.owed(at(3));
    expect(owed?.seen.get(0)).toEqual({ through: 5, gaps: [[4, 4]] });
  });
});
