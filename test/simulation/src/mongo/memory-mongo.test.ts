import { describe, expect, it } from '@jest/globals';
import { mongo } from 'mongoose';
import { connectMemory } from './driver.ts';
import { MemoryMongoServer } from './server.ts';
import type { Document } from './values.ts';

interface Thing {
  readonly _id: string;
  readonly n?: number;
}

/** A server whose clock the test sets, and a connection to it. `loses` names commands whose answers are lost, each once. */
function open({ loses = [] }: { readonly loses?: readonly string[] } = {}) {
  const lost = [...loses];
  const sleeping: { readonly untilMs: number; readonly wake: () => void }[] = [];
  const clock = { nowMs: 1_000_000 };
  const server = new MemoryMongoServer({
    now: () => clock.nowMs,
    sleep: (milliseconds) =>
      new Promise((wake) => {
        sleeping.push({ untilMs: clock.nowMs + milliseconds, wake });
      }),
  });
  const connection = connectMemory(async (command) => {
    const answer = await server.execute(command);
    const [name = ''] = Object.keys(command);
    if (!lost.includes(name)) return answer;
    lost.splice(lost.indexOf(name), 1);
    throw new mongo.MongoNetworkError(`the answer to ${name} is lost`);
  }, 'test');
  const things = connection.db?.collection<Thing>('things');
  if (things === undefined) throw new TypeError('The connection has no database.');
  const pass = (milliseconds: number): void => {
    clock.nowMs += milliseconds;
    for (const { untilMs, wake } of sleeping) if (untilMs <= clock.nowMs) wake();
  };
  return { connection, pass, server, things };
}

const errorOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  );

describe('a lost answer', () => {
  it('to a write: the driver sends it again, and it is done once', async () => {
    const { things } = open({ loses: ['insert', 'update'] });
    await things.insertOne({ _id: 'a', n: 0 });
    await things.updateOne({ _id: 'a' }, { $inc: { n: 1 } });
    expect(await things.find().toArray()).toEqual([{ _id: 'a', n: 1 }]);
  });

  it('to a commit: the driver sends it again, and it stays committed', async () => {
    const { connection, things } = open({ loses: ['commitTransaction'] });
    const session = await connection.startSession();
    session.startTransaction();
    await things.insertOne({ _id: 'a' }, { session });
    await session.commitTransaction();
    expect(await things.countDocuments()).toBe(1);
  });

  it('to a commit and its repeat: the outcome is unknown', async () => {
    const { connection, things } = open({ loses: ['commitTransaction', 'commitTransaction'] });
    const session = await connection.startSession();
    session.startTransaction();
    await things.insertOne({ _id: 'a' }, { session });
    const error = await errorOf(session.commitTransaction());
    expect(error).toBeInstanceOf(mongo.MongoNetworkError);
    expect((error as mongo.MongoError).hasErrorLabel('UnknownTransactionCommitResult')).toBe(true);
    await session.commitTransaction();
    expect(await things.countDocuments()).toBe(1);
  });

  it('in a transaction: it may succeed when it runs again', async () => {
    const { connection, things } = open({ loses: ['insert'] });
    const session = await connection.startSession();
    session.startTransaction();
    const error = await errorOf(things.insertOne({ _id: 'a' }, { session }));
    expect((error as mongo.MongoError).hasErrorLabel('TransientTransactionError')).toBe(true);
    await session.abortTransaction();
    expect(await things.countDocuments()).toBe(0);
  });
});

describe('a write to a document of an open transaction', () => {
  it('waits for the end of the transaction', async () => {
    const { connection, things } = open();
    await things.insertOne({ _id: 'a', n: 1 });
    const session = await connection.startSession();
    session.startTransaction();
    await things.updateOne({ _id: 'a' }, { $inc: { n: 1 } }, { session });
    const waiting = things.updateOne({ _id: 'a' }, { $inc: { n: 10 } });
    await session.commitTransaction();
    await waiting;
    expect(await things.findOne({ _id: 'a' })).toEqual({ _id: 'a', n: 12 });
  });

  it('fails at its time limit', async () => {
    const { connection, pass, things } = open();
    await things.insertOne({ _id: 'a' });
    const session = await connection.startSession();
    session.startTransaction();
    await things.updateOne({ _id: 'a' }, { $inc: { n: 1 } }, { session });
    const failing = errorOf(things.updateOne({ _id: 'a' }, { $inc: { n: 1 } }, { maxTimeMS: 500 }));
    // The command is executed before the answer to this one arrives.
    await things.findOne();
    pass(500);
    expect(await failing).toMatchObject({ code: 50 });
    await session.abortTransaction();
  });

  it('goes on when the server ends a transaction that is too old', async () => {
    const { connection, pass, things } = open();
    const session = await connection.startSession();
    session.startTransaction();
    await things.insertOne({ _id: 'a' }, { session });
    const waiting = things.insertOne({ _id: 'a', n: 1 });
    await things.findOne();
    pass(60_001);
    await things.findOne();
    await waiting;
    expect(await errorOf(session.commitTransaction())).toMatchObject({ code: 251 });
    expect(await things.find().toArray()).toEqual([{ _id: 'a', n: 1 }]);
  });
});

it('a cursor gives all documents of the moment at which it was opened', async () => {
  const { things } = open();
  await things.insertMany(['a', 'b', 'c', 'd', 'e'].map((_id) => ({ _id })));
  const found: string[] = [];
  for await (const { _id } of things.find().sort({ _id: 1 }).batchSize(2)) {
    if (found.length === 0) await things.deleteMany({});
    found.push(_id);
  }
  expect(found).toEqual(['a', 'b', 'c', 'd', 'e']);
});

describe('a change stream', () => {
  it('reports what is committed after it was opened, in the order of the commits', async () => {
    const { connection, things } = open();
    await things.insertOne({ _id: 'before' });
    const stream = things.db.watch<Document, mongo.ChangeStreamDocument>([
      { $match: { operationType: { $in: ['insert', 'update', 'delete'] }, 'ns.coll': 'things' } },
    ]);
    const session = await connection.startSession();
    session.startTransaction();
    await things.insertOne({ _id: 'late' }, { session });
    const opening = stream.tryNext();
    await things.findOne();
    await things.insertOne({ _id: 'a', n: 1 });
    await session.commitTransaction();
    await things.updateOne({ _id: 'a' }, { $unset: { n: true } });
    await things.deleteOne({ _id: 'a' });
    const events = [await opening, await stream.next(), await stream.next(), await stream.next()];
    expect(events).toMatchObject([
      { operationType: 'insert', fullDocument: { _id: 'a', n: 1 } },
      { operationType: 'insert', fullDocument: { _id: 'late' } },
      { operationType: 'update', updateDescription: { removedFields: ['n'] } },
      { operationType: 'delete', documentKey: { _id: 'a' } },
    ]);
    await stream.close();
  });

  it('gives nothing at the time limit', async () => {
    const { pass, things } = open();
    const stream = things.db.watch([], { maxAwaitTimeMS: 300 });
    const nothing = stream.tryNext();
    for (let asked = 0; asked < 5; asked += 1) await things.findOne();
    pass(300);
    expect(await nothing).toBeNull();
    await stream.close();
  });
});

it.each([
  ['a filter', { n: { $mod: [2, 0] } }, 'filter $mod'],
  ['an expression', { $expr: { $sin: '$n' } }, 'expression $sin'],
])('%s that is not built fails the test that uses it', async (_, filter, text) => {
  const { server, things } = open();
  await things.insertOne({ _id: 'a', n: 1 });
  await expect(things.find(filter as mongo.Filter<Thing>).toArray()).rejects.toThrow(
    `The MongoDB in memory has no ${text}.`,
  );
  expect(server.internalErrors.map(String)).toEqual([`NotBuiltError: The MongoDB in memory has no ${text}.`]);
});
