import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ManualClock } from '@tocsin/clock';
import { Escalations, type EscalationState, type StateMessage } from '@tocsin/contracts';
import { UnavailableError } from '@tocsin/errors';
import { eventually, testMongo } from '@tocsin/testing';
import type { mongo } from 'mongoose';
import {
  collectionOf,
  connectMongo,
  inTransaction,
  migrate,
  persistenceIndexes,
  StateOutbox,
  type Connection,
  type StateOutboxOptions,
} from './index.ts';
import { RecordingRelayPublisher } from './recording-relay-publisher.contract.ts';

interface Thing {
  readonly _id: string;
  readonly n: number;
}

const EPOCH = 1_700_000_000_000;
const HOUR_MS = 3_600_000;

let connection: Connection;
let things: mongo.Collection<Thing>;
let publisher: RecordingRelayPublisher;
let clock: ManualClock;
let started: StateOutbox<EscalationState>[];

beforeEach(async () => {
  connection = await connectMongo(await testMongo());
  await migrate(connection, [...persistenceIndexes, { collection: 'things', keys: { _id: 1 }, serves: 'this test' }]);
  things = collectionOf(connection, 'things');
  publisher = new RecordingRelayPublisher();
  clock = new ManualClock(new Date('2026-03-01T08:00:00Z'));
  started = [];
});

afterEach(async () => {
  await Promise.all(started.map((outbox) => outbox.stop()));
  await connection.dropDatabase();
  await connection.close();
});

function message(id: string, n: number): StateMessage<EscalationState> {
  const state = { id, name: `name ${n}`, description: '', rules: [] };
  return { id, version: { epoch: EPOCH, n }, deleted: false, state };
}

async function load(ids: readonly string[]): Promise<ReadonlyMap<string, StateMessage<EscalationState>>> {
  const found = await things.find({ _id: { $in: [...ids] } }).toArray();
  return new Map(found.map(({ _id, n }) => [_id, message(_id, n)]));
}

function outbox(options: Partial<StateOutboxOptions<EscalationState>> = {}): StateOutbox<EscalationState> {
  return new StateOutbox({
    connection,
    topic: Escalations,
    load,
    ids: async function* () {
      for await (const { _id } of things.find()) yield _id;
    },
    publisher,
    logger: { warn: () => undefined, error: () => undefined },
    clock,
    sweepEveryMs: 50,
    eraseEveryMs: 50,
    abandonedMs: 300,
    ...options,
  });
}

function start(box: StateOutbox<EscalationState>): void {
  started.push(box);
  box.start();
}

async function write(box: StateOutbox<EscalationState>, id: string): Promise<void> {
  await inTransaction(connection, async (session) => {
    await things.updateOne({ _id: id }, { $inc: { n: 1 } }, { session, upsert: true });
    await box.changed(session, id);
  });
}

async function remove(box: StateOutbox<EscalationState>, id: string, n: number): Promise<void> {
  await inTransaction(connection, async (session) => {
    await things.deleteOne({ _id: id }, { session });
    await box.deleted(session, id, { epoch: EPOCH, n });
  });
}

const last = (id: string): unknown => publisher.compacted().get(id);

describe('StateOutbox', () => {
  it('publishes the latest state of what was committed, and forgets that it changed', async () => {
    const box = outbox();
    await write(box, 'a');
    await write(box, 'a');
    await write(box, 'b');
    expect(await box.pending()).toBe(2);
    await box.flush();
    expect(publisher.log.map(({ message: each }) => each)).toEqual([message('a', 2), message('b', 1)]);
    expect(await box.pending()).toBe(0);
  });

  it('lets each of many writers at the same time see its own change published', async () => {
    const box = outbox();
    await Promise.all(
      Array.from({ length: 20 }, async (_, index) => {
        await write(box, `t${index}`);
        await box.flush();
        expect(last(`t${index}`)).toEqual(message(`t${index}`, 1));
      }),
    );
  });

  it('publishes that an entity is gone, and erases its key a day later', async () => {
    const box = outbox();
    await write(box, 'a');
    await remove(box, 'a', 2);
    await box.flush();
    const gone = { id: 'a', version: { epoch: EPOCH, n: 2 }, deleted: true };
    expect(last('a')).toEqual(gone);
    expect(await box.pending()).toBe(0);

    start(box);
    clock.advance(23 * HOUR_MS);
    await box.publishNow(['a']);
    expect(last('a')).toEqual(gone);
    clock.advance(2 * HOUR_MS);
    await eventually(() => {
      expect(last('a')).toBeNull();
    });
    await eventually(async () => {
      expect(await collectionOf(connection, 'dirty').countDocuments()).toBe(0);
    });
  });

  it('publishes everything when it starts, in bounded pages', async () => {
    await things.insertMany(Array.from({ length: 250 }, (_, index) => ({ _id: `t${index}`, n: 1 })));
    const pages: number[] = [];
    publisher.before = (messages) => {
      pages.push(messages.length);
      return Promise.resolve();
    };
    start(outbox());
    await eventually(() => {
      expect(publisher.compacted().size).toBe(250);
    });
    expect(Math.max(...pages)).toBeLessThanOrEqual(100);
  });

  it('never throws when it cannot publish, and catches up by itself', async () => {
    const box = outbox();
    start(box);
    let away = true;
    publisher.before = () => (away ? Promise.reject(new UnavailableError('Kafka is away.')) : Promise.resolve());
    await write(box, 'a');
    await box.flush();
    expect(await box.pending()).toBe(1);
    away = false;
    await eventually(async () => {
      expect(await box.pending()).toBe(0);
    });
    expect(last('a')).toEqual(message('a', 1));
  });

  it('does not hold the writer up longer than 2 s when publishing hangs', async () => {
    const box = outbox();
    const { promise, resolve } = Promise.withResolvers<undefined>();
    publisher.before = async () => promise;
    await write(box, 'a');
    const began = performance.now();
    await box.flush();
    expect(performance.now() - began).toBeLessThan(3_000);
    resolve(undefined);
    await eventually(() => {
      expect(last('a')).toEqual(message('a', 1));
    });
  });

  it('says with an error that a change which must be announced was not', async () => {
    const box = outbox();
    await write(box, 'a');
    publisher.before = () => Promise.reject(new UnavailableError('Kafka is away.'));
    await expect(box.publishNow(['a'])).rejects.toThrow(UnavailableError);
    publisher.before = () => new Promise(() => undefined);
    await expect(box.publishNow(['a'], { deadlineMs: 50 })).rejects.toThrow(UnavailableError);
  });

  it('announces at once what must be announced', async () => {
    const box = outbox();
    await write(box, 'a');
    await box.publishNow(['a']);
    expect(last('a')).toEqual(message('a', 1));
    expect(await box.pending()).toBe(0);
  });
});

describe('StateOutbox at its worst moment', () => {
  it('leaves the last state on the topic when an entity changes twice while it is being published', async () => {
    const box = outbox();
    await write(box, 'a');
    let meanwhile = 2;
    publisher.before = async () => {
      if (meanwhile === 0) return;
      meanwhile -= 1;
      await write(box, 'a');
    };
    await box.flush();
    expect(last('a')).toEqual(message('a', 3));
    await box.flush();
    expect(last('a')).toEqual(message('a', 3));
    expect(await box.pending()).toBe(0);
  });

  it('leaves the last state on the topic when another replica published it before a slower one published an older', async () => {
    const slow = outbox();
    const fast = outbox();
    await write(slow, 'a');
    let held = true;
    publisher.before = async () => {
      if (!held) return;
      held = false;
      // The slow one has read the first state and not published it yet.
      await write(fast, 'a');
      await fast.flush();
    };
    await slow.flush();
    expect(publisher.log.map(({ message: each }) => each)).toEqual([message('a', 2), message('a', 1), message('a', 2)]);
  });

  it('leaves the word that it is gone on the topic when a slower replica published its state after that', async () => {
    const slow = outbox();
    const fast = outbox();
    await write(slow, 'a');
    let held = true;
    publisher.before = async () => {
      if (!held) return;
      held = false;
      await remove(fast, 'a', 2);
      await fast.flush();
    };
    await slow.flush();
    expect(last('a')).toMatchObject({ deleted: true });
    expect(await slow.pending()).toBe(0);
  });

  it('publishes what a killed process had committed and not published', async () => {
    await write(outbox(), 'a');
    const nothing = async function* (): AsyncIterable<string> {
      yield* await Promise.resolve<string[]>([]);
    };
    const survivor = outbox({ ids: nothing });
    start(survivor);
    await eventually(async () => {
      expect(await survivor.pending()).toBe(0);
    });
    expect(last('a')).toEqual(message('a', 1));
  });
});
