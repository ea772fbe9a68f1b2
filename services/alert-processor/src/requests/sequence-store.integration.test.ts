import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { AlertCommands, type ConsumedRecord, type NumberRange } from '@tocsin/events';
import { CheckpointTransactions, MongoCheckpoints, type Connection } from '@tocsin/mongo';
import { openDatabase } from '../testing/mongo-fixture.ts';
import { Reconciliation } from './reconciliation-operations.ts';
import { SequenceStore } from './sequence-store.ts';

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
    sequence: { instance, numbers },
  };
  const batch = { topic: AlertCommands.name, partition, clusterId: 'c', records: [record] };
  const result = await new CheckpointTransactions({ connection }).process([batch], () => Promise.resolve());
  if (result.outcome !== 'done') throw new Error(`not processed: ${result.outcome}`);
}

const DAY = 86_400;
const OTHER = '7c9e6679-7425-40de-944b-e07fc1f90ae7';
const says = (through: number, unacknowledged: readonly NumberRange[] = [], partition = 0, instance = INSTANCE) => ({
  instance,
  partitions: [
    {
      partition,
      through,
      unacknowledged: unacknowledged.map(([first, last]): [number, number] => [first, last]),
    },
  ],
});

function create() {
  offsets.clear();
  return Promise.resolve({ ledger: new SequenceStore(connection), bring });
}

describe('the audit', () => {
  it('finds nothing if all owed numbers were processed', async () => {
    const { bring, ledger } = await create();
    await bring(0, INSTANCE, [1, 2]);
    await bring(0, INSTANCE, [5, 6]);
    await ledger.keep(says(6, [[3, 4]]), at(0));
    await ledger.keep(says(0, [], 1), at(0));
    const audit = new Reconciliation(ledger);
    expect(await audit.look(at(60))).toEqual([]);
    expect(await audit.balance(at(60), at(0))).toEqual({
      accepted: 4,
      unacknowledged: 2,
      lost: 0,
      waiting: 0,
      reportedAt: at(0),
    });
  });

  it('finds skipped numbers at once, reports them for a day, and does not find them anew', async () => {
    const { bring, ledger } = await create();
    await bring(3, INSTANCE, [1, 2]);
    await bring(3, INSTANCE, [6, 6]);
    await ledger.keep(says(6, [[5, 5]], 3), at(0));
    const audit = new Reconciliation(ledger);
    expect(await audit.balance(at(1), at(0))).toMatchObject({
      accepted: 5,
      lost: 2,
      waiting: 0,
    });
    const lost = { id: `lost ${INSTANCE}/3/3`, count: 2 };
    expect(await audit.look(at(1))).toMatchObject([lost]);
    expect(await audit.look(at(DAY))).toMatchObject([lost]);
    expect(await ledger.losses(at(0))).toEqual([{ instance: INSTANCE, partition: 3, numbers: [3, 4], foundAt: at(1) }]);
    expect(await audit.balance(at(DAY), at(1))).toMatchObject({ lost: 0 });
    expect(await audit.look(at(DAY + 1))).toEqual([]);
  });

  it('finds a stuck partition, until it goes on', async () => {
    const { bring, ledger } = await create();
    await ledger.keep(says(4), at(0));
    const audit = new Reconciliation(ledger);
    expect(await audit.look(at(29))).toEqual([]);
    expect(await audit.look(at(30))).toMatchObject([{ id: `waiting ${INSTANCE}/0`, count: 4 }]);
    expect(await audit.balance(at(30), at(0))).toMatchObject({
      waiting: 4,
      lost: 0,
    });
    await bring(0, INSTANCE, [1, 4]);
    expect(await audit.look(at(30))).toEqual([]);
  });

  it('counts waiting numbers as lost after a day without a report of their process', async () => {
    const { ledger } = await create();
    await ledger.keep(says(4), at(0));
    const audit = new Reconciliation(ledger);
    expect(await audit.look(at(DAY))).toMatchObject([{ id: `waiting ${INSTANCE}/0`, count: 4 }]);
    expect(await audit.look(at(DAY + 1))).toMatchObject([{ id: `lost ${INSTANCE}/0/1`, count: 4 }]);
    expect(await audit.look(at(2 * DAY + 1))).toEqual([]);
  });

  it('remembers accounts after their process has ended and the checkpoints no longer have them', async () => {
    const { bring, ledger } = await create();
    await bring(0, INSTANCE, [1, 4]);
    await ledger.keep(says(5), at(0));
    await ledger.owed(at(1));
    await ledger.owed(at(700));
    await bring(0, INSTANCE, [5, 5]);
    const [owed] = await ledger.owed(at(701));
    expect(owed?.seen.get(0)).toEqual({ through: 5, gaps: [] });
  });

  it('expects nothing of a process that died before its first report', async () => {
    const { bring, ledger } = await create();
    await bring(0, OTHER, [3, 4]);
    const audit = new Reconciliation(ledger);
    expect(await audit.look(at(60))).toEqual([]);
    expect(await audit.balance(at(60), at(0))).toMatchObject({
      accepted: 0,
      lost: 0,
      waiting: 0,
    });
  });

  it('removes processes whose last report is old, with their losses', async () => {
    const { ledger } = await create();
    await ledger.keep(says(4), at(0));
    await ledger.keep(says(4, [], 0, OTHER), at(10));
    await ledger.note([{ instance: INSTANCE, partition: 0, numbers: [1, 2], foundAt: at(5) }]);
    expect(await ledger.remove(at(5))).toBe(1);
    expect((await ledger.owed(at(20))).map(({ instance }) => instance)).toEqual([OTHER]);
    expect(await ledger.losses(at(0))).toEqual([]);
    expect(await ledger.remove(at(5))).toBe(0);
  });

  it('keeps a loss as it was first found, even if it is found again', async () => {
    const { ledger } = await create();
    const loss = {
      instance: INSTANCE,
      partition: 0,
      numbers: [1, 2] as const,
      foundAt: at(5),
    };
    await ledger.note([loss]);
    await ledger.note([{ ...loss, foundAt: at(9) }]);
    expect(await ledger.losses(at(0))).toEqual([loss]);
  });
});

describe('the accounts of ended processes', () => {
  it('leave the checkpoints, and late commands still count', async () => {
    const ledger = new SequenceStore(connection);
    offsets.clear();
    await bring(0, INSTANCE, [1, 4]);
    await ledger.keep({ instance: INSTANCE, partitions: [{ partition: 0, through: 4, unacknowledged: [] }] }, at(0));
    const later = new Date(at(0).getTime() + 601_000);
    await ledger.owed(later);
    expect(await new MongoCheckpoints(connection).received(AlertCommands.name)).toEqual([
      { partition: 0, received: {} },
    ]);
    await bring(0, INSTANCE, [5, 5]);
    const [owed] = await ledger.owed(later);
    expect(owed?.seen.get(0)).toEqual({ through: 5, gaps: [] });
  });

  it('survive when the topic is recreated and its checkpoint removed', async () => {
    const ledger = new SequenceStore(connection);
    offsets.clear();
    await bring(0, INSTANCE, [1, 4]);
    await ledger.keep({ instance: INSTANCE, partitions: [{ partition: 0, through: 4, unacknowledged: [] }] }, at(0));
    await ledger.owed(at(1));
    const checkpoints = new MongoCheckpoints(connection);
    for (const checkpoint of await checkpoints.read(AlertCommands.name, [0])) await checkpoints.forget(checkpoint);
    const [owed] = await ledger.owed(at(2));
    expect(owed?.seen.get(0)).toEqual({ through: 4, gaps: [] });
  });

  it('keep numbers that close a part of a gap on a recreated topic', async () => {
    const ledger = new SequenceStore(connection);
    const checkpoints = new MongoCheckpoints(connection);
    const recreate = async (): Promise<void> => {
      for (const checkpoint of await checkpoints.read(AlertCommands.name, [0])) await checkpoints.forget(checkpoint);
      offsets.clear();
    };
    offsets.clear();
    await bring(0, INSTANCE, [1, 2]);
    await bring(0, INSTANCE, [5, 5]);
    await ledger.keep({ instance: INSTANCE, partitions: [{ partition: 0, through: 5, unacknowledged: [] }] }, at(0));
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
