import { setImmediate as immediate, setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { NotFoundError, UnavailableError } from '@tocsin/core';
import { eventually, startMongo, testMongo } from '@tocsin/testkit';
import {
  collectionOf,
  connectMongo,
  inTransaction,
  migrate,
  Revision,
  whenCommitted,
  WriteGate,
  type Connection,
} from './index.ts';

interface Counter {
  readonly _id: string;
  readonly n: number;
}

let connection: Connection;

beforeAll(async () => {
  connection = await connectMongo({ ...(await testMongo()) });
});

afterAll(async () => {
  await connection.dropDatabase();
  await connection.close();
});

beforeEach(async () => {
  await collectionOf(connection, 'counters').deleteMany({});
});

describe('inTransaction', () => {
  it('writes all or nothing, and passes a refusal on as it is', async () => {
    const counters = collectionOf<Counter>(connection, 'counters');
    await inTransaction(connection, async (session) => {
      await counters.insertMany(
        [
          { _id: 'a', n: 1 },
          { _id: 'b', n: 1 },
        ],
        { session },
      );
    });
    const refused = inTransaction(connection, async (session) => {
      await counters.updateOne({ _id: 'a' }, { $inc: { n: 1 } }, { session });
      throw new NotFoundError('No such counter.');
    });
    await expect(refused).rejects.toThrow(NotFoundError);
    expect(await counters.find().sort({ _id: 1 }).toArray()).toEqual([
      { _id: 'a', n: 1 },
      { _id: 'b', n: 1 },
    ]);
  });

  it('repeats a transaction with a conflict until all are done', async () => {
    const counters = collectionOf<Counter>(connection, 'counters');
    await counters.insertOne({ _id: 'shared', n: 0 });
    const add = (): Promise<void> =>
      inTransaction(connection, async (session) => {
        const found = await counters.findOne({ _id: 'shared' }, { session });
        await counters.updateOne({ _id: 'shared' }, { $set: { n: (found?.n ?? 0) + 1 } }, { session });
      });
    await Promise.all(Array.from({ length: 20 }, add));
    expect(await counters.findOne({ _id: 'shared' })).toEqual({ _id: 'shared', n: 20 });
  });

  it('repeats a transaction that lost to a stream of short ones while these wait, and then lets them go on', async () => {
    const counters = collectionOf<Counter>(connection, 'counters');
    await counters.insertOne({ _id: 'busy', n: 0 });
    const gate = new WriteGate();
    const add = (work: () => Promise<unknown> = () => Promise.resolve()): Promise<void> =>
      inTransaction(
        connection,
        async (session) => {
          const found = await counters.findOne({ _id: 'busy' }, { session });
          await work();
          await counters.updateOne({ _id: 'busy' }, { $set: { n: (found?.n ?? 0) + 1 } }, { session });
        },
        { gate },
      );
    let [short, tries, isDone] = [0, 0, false];
    const stream = async (): Promise<void> => {
      while (!isDone) {
        await add();
        short += 1;
      }
    };
    const streaming = stream();
    await eventually(() => {
      expect(short).toBeGreaterThan(0);
    });
    await add(async () => {
      tries += 1;
      if (tries > 1) return pause(300);
      // The first of two may have been committed before this one began.
      const before = short;
      return eventually(() => {
        expect(short).toBeGreaterThan(before + 1);
      });
    });
    isDone = true;
    await streaming;
    expect(tries).toBe(2);
    expect(await counters.findOne({ _id: 'busy' })).toEqual({ _id: 'busy', n: short + 1 });
  });

  it('ends at its deadline while another transaction still holds its documents', async () => {
    const counters = collectionOf<Counter>(connection, 'counters');
    await counters.insertOne({ _id: 'held', n: 0 });
    const holder = await connection.startSession();
    holder.startTransaction();
    await counters.updateOne({ _id: 'held' }, { $inc: { n: 1 } }, { session: holder });
    const held = inTransaction(
      connection,
      async (session) => counters.updateOne({ _id: 'held' }, { $inc: { n: 1 } }, { session }),
      { deadlineMs: 300 },
    );
    await expect(held).rejects.toThrow(UnavailableError);
    await holder.abortTransaction();
    await holder.endSession();
  });

  it('writes nothing of work that goes on after its deadline', async () => {
    const counters = collectionOf<Counter>(connection, 'counters');
    const working: Promise<unknown>[] = [];
    for (let run = 0; run < 20; run += 1) {
      const late = inTransaction(
        connection,
        (session) => {
          const work = async (): Promise<void> => {
            await counters.insertOne({ _id: `early ${run}`, n: run }, { session });
            while (session.inTransaction()) await immediate();
            await counters.insertOne({ _id: `late ${run}`, n: run }, { session });
          };
          const worked = work();
          working.push(worked);
          return worked;
        },
        { deadlineMs: 20 },
      );
      await expect(late).rejects.toThrow(UnavailableError);
    }
    const ended = await Promise.allSettled(working);
    expect(ended.map(({ status }) => status)).toEqual(Array(20).fill('rejected'));
    expect(await counters.countDocuments()).toBe(0);
  });

  it('calls back for a commit once, and for no other end', async () => {
    const counters = collectionOf<Counter>(connection, 'counters');
    await counters.insertOne({ _id: 'commits', n: 0 });
    let commits = 0;
    const count = (): Promise<void> =>
      inTransaction(connection, async (session) => {
        whenCommitted(session, () => (commits += 1));
        await counters.updateOne({ _id: 'commits' }, { $inc: { n: 1 } }, { session });
      });
    await Promise.all([count(), count(), count()]);
    expect(commits).toBe(3);
    const aborted = inTransaction(connection, (session) => {
      whenCommitted(session, () => (commits += 1));
      return Promise.reject(new NotFoundError('No.'));
    });
    await expect(aborted).rejects.toThrow(NotFoundError);
    expect(commits).toBe(3);
  });

  it('throws UnavailableError within its deadline when the server is frozen, and writes nothing', async () => {
    const own = await startMongo();
    const frozen = await connectMongo({ uri: own.uri, database: 'test' });
    try {
      await migrate(frozen, [{ collection: 'counters', keys: { _id: 1 }, serves: 'this test' }]);
      const counters = collectionOf<Counter>(frozen, 'counters');
      expect(await counters.countDocuments()).toBe(0);
      // On a slow machine the deadline may pass before the freeze. Then it is tried again.
      await eventually(async () => {
        let isDriverWaiting = false;
        const stuck = inTransaction(
          frozen,
          async (session) => {
            await counters.insertOne({ _id: 'first', n: 1 }, { session });
            await own.pause();
            isDriverWaiting = true;
            await counters.insertOne({ _id: 'second', n: 1 }, { session }).finally(() => (isDriverWaiting = false));
          },
          { deadlineMs: 2_000 },
        );
        await expect(stuck).rejects.toThrow(UnavailableError);
        const wasDriverWaiting = isDriverWaiting;
        own.resume();
        expect(await counters.countDocuments()).toBe(0);
        expect(wasDriverWaiting).toBe(true);
      });
    } finally {
      own.resume();
      await frozen.close();
      await own.stop();
    }
  });

  it('answers UnavailableError when the server is gone', async () => {
    const own = await startMongo();
    const gone = await connectMongo({ uri: own.uri, database: 'test' });
    try {
      await own.kill();
      const refused = inTransaction(gone, async (session) =>
        collectionOf<Counter>(gone, 'counters').insertOne({ _id: 'a', n: 1 }, { session }),
      );
      await expect(refused).rejects.toThrow(UnavailableError);
    } finally {
      await gone.close();
      await own.stop();
    }
  });
});

describe('Revision', () => {
  it('grows with each committed change, and with no other', async () => {
    const revision = new Revision(connection);
    expect(await revision.current()).toBe(0);
    await Promise.all([
      inTransaction(connection, (session) => revision.increment(session)),
      inTransaction(connection, (session) => revision.increment(session)),
    ]);
    const aborted = inTransaction(connection, async (session) => {
      await revision.increment(session);
      expect(await revision.current(session)).toBe(3);
      throw new NotFoundError('No.');
    });
    await expect(aborted).rejects.toThrow(NotFoundError);
    expect(await revision.current()).toBe(2);
  });
});
