import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { nextVersion } from '@tocsin/events';
import { ConflictError, UnavailableError } from '@tocsin/core';
import { eventually, monitoredUri, sentCommands, testMongo } from '@tocsin/testkit';
import { changeConfiguration, collectionOf, ConfigurationCollection, connectMongo, Revision } from './index.ts';
import { ConfigurationStage, createdAt, next, thingOf, type Thing } from './testing/configuration-stage.ts';
import { retryWhileUnavailable } from './testing/retry-while-unavailable.ts';

let stage: ConfigurationStage;
let things: ConfigurationCollection<Thing>;

beforeEach(async () => {
  stage = await ConfigurationStage.open();
  ({ things } = stage);
});

afterEach(() => stage.close());

const revision = () => new Revision(stage.connection).current();
const idsOf = (listed: readonly Thing[]) => listed.map(({ id }) => id);

describe('ConfigurationCollection', () => {
  it('gives back the written value, and stores undefined fields as absent at every depth', async () => {
    await things.insert(thingOf('a', { note: { text: undefined } }));
    expect(await things.find({ name: 'Thing a' })).toEqual(thingOf('a', { note: { text: undefined } }));
    expect(await things.find({ _id: 'b' })).toBeUndefined();
    await things.update({ _id: 'a' }, (thing) => ({ ...thing, draft: true }));
    const { version } = thingOf('a');
    expect(await collectionOf(stage.connection, 'things').findOne({})).toStrictEqual({
      _id: 'a',
      name: 'Thing a',
      note: {},
      draft: true,
      createdAt,
      version,
    });
  });

  it('lists what a filter matches in the order of creation, then of the ids (E7)', async () => {
    const later = new Date(createdAt.getTime() + 1);
    await things.insert(thingOf('c', { createdAt: later }));
    await things.insert(thingOf('b', { draft: true }));
    await things.insert(thingOf('a'));
    expect(idsOf(await things.list())).toEqual(['a', 'b', 'c']);
    expect(idsOf(await things.list({ draft: false }))).toEqual(['a', 'c']);
  });

  it('reads a page in the order that is asked for, and of each entity the fields that are asked for', async () => {
    for (const id of ['a', 'b', 'c', 'd'])
      await things.insert(
        thingOf(id, { createdAt: new Date(createdAt.getTime() - id.charCodeAt(0)), draft: id === 'd' }),
      );
    expect(idsOf(await things.select({}, { limit: 2 }))).toEqual(['d', 'c']);
    expect(idsOf(await things.select({ draft: false }, { sort: { _id: 1 }, skip: 1 }))).toEqual(['b', 'c']);
    expect(await things.select({ _id: 'a' }, { fields: ['name', 'note'] })).toEqual([{ id: 'a', name: 'Thing a' }]);
    expect(await things.select({}, { fields: [], sort: { _id: -1 }, limit: 1 })).toEqual([{ id: 'd' }]);
  });

  it('counts what a filter matches, up to a limit, and everything by the keys of an index', async () => {
    for (const id of ['a', 'b', 'c']) await things.insert(thingOf(id, { draft: id === 'c' }));
    expect([await things.count(), await things.count({ draft: false })]).toEqual([3, 2]);
    expect(await things.count({ draft: false }, { limit: 1 })).toBe(1);
    await changeConfiguration(stage.connection, async (session) => {
      await things.insert(thingOf('d'), session);
      expect([await things.count({}, { session }), await things.count({ draft: false })]).toEqual([4, 2]);
    });
  });

  it('refuses a used id and a used name in the words of the kind, and keeps the present entity', async () => {
    await things.insert(thingOf('a'));
    await things.insert(thingOf('b'));
    const taken = things.insert(thingOf('c', { name: 'Thing a' }));
    await expect(taken).rejects.toThrow('Thing with name [Thing a] already exists.');
    await expect(things.insert(thingOf('a', { name: 'x' }))).rejects.toThrow('Thing with _id_ [x]');
    await expect(things.update({ _id: 'b' }, (thing) => ({ ...thing, name: 'Thing a' }))).rejects.toThrow(
      ConflictError,
    );
    expect(await things.list()).toEqual([thingOf('a'), thingOf('b')]);
    expect(await revision()).toBe(2);
    expect(await stage.outbox.pending()).toBe(0);
  });

  it('lets one of 50 creates of one name win', async () => {
    const creates = Array.from({ length: 50 }, (_, n) => things.insert(thingOf(`${n}`, { name: 'one' })));
    const refused = (await Promise.allSettled(creates)).filter(({ status }) => status === 'rejected');
    expect(refused).toHaveLength(49);
    expect(refused.every((each) => 'reason' in each && each.reason instanceof ConflictError)).toBe(true);
  });

  it('lets 20 concurrent creates of different names succeed without a repeat', async () => {
    let starts = 0;
    const creates = Array.from({ length: 20 }, (_, n) =>
      retryWhileUnavailable(() =>
        changeConfiguration(stage.connection, (session) => {
          starts += 1;
          return things.insert(thingOf(`${n}`), session);
        }),
      ),
    );
    expect((await Promise.allSettled(creates)).filter(({ status }) => status === 'rejected')).toEqual([]);
    expect([await revision(), starts]).toEqual([20, 20]);
  });

  it('lets all creates of different names succeed when two replicas are given 10 each at once', async () => {
    const replicas = [stage, await stage.replica()];
    const creates = replicas.flatMap((replica, r) =>
      Array.from({ length: 10 }, (_, n) => retryWhileUnavailable(() => replica.things.insert(thingOf(`${r}.${n}`)))),
    );
    expect((await Promise.allSettled(creates)).filter(({ status }) => status === 'rejected')).toEqual([]);
    expect(await things.list()).toHaveLength(20);
  });

  it('loses none of many changes made at once', async () => {
    await things.insert(thingOf('a'));
    const change = () => things.update({ _id: 'a' }, (thing) => next(thing, {}));
    const changes = Array.from({ length: 10 }, () => retryWhileUnavailable(change));
    await Promise.all(changes);
    expect(await things.find({ _id: 'a' })).toMatchObject({ version: { n: 11 } });
  });

  it('does not change the revision for a kind that says so, and loses none of the changes of one entity by two replicas', async () => {
    const aside = { collection: 'asides', incrementsRevision: false };
    const [one, two] = [stage, await stage.replica()].map(
      ({ connection }) => new ConfigurationCollection<Thing>(connection, aside),
    ) as [ConfigurationCollection<Thing>, ConfigurationCollection<Thing>];
    await one.insert(thingOf('a'));
    const changes = Array.from({ length: 10 }, (_, n) =>
      (n % 2 === 0 ? one : two).update({ _id: 'a' }, (thing) => next(thing, {})),
    );
    await Promise.all(changes);
    expect(await two.find({ _id: 'a' })).toMatchObject({ version: { n: 11 } });
    await two.remove({ _id: 'a' });
    expect(await revision()).toBe(0);
  });

  it('writes and announces nothing when a change changes nothing, is a refusal or finds nothing', async () => {
    await things.insert(thingOf('a'));
    const published = stage.published().length;
    expect(await things.update({ _id: 'a' }, (thing) => thing)).toEqual(thingOf('a'));
    const refusing = things.update({ _id: 'a' }, () => {
      throw new UnavailableError('no');
    });
    await expect(refusing).rejects.toThrow('no');
    expect(await things.update({ _id: 'b' }, (thing) => next(thing, {}))).toBeUndefined();
    expect(await things.remove({ _id: 'b' })).toBeUndefined();
    expect([await revision(), stage.published().length]).toEqual([1, published]);
  });

  it('gives up a read that takes the database over 2 s', async () => {
    await things.insert(thingOf('a'));
    const endless = { $where: 'for (;;) sleep(50)' };
    const stopped = { name: 'UnavailableError', cause: { codeName: 'MaxTimeMSExpired' } };
    const reads = await Promise.allSettled([
      things.find(endless),
      things.list(endless),
      things.select(endless, { fields: ['name'] }),
    ]);
    expect(reads).toMatchObject(reads.map(() => ({ reason: stopped })));
  });

  it('resolves with the removed entity, and frees its name', async () => {
    await things.insert(thingOf('a', { name: 'x' }));
    expect(await things.remove({ name: 'x' })).toEqual(thingOf('a', { name: 'x' }));
    await things.insert(thingOf('b', { name: 'x' }));
    expect(idsOf(await things.list())).toEqual(['b']);
  });

  it('publishes before a write resolves, and a delete under a later version', async () => {
    await things.insert(thingOf('a'));
    expect(stage.published()).toMatchObject([{ id: 'a', version: { n: 1 }, state: { name: 'Thing a' } }]);
    await things.update({ _id: 'a' }, (thing) => next(thing, { name: 'new' }));
    expect(stage.published().at(-1)).toMatchObject({ version: { n: 2 }, state: { name: 'new' } });
    await things.remove({ _id: 'a' });
    expect(stage.published().at(-1)).toEqual({ id: 'a', version: { epoch: createdAt.getTime(), n: 3 }, deleted: true });
  });

  it('publishes an entity that is created again under a later version than its deletion, whatever the clock says', async () => {
    await things.insert(thingOf('a'));
    await things.remove({ _id: 'a' });
    await things.insert(thingOf('a'));
    expect(stage.published().at(-1)).toMatchObject({ id: 'a', version: { n: 3 }, deleted: false });
    expect(await things.find({ _id: 'a' })).toMatchObject({ version: { n: 3 } });
    await things.remove({ _id: 'a' });
    const version = { epoch: createdAt.getTime() + 1, n: 1 };
    await things.insert(thingOf('a', { version }));
    expect(stage.published().at(-1)).toMatchObject({ version, deleted: false });
  });

  it('publishes the deletion of an entity that others know, and nothing of one that they never knew', async () => {
    await things.insert(thingOf('a', { draft: true }));
    await things.insert(thingOf('b', { draft: true }));
    await things.remove({ _id: 'b' });
    expect(stage.published()).toEqual([]);
    await things.update({ _id: 'a' }, (thing) => next(thing, { draft: false }));
    await things.update({ _id: 'a' }, (thing) => ({ ...thing, draft: true }));
    expect(stage.published().at(-1)).toEqual({ id: 'a', version: { epoch: createdAt.getTime(), n: 3 }, deleted: true });
  });

  it('keeps states that could not be published for the sweep', async () => {
    stage.publisher.before = () => Promise.reject(new UnavailableError('Kafka is unavailable.'));
    await things.insert(thingOf('a'));
    expect(await stage.outbox.pending()).toBe(1);
  });
});

describe('changeConfiguration', () => {
  it('writes all of it or nothing, and moves the revision once', async () => {
    const two = (second: Thing) =>
      changeConfiguration(stage.connection, async (session) => {
        await things.insert(thingOf('a'), session);
        await things.insert(second, session);
      });
    await expect(two(thingOf('b', { name: 'Thing a' }))).rejects.toThrow(ConflictError);
    expect([await things.list(), stage.published()]).toEqual([[], []]);
    await two(thingOf('b'));
    expect([idsOf(await things.list()), await revision()]).toEqual([['a', 'b'], 1]);
    expect(stage.published()).toHaveLength(2);
  });

  it('lets no other change come between the read and the write of a change', async () => {
    await things.insert(thingOf('a'));
    await things.insert(thingOf('b'));
    // Each leaves the other: without an order both would go.
    const leave = (id: string) =>
      changeConfiguration(stage.connection, async (session) => {
        if ((await things.list({}, session)).length > 1) await things.remove({ _id: id }, session);
      });
    await Promise.all([leave('a'), leave('b')]);
    expect(await things.list()).toHaveLength(1);
  });

  it('does not hold up the next change while it publishes', async () => {
    const kafka = Promise.withResolvers<undefined>();
    stage.publisher.before = () => kafka.promise;
    const first = things.insert(thingOf('a'));
    const second = things.insert(thingOf('b'));
    await eventually(async () => {
      expect(idsOf(await things.list())).toEqual(['a', 'b']);
    });
    kafka.resolve(undefined);
    await Promise.all([first, second]);
  });

  it('refuses a writer while 200 of the process wait, and accepts the next after them', async () => {
    const { promise: held, resolve } = Promise.withResolvers<undefined>();
    const waiting = Array.from({ length: 200 }, () => changeConfiguration(stage.connection, () => held));
    await expect(things.insert(thingOf('a'))).rejects.toThrow('Too many changes wait to be written.');
    resolve(undefined);
    await Promise.allSettled(waiting);
    await things.insert(thingOf('a'));
  });

  it('writes with one command for all removals and one for all changes, however many there are', async () => {
    const { uri } = await testMongo();
    const connection = await connectMongo({ uri: monitoredUri(uri), database: stage.connection.name });
    const sent = sentCommands(connection.getClient());
    const plain = new ConfigurationCollection<Thing>(connection, { collection: 'things' });
    const before = Array.from({ length: 50 }, (_, n) => thingOf(`${n}`));
    const put = before.slice(25).map((thing) => ({ ...thing, draft: true }));
    await changeConfiguration(connection, (session) => plain.write({ put: before }, session));
    await changeConfiguration(connection, (session) => plain.write({ put, removed: before.slice(0, 25) }, session));
    expect(await plain.list()).toEqual(put.toSorted((a, b) => (a.id < b.id ? -1 : 1)));
    expect(sent.filter((command) => command.endsWith(' things') && !command.startsWith('find'))).toEqual([
      'update things',
      'delete things',
      'update things',
    ]);
    await connection.close();
  });

  it('reads only what the majority has, so that no fail-over takes back an answer', async () => {
    const { uri } = await testMongo();
    const connection = await connectMongo({ uri: monitoredUri(uri), database: stage.connection.name });
    const concerns: unknown[] = [];
    connection.getClient().on('commandStarted', ({ command }) => concerns.push(command['readConcern']));
    const read = new ConfigurationCollection<Thing>(connection, { collection: 'things' });
    await read.find({ _id: 'a' });
    await read.list();
    expect(concerns).toEqual([{ level: 'majority' }, { level: 'majority' }]);
    await connection.close();
  });

  it('gives a name to another entity in the step that frees it', async () => {
    await things.insert(thingOf('a', { name: 'x' }));
    const [removed, put] = [[thingOf('a')], [thingOf('b', { name: 'x' })]];
    await changeConfiguration(stage.connection, (session) => things.write({ put, removed }, session));
    expect(await things.list()).toEqual(put);
    expect(stage.published()).toContainEqual({ id: 'a', version: nextVersion(thingOf('a').version), deleted: true });
  });
});
