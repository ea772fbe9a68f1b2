import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Escalations, STATE_COMPACTION_LAG_MS, STATE_REPUBLISH_MS, STATE_TOMBSTONE_MS } from '@tocsin/events';
import { TooLargeError, UnavailableError } from '@tocsin/core';
import { eventually } from '@tocsin/testkit';
import { collectionOf, inTransaction } from './index.ts';
import { EntityStatesStage, message, tombstone } from './testing/entity-states-stage.ts';
import { RecordingRelayPublisher } from './testing/recording-relay-publisher.ts';
import { TOMBSTONES } from './tombstones.ts';

let stage: EntityStatesStage;

beforeEach(async () => {
  stage = await EntityStatesStage.open();
});

afterEach(() => stage.close());

const tombstones = () => collectionOf(stage.connection, TOMBSTONES).countDocuments();

describe('EntityStates', () => {
  it('publishes each committed state in the order of the commits, and the tombstone last', async () => {
    const replica = stage.replica();
    await stage.write(replica, 'a');
    await stage.write(replica, 'a');
    await stage.write(replica, 'b');
    await stage.remove(replica, 'a', 3);
    await replica.announcements.flush();
    expect(stage.messages()).toEqual([message('a', 1), message('a', 2), message('b', 1), tombstone('a', 3)]);
    expect(await replica.outbox.pending()).toBe(0);
  });

  it('publishes nothing of a transaction that was aborted', async () => {
    const replica = stage.replica();
    const aborted = inTransaction(stage.connection, async (session) => {
      await stage.things.insertOne({ _id: 'a', n: 1 }, { session });
      await replica.announcements.addStates(session, [message('a', 1)]);
      await replica.announcements.addTombstone(session, 'b', { epoch: 1, n: 1 });
      throw new Error('aborted');
    });
    await expect(aborted).rejects.toThrow('aborted');
    await replica.announcements.flush();
    await replica.announcements.republish();
    expect(stage.messages()).toEqual([]);
  });

  it('publishes the committed rows of a killed process', async () => {
    await stage.write(stage.replica(), 'a');
    stage.start(stage.replica());
    await eventually(() => {
      expect(stage.last('a')).toEqual(message('a', 1));
    });
  });

  it('does not delay the writer when publishing hangs', async () => {
    const replica = stage.replica();
    const { promise, resolve } = Promise.withResolvers<undefined>();
    stage.publisher.before = () => promise;
    await stage.write(replica, 'a');
    await replica.announcements.flush();
    resolve(undefined);
    await eventually(() => {
      expect(stage.last('a')).toEqual(message('a', 1));
    });
  });
});

describe('versionOfNew', () => {
  const version = (n: number) => message('a', n).version;
  const versionOfNew = (id: string, first: number) =>
    inTransaction(stage.connection, (session) =>
      stage.replica().announcements.versionOfNew(session, id, version(first)),
    );

  it('is the first one of an entity that never was, and of one that was deleted under an earlier one', async () => {
    expect(await versionOfNew('a', 1)).toEqual(version(1));
    await stage.remove(stage.replica(), 'a', 3);
    expect(await versionOfNew('b', 1)).toEqual(version(1));
    expect(await versionOfNew('a', 4)).toEqual(version(4));
  });

  it('is after that of the deletion of an entity that was deleted under the same or a later one', async () => {
    await stage.remove(stage.replica(), 'a', 3);
    expect(await versionOfNew('a', 3)).toEqual(version(4));
    expect(await versionOfNew('a', 1)).toEqual(version(4));
  });
});

describe('publishNow', () => {
  it('publishes the latest state or tombstone before it resolves, also while another process relays the topic', async () => {
    const slow = new RecordingRelayPublisher();
    const { promise, resolve } = Promise.withResolvers<undefined>();
    slow.before = () => promise;
    const relaying = stage.replica({ publisher: slow });
    stage.start(relaying);
    await relaying.outbox.flush();
    const other = stage.replica();
    await stage.write(other, 'a');
    await stage.write(other, 'b');
    await stage.remove(other, 'b', 2);
    await other.announcements.publishNow(['a', 'b']);
    expect(stage.messages()).toEqual([message('a', 1), tombstone('b', 2)]);
    resolve(undefined);
    await eventually(() => {
      expect(slow.log.map(({ message: each }) => each)).toEqual([message('a', 1), message('b', 1), tombstone('b', 2)]);
    });
  });

  it('rejects when the state is not on the topic in time', async () => {
    const replica = stage.replica();
    await stage.write(replica, 'a');
    stage.publisher.before = () => Promise.reject(new UnavailableError('Kafka is unavailable.'));
    await expect(replica.announcements.publishNow(['a'])).rejects.toThrow(UnavailableError);
    stage.publisher.before = () => new Promise(() => undefined);
    await expect(replica.announcements.publishNow(['a'], { deadlineMs: 50 })).rejects.toThrow(UnavailableError);
    stage.publisher.before = () => Promise.resolve();
  });

  it('rejects when the state is too large for the topic', async () => {
    const replica = stage.replica();
    await stage.write(replica, 'a');
    stage.publisher.before = () => Promise.reject(new TooLargeError('It is too large.'));
    await expect(replica.announcements.publishNow(['a'])).rejects.toThrow(UnavailableError);
  });
});

describe('publishDeletions', () => {
  it('publishes the tombstones in the outbox, and no state', async () => {
    const replica = stage.replica();
    for (const id of ['a', 'b', 'c']) await stage.write(replica, id);
    await stage.remove(replica, 'b', 2);
    await stage.remove(replica, 'c', 2);
    await replica.announcements.publishDeletions();
    expect(stage.messages()).toEqual(expect.arrayContaining([tombstone('b', 2), tombstone('c', 2)]));
    expect(stage.messages()).toHaveLength(2);
  });

  it('publishes nothing where no deletion waits', async () => {
    const replica = stage.replica();
    await stage.write(replica, 'a');
    await replica.announcements.publishDeletions();
    expect(stage.messages()).toEqual([]);
  });

  it('rejects when a tombstone is not on the topic in time', async () => {
    const replica = stage.replica();
    await stage.write(replica, 'a');
    await stage.remove(replica, 'a', 2);
    stage.publisher.before = () => Promise.reject(new UnavailableError('Kafka is unavailable.'));
    await expect(replica.announcements.publishDeletions()).rejects.toThrow(UnavailableError);
    stage.publisher.before = () => Promise.resolve();
  });
});

describe('republish', () => {
  it('publishes every state, in bounded pages', async () => {
    await stage.things.insertMany(Array.from({ length: 250 }, (_, index) => ({ _id: `t${index}`, n: 1 })));
    const pages: number[] = [];
    stage.publisher.before = (messages) => {
      pages.push(messages.length);
      return Promise.resolve();
    };
    await stage.replica().announcements.republish();
    expect(stage.publisher.compacted().size).toBe(250);
    expect(Math.max(...pages)).toBe(20);
  });

  it('leaves the newest state or tombstone last where a frozen process repeated an older state', async () => {
    const replica = stage.replica();
    await stage.write(replica, 'a');
    await stage.write(replica, 'a');
    await stage.write(replica, 'b');
    await stage.remove(replica, 'b', 2);
    await replica.announcements.flush();
    await stage.publisher.publish(Escalations, [message('a', 1), message('b', 1)]);
    await stage.replica().announcements.republish();
    expect(stage.last('a')).toEqual(message('a', 2));
    expect(stage.last('b')).toEqual(tombstone('b', 2));
  });

  it('is due twice while the topic keeps a message for certain, and erases a key after more than twice that time', () => {
    expect(STATE_COMPACTION_LAG_MS).toBeGreaterThanOrEqual(2 * STATE_REPUBLISH_MS);
    expect(STATE_TOMBSTONE_MS).toBeGreaterThan(2 * STATE_COMPACTION_LAG_MS);
  });

  it('erases the key of an entity once its tombstone is old enough, and forgets it', async () => {
    const replica = stage.replica();
    await stage.write(replica, 'a');
    await stage.remove(replica, 'a', 2);
    await replica.announcements.flush();
    await replica.announcements.republish();
    expect(stage.last('a')).toEqual(tombstone('a', 2));
    await stage.replica({ tombstoneMs: -1 }).announcements.republish();
    expect(stage.last('a')).toBeNull();
    expect(await tombstones()).toBe(0);
  });

  it('erases the key again where the process died after the erasure', async () => {
    const replica = stage.replica({ tombstoneMs: -1 });
    await stage.write(replica, 'a');
    await stage.remove(replica, 'a', 2);
    await replica.announcements.flush();
    const erase = stage.publisher.erase.bind(stage.publisher);
    stage.publisher.erase = async (topic, keys) => {
      await erase(topic, keys);
      throw new Error('killed');
    };
    await expect(replica.announcements.republish()).rejects.toThrow('killed');
    stage.publisher.erase = erase;
    await replica.announcements.republish();
    expect(stage.messages().slice(-2)).toEqual([null, null]);
    expect(await tombstones()).toBe(0);
  });

  it('does not erase the key of an entity that was published again after its deletion', async () => {
    const replica = stage.replica();
    await stage.write(replica, 'a');
    await stage.remove(replica, 'a', 2);
    await stage.things.insertOne({ _id: 'a', n: 2 });
    await stage.write(replica, 'a');
    await replica.announcements.flush();
    await stage.replica({ tombstoneMs: -1 }).announcements.republish();
    expect(stage.last('a')).toEqual(message('a', 3));
    expect(await tombstones()).toBe(0);
  });

  it('publishes an entity once more that was created again while its key was erased', async () => {
    const replica = stage.replica({ tombstoneMs: -1 });
    await stage.write(replica, 'a');
    await stage.remove(replica, 'a', 2);
    await replica.announcements.flush();
    const erase = stage.publisher.erase.bind(stage.publisher);
    stage.publisher.erase = async (topic, keys) => {
      await stage.things.insertOne({ _id: 'a', n: 2 });
      await stage.write(replica, 'a');
      await replica.announcements.flush();
      await erase(topic, keys);
    };
    await replica.announcements.republish();
    expect(stage.last('a')).toEqual(message('a', 3));
  });

  it('goes on after an entity that is too large, and rejects where Kafka is unavailable', async () => {
    await stage.things.insertMany(Array.from({ length: 150 }, (_, index) => ({ _id: `t${index}`, n: 1 })));
    let publications = 0;
    stage.publisher.before = () => {
      publications += 1;
      return publications === 1 ? Promise.reject(new TooLargeError('It is too large.')) : Promise.resolve();
    };
    await stage.replica().announcements.republish();
    expect(stage.publisher.compacted().size).toBe(130);
    stage.publisher.before = () => Promise.reject(new UnavailableError('Kafka is unavailable.'));
    await expect(stage.replica().announcements.republish()).rejects.toThrow(UnavailableError);
  });

  it('ends where it is aborted', async () => {
    await stage.things.insertOne({ _id: 'a', n: 1 });
    await expect(stage.replica().announcements.republish(AbortSignal.abort())).rejects.toThrow();
    expect(stage.messages()).toEqual([]);
  });
});
