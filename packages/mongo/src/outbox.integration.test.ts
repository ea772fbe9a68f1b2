import { once } from 'node:events';
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { defineTopic } from '@tocsin/events';
import { NotFoundError, TooLargeError, UnavailableError } from '@tocsin/core';
import { eventually, startMongo, testMongo, type TestMongo } from '@tocsin/testkit';
import { mongo as driver } from 'mongoose';
import { z } from 'zod';
import {
  collectionOf,
  connectMongo,
  inTransaction,
  forTopic,
  migrate,
  Outbox,
  persistenceIndexes,
  refusedRetention,
  type Connection,
  type OutboxOptions,
} from './index.ts';
import { RecordingRelayPublisher } from './testing/recording-relay-publisher.ts';
import { watchedRows } from './testing/watched-rows.ts';

const facts = defineTopic({ name: 'facts.v1', kind: 'events', schema: z.string(), key: (message: string) => message });

let mongo: TestMongo;
let connection: Connection;
let publisher: RecordingRelayPublisher;
let warnings: string[];
let started: Outbox[];

beforeEach(async () => {
  mongo = await testMongo();
  connection = await connectMongo(mongo);
  await migrate(connection, persistenceIndexes);
  publisher = new RecordingRelayPublisher();
  warnings = [];
  started = [];
});

afterEach(async () => {
  await Promise.all(started.map((outbox) => outbox.stop()));
  await connection.dropDatabase();
  await connection.close();
});

function outbox(options: Partial<OutboxOptions> = {}): Outbox {
  const logger = {
    warn: (_: object, message: string) => warnings.push(message),
    error: (_: object, message: string) => warnings.push(message),
  };
  return new Outbox({ connection, publisher, topics: [facts], logger, leaseMs: 300, renewEveryMs: 50, ...options });
}

function start(box: Outbox): void {
  started.push(box);
  box.start();
}

async function commit(box: Outbox, messages: readonly string[]): Promise<void> {
  await inTransaction(connection, (session) => box.add(session, facts, messages));
}

/** A lease that also a slow machine still has when it publishes for the first time. */
const SLOW_LEASE = { leaseMs: 3_000 };

const published = (): unknown[] => publisher.log.map(({ message }) => message);

describe('Outbox', () => {
  it('publishes committed rows in order, and removes them', async () => {
    const box = outbox();
    await commit(box, ['one', 'two']);
    await commit(box, ['three']);
    expect(await box.pending()).toBe(2);
    await box.flush();
    expect(published()).toEqual(['one', 'two', 'three']);
    expect(await box.pending()).toBe(0);
  });

  it('publishes messages of several topics that were added together, each on its own', async () => {
    const other = defineTopic({ ...facts, name: 'others.v1', key: (message) => `other ${message}` });
    const box = outbox({ topics: [facts, other] });
    await inTransaction(connection, (session) =>
      box.addAll(session, [forTopic(facts, ['one']), forTopic(other, ['two', 'three']), forTopic(facts, [])]),
    );
    await box.flush();
    expect(publisher.log.map(({ key }) => key).toSorted()).toEqual(['one', 'other three', 'other two']);
  });

  it('removes published rows by itself', async () => {
    const box = outbox();
    await commit(box, ['one']);
    await box.flush();
    await eventually(async () => {
      expect(await collectionOf(connection, 'outbox').countDocuments()).toBe(0);
    });
  });

  it('publishes nothing of a transaction that was not committed', async () => {
    const box = outbox();
    const aborted = inTransaction(connection, async (session) => {
      await box.add(session, facts, ['never']);
      throw new NotFoundError('No.');
    });
    await expect(aborted).rejects.toThrow(NotFoundError);
    await box.flush();
    expect(published()).toEqual([]);
    expect(await box.pending()).toBe(0);
  });

  it('keeps the order of rows whose commit had no answer', async () => {
    const box = outbox();
    const lost = inTransaction(connection, async (session) => {
      await box.add(session, facts, ['one']);
      const commitTransaction = session.commitTransaction.bind(session);
      session.commitTransaction = async () => {
        await commitTransaction();
        throw new UnavailableError('The answer is lost.');
      };
    });
    await expect(lost).rejects.toThrow('The answer is lost.');
    await commit(box, ['two']);
    await box.flush();
    start(box);
    await eventually(() => {
      expect(published()).toEqual(['one', 'two']);
    });
  });

  it('publishes rows that were committed before its start, once', async () => {
    const box = outbox();
    await commit(box, ['one', 'two']);
    start(box);
    await eventually(async () => {
      expect(await box.pending()).toBe(0);
    });
    await box.flush();
    expect(published()).toEqual(['one', 'two']);
  });

  it('refuses a topic that it does not relay', async () => {
    const other = defineTopic({ ...facts, name: 'others.v1' });
    const refused = inTransaction(connection, (session) => outbox().add(session, other, ['lost']));
    await expect(refused).rejects.toThrow('The outbox does not relay others.v1.');
  });

  it('keeps absent values and odd keys of a message as they are', async () => {
    const odd = defineTopic({ name: 'odd.v1', kind: 'events', schema: z.unknown(), key: () => 'k' });
    const message = { 'a.b': 1, $set: { c: null } };
    const writer = outbox({ topics: [odd] });
    await inTransaction(connection, (session) => writer.add(session, odd, [message]));
    start(outbox({ topics: [odd] }));
    await eventually(() => {
      expect(published()).toEqual([message]);
    });
  });

  it('never throws when it cannot publish, keeps the order, and catches up by itself', async () => {
    const box = outbox();
    start(box);
    let isUnavailable = true;
    publisher.before = () =>
      isUnavailable ? Promise.reject(new UnavailableError('Kafka is unavailable.')) : Promise.resolve();
    await commit(box, ['one']);
    await box.flush();
    await commit(box, ['two']);
    await box.flush();
    expect(published()).toEqual([]);
    expect(warnings).toContain('The outbox cannot publish rows. They wait for the next renewal of the lease.');
    isUnavailable = false;
    await eventually(async () => {
      expect(await box.pending()).toBe(0);
    });
    expect(published()).toEqual(['one', 'two']);
    await commit(box, ['three']);
    await eventually(async () => {
      await box.flush();
      expect(published()).toEqual(['one', 'two', 'three']);
    });
  });

  it('publishes rows in order, without another renewal, that are committed during a look', async () => {
    let whileAnswered = (): Promise<void> => {
      whileAnswered = () => Promise.resolve();
      return commit(box, ['two']);
    };
    const looked = async (rows: readonly unknown[]): Promise<void> => {
      if (rows.length > 0) await whileAnswered();
    };
    const box = outbox({ connection: watchedRows(connection, looked), leaseMs: 1_200_000, renewEveryMs: 600_000 });
    await commit(box, ['one']);
    start(box);
    await eventually(() => {
      expect(published()).toEqual(['one', 'two']);
    });
    await commit(box, ['three']);
    await eventually(() => {
      expect(published()).toEqual(['one', 'two', 'three']);
    });
  });

  it('publishes a message whose transaction was committed after one that had added later', async () => {
    const box = outbox();
    start(box);
    const last = Promise.withResolvers<undefined>();
    const added = Promise.withResolvers<undefined>();
    const slow = inTransaction(connection, async (session) => {
      await box.add(session, facts, ['slow']);
      added.resolve(undefined);
      await last.promise;
    });
    await added.promise;
    await commit(box, ['quick']);
    await eventually(() => {
      expect(published()).toEqual(['quick']);
    });
    last.resolve(undefined);
    await slow;
    await eventually(() => {
      expect(published()).toEqual(['quick', 'slow']);
    });
  });

  it('publishes to a topic while another accepts nothing', async () => {
    const dead = defineTopic({ ...facts, name: 'dead.v1' });
    const box = outbox({ topics: [dead, facts] });
    const taken = Promise.withResolvers<undefined>();
    publisher.before = (messages) => (messages.includes('stuck') ? taken.promise : Promise.resolve());
    start(box);
    await inTransaction(connection, (session) => box.add(session, dead, ['stuck']));
    await commit(box, ['one']);
    await eventually(() => {
      expect(published()).toEqual(['one']);
    });
    await commit(box, ['two']);
    await eventually(() => {
      expect(published()).toEqual(['one', 'two']);
    });
    taken.resolve(undefined);
  });

  it('puts aside a message that no broker will take, and publishes the others', async () => {
    const box = outbox();
    publisher.before = (messages) =>
      messages.includes('huge') ? Promise.reject(new TooLargeError('Too large.')) : Promise.resolve();
    await commit(box, ['one', 'huge', 'two']);
    await box.flush();
    expect(published()).toEqual(['one', 'two']);
    expect(await box.pending()).toBe(0);
    const refused = collectionOf(connection, 'outbox_refused');
    const aside = await refused.find().toArray();
    expect(aside).toMatchObject([
      {
        _id: { topic: 'facts.v1' },
        message: '"huge"',
        reason: 'TooLargeError: Too large.',
        refusedAt: expect.any(Date),
      },
    ]);
  });

  it('lets the database remove refused rows after the configured number of days', async () => {
    await migrate(connection, [...persistenceIndexes, refusedRetention(30)]);
    await migrate(connection, [...persistenceIndexes, refusedRetention(7)]);
    expect(await collectionOf(connection, 'outbox_refused').indexes()).toMatchObject([
      { key: { _id: 1 } },
      { key: { refusedAt: 1 }, expireAfterSeconds: 7 * 86_400 },
    ]);
  });

  it('shares one run among calls at the same time, each of which waits for its own messages', async () => {
    const box = outbox();
    await Promise.all(
      Array.from({ length: 20 }, async (_, index) => {
        await commit(box, [`fact ${index}`]);
        await box.flush();
        expect(published()).toContain(`fact ${index}`);
      }),
    );
    expect(published()).toHaveLength(20);
  });

  it('says how old the oldest row is', async () => {
    const ages: number[] = [];
    publisher.before = () => Promise.reject(new UnavailableError('Kafka is unavailable.'));
    const box = outbox({ metrics: { outboxAge: (_, seconds) => ages.push(seconds), refused: () => undefined } });
    await commit(box, ['old']);
    start(box);
    await eventually(() => {
      expect(ages.at(-1)).toBeGreaterThan(0.1);
    });
  });
});

describe('Outbox at its worst moment', () => {
  it('publishes rows again that a killed relay had published and not deleted: consumers ignore the repeat', async () => {
    const count = 20;
    const fixture = fileURLToPath(new URL('./testing/killed-relay.ts', import.meta.url));
    const relay = spawn(process.execPath, ['--conditions=source', fixture, mongo.uri, mongo.database, String(count)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [line] = (await once(relay.stdout, 'data')) as [Buffer];
    relay.kill('SIGKILL');
    const before = JSON.parse(line.toString()) as string[];
    expect(before).toHaveLength(count);

    const survivor = outbox();
    start(survivor);
    await eventually(async () => {
      expect(await survivor.pending()).toBe(0);
    });
    expect(published()).toEqual(before);
    expect(new Set([...before, ...published()]).size).toBe(count);
  }, 60_000);

  it('leaves the rows of a topic that only a newer version relays to that version', async () => {
    const newer = defineTopic({ ...facts, name: 'newer.v1' });
    const writer = outbox({ topics: [newer] });
    await inTransaction(connection, (session) => writer.add(session, newer, ['new']));
    const older = outbox();
    start(older);
    await commit(older, ['old']);
    await older.flush();
    await older.stop();
    expect(published()).toEqual(['old']);
    expect(await older.pending()).toBe(1);
    expect(await older.countUnknown()).toEqual(new Map([['newer.v1 version 1', 1]]));
  });

  it('leaves the rows of a schema version that only a newer release knows to that release, and counts them', async () => {
    const newer = outbox({ topics: [{ ...facts, version: 2 }] });
    await inTransaction(connection, (session) => newer.add(session, { ...facts, version: 2 }, ['new', 'newer']));
    const older = outbox();
    start(older);
    await commit(older, ['old']);
    await older.flush();
    await older.stop();
    expect(published()).toEqual(['old']);
    expect(await older.countUnknown()).toEqual(new Map([['facts.v1 version 2', 1]]));
    const next = outbox({ topics: [{ ...facts, version: 2 }] });
    expect(await next.countUnknown()).toEqual(new Map());
    start(next);
    await eventually(() => {
      expect(published()).toEqual(['old', 'new', 'newer']);
    });
  });

  it('publishes the rows of a schema version that a release reads and does not write, as after a roll-back', async () => {
    const next = outbox({ topics: [{ ...facts, version: 2 }] });
    await inTransaction(connection, (session) => next.add(session, { ...facts, version: 2 }, ['new']));
    const rolledBack = outbox({ topics: [{ ...facts, version: 1, reads: 2 }] });
    expect(await rolledBack.countUnknown()).toEqual(new Map());
    start(rolledBack);
    await commit(rolledBack, ['old']);
    await eventually(async () => {
      expect(published()).toEqual(['new', 'old']);
      expect(await rolledBack.pending()).toBe(0);
    });
  });

  it('lets the newest release relay, so that rows of mixed schema versions come in order during an update', async () => {
    const LONG = { leaseMs: 600_000 };
    const older = outbox(LONG);
    start(older);
    await commit(older, ['v1']);
    await older.flush();
    const newer = outbox({ ...LONG, topics: [{ ...facts, version: 2 }] });
    start(newer);
    await newer.flush();
    await inTransaction(connection, (session) => newer.add(session, { ...facts, version: 2 }, ['v2 of the newer']));
    await commit(older, ['v3']);
    await eventually(() => {
      expect(new Set(published())).toEqual(new Set(['v1', 'v2 of the newer', 'v3']));
    });
    expect([...new Set(published())]).toEqual(['v1', 'v2 of the newer', 'v3']);
  });

  it('publishes the rows of all processes although the process with the lease does not reach Kafka', async () => {
    const cut = new RecordingRelayPublisher();
    cut.before = () => Promise.reject(new UnavailableError('Kafka is unavailable.'));
    // A process of the newer release, which takes the lease from an older one.
    const first = outbox({ publisher: cut, topics: [{ ...facts, version: 2 }] });
    start(first);
    await commit(first, ['one']);
    await eventually(() => {
      expect(warnings).toContain('The outbox cannot publish rows. They wait for the next renewal of the lease.');
    });
    const second = outbox();
    start(second);
    await commit(second, ['two']);
    await eventually(async () => {
      expect(published()).toEqual(['one', 'two']);
      expect(await second.pending()).toBe(0);
    });
  });

  it('repeats where it was frozen longer than its lease, but lets no message appear before an older one', async () => {
    const frozen = outbox(SLOW_LEASE);
    const thaw = Promise.withResolvers<undefined>();
    const reached = Promise.withResolvers<undefined>();
    await commit(frozen, ['v1']);
    await commit(frozen, ['v2']);
    const survivor = outbox();
    publisher.before = () => {
      publisher.before = () => Promise.resolve();
      reached.resolve(undefined);
      return thaw.promise;
    };
    // It renews nothing while it flushes.
    const thawed = frozen.flush();
    await reached.promise;
    start(survivor);
    await eventually(() => {
      expect(published()).toEqual(['v1', 'v2']);
    });
    await commit(survivor, ['v3']);
    await eventually(() => {
      expect(published()).toEqual(['v1', 'v2', 'v3']);
    });
    thaw.resolve(undefined);
    await thawed;
    await commit(frozen, ['v4']);
    await eventually(() => {
      expect(published()).toEqual(['v1', 'v2', 'v3', 'v1', 'v2', 'v4']);
    });
  });

  it('ends after the current batch when it was frozen longer than its lease, and removes only the rows that it published', async () => {
    const frozen = outbox({ ...SLOW_LEASE, renewEveryMs: 600_000 });
    const thaw = Promise.withResolvers<undefined>();
    const reached = Promise.withResolvers<undefined>();
    for (let row = 0; row < 25; row += 1) await commit(frozen, [`row ${row}`]);
    publisher.before = () => {
      publisher.before = () => Promise.reject(new UnavailableError('Kafka is unavailable.'));
      reached.resolve(undefined);
      return thaw.promise;
    };
    start(frozen);
    await reached.promise;
    const survivor = outbox();
    start(survivor);
    await eventually(() => {
      expect(warnings).toContain('The outbox cannot publish rows. They wait for the next renewal of the lease.');
    });
    thaw.resolve(undefined);
    await frozen.flush();
    expect(published()).toHaveLength(20);
    expect(await frozen.pending()).toBe(5);
  });
});

describe('Outboxes of several processes', () => {
  const LONG = { leaseMs: 600_000, renewEveryMs: 300_000 };

  it('have one relay, which publishes the rows of the others right after their commit', async () => {
    const [holder, other] = [outbox(LONG), outbox(LONG)];
    start(holder);
    await holder.flush();
    start(other);
    await other.flush();
    for (const message of ['one', 'two', 'three']) {
      await commit(other, [message]);
      await eventually(() => {
        expect(published()).toContain(message);
      });
    }
    await commit(holder, ['four']);
    await eventually(() => {
      expect(published()).toEqual(['one', 'two', 'three', 'four']);
    });
  });

  it('go on with another relay as soon as theirs is stopped, without a repeat', async () => {
    const [holder, other] = [outbox(LONG), outbox(LONG)];
    start(holder);
    await holder.flush();
    start(other);
    await other.flush();
    await commit(other, ['one']);
    await holder.stop();
    await commit(other, ['two']);
    await eventually(() => {
      expect(published()).toEqual(['one', 'two']);
    });
  });

  it('go on with another relay when theirs dies', async () => {
    const [dead, other] = [outbox(), outbox()];
    publisher.before = () => {
      publisher.before = () => Promise.resolve();
      return new Promise<never>(() => undefined);
    };
    await commit(dead, ['left behind']);
    void dead.flush();
    await commit(other, ['another']);
    start(other);
    await eventually(() => {
      expect(published()).toEqual(['left behind', 'another']);
    });
  });

  it('publish rows in order that were committed while the database was unavailable', async () => {
    const own = await startMongo();
    const theirs = await connectMongo({ uri: own.uri, database: 'test' });
    try {
      await migrate(theirs, persistenceIndexes);
      const box = outbox({ connection: theirs, leaseMs: 3_000 });
      box.start();
      const write = (message: string) => inTransaction(theirs, (session) => box.add(session, facts, [message]));
      await write('before');
      await eventually(() => {
        expect(published()).toEqual(['before']);
      });
      await own.kill();
      await expect(write('never')).rejects.toThrow(UnavailableError);
      await own.restart();
      await eventually(() => write('after'));
      await eventually(() => {
        expect(new Set(published())).toEqual(new Set(['before', 'after']));
      });
      await box.stop();
    } finally {
      await theirs.close();
      await own.stop();
    }
  }, 120_000);

  it('go on when their database is dropped and made anew', async () => {
    const [holder, other] = [outbox(), outbox()];
    start(holder);
    start(other);
    await Promise.all([holder.flush(), other.flush()]);
    await connection.dropDatabase();
    await migrate(connection, persistenceIndexes);
    await commit(other, ['one']);
    await eventually(() => {
      expect(published()).toContain('one');
    });
  });

  it('read each look by the index of the order', async () => {
    const box = outbox();
    await commit(box, ['one']);
    const rows = collectionOf(connection, 'outbox');
    const range = { topic: facts.name, seq: { $gt: new driver.Timestamp({ t: 1, i: 1 }) } };
    const query = rows.find(range).sort({ seq: 1 });
    const plan = JSON.stringify(await query.hint({ topic: 1, seq: 1 }).explain('queryPlanner'));
    expect(plan).toContain('"indexName":"topic_1_seq_1"');
    expect(plan).not.toContain('"SORT"');
    const search = rows.find({ $or: [range, { topic: 'others.v1' }], _id: { $nin: [] } }).hint({ topic: 1, seq: 1 });
    const bounds = JSON.stringify(await search.explain('queryPlanner'));
    expect(bounds).toContain('"topic":["[\\"others.v1\\", \\"others.v1\\"]"]');
    expect(bounds).toContain('"seq":["(Timestamp(1, 1), Timestamp(');
  });
});
