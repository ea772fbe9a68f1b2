import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { compareVersions, nextVersion, type Version } from '@tocsin/events';
import { collectionOf, reconcileStates, Revision, type Session } from './index.ts';
import { ConfigurationStage, next, thingOf, type Thing } from './testing/configuration-stage.ts';

let stage: ConfigurationStage;

beforeEach(async () => {
  stage = await ConfigurationStage.open();
});

afterEach(() => stage.close());

const reconcile = (
  onTopic: Readonly<Record<string, { version: Version; deleted: boolean }>>,
  load: typeof stage.source.load = (ids, session) => stage.source.load(ids, session),
  options: Partial<Parameters<typeof reconcileStates>[0]> = {},
) =>
  reconcileStates({
    connection: stage.connection,
    collection: 'things',
    load,
    announcements: stage.announcements,
    onTopic: new Map(Object.entries(onTopic)),
    ...options,
  });
const revision = () => new Revision(stage.connection).current();
const present = ({ version }: Pick<Thing, 'version'>) => ({ version, deleted: false });
const gone = ({ version }: Pick<Thing, 'version'>) => ({ version: nextVersion(version), deleted: true });

/** A thing, and what became of it after the backup. */
async function restored(id: string, changes: Partial<Thing> = {}) {
  const thing = thingOf(id, changes);
  await stage.things.insert(thing);
  return { thing, later: next(next(thing, { name: 'Later' }), {}) };
}

/** The messages about a thing that were published since the previous call. */
async function published(id: string) {
  await stage.outbox.flush();
  const messages = stage.publisher.log.splice(0).map(({ message }) => message as { id: string; version: Version });
  return messages.filter((message) => message.id === id);
}

describe('a database that was restored beside a topic that went on', () => {
  it('publishes a state that is older than on the topic with a new epoch, which all later writes continue', async () => {
    const { later } = await restored('a');
    await published('a');
    expect(await reconcile({ a: present(later) })).toEqual(['a']);
    const renewed = await stage.things.find({ _id: 'a' });
    expect(renewed?.name).toBe('Thing a');
    expect(compareVersions(renewed?.version ?? later.version, later.version)).toBeGreaterThan(0);
    expect(await published('a')).toMatchObject([
      { version: renewed?.version, deleted: false, state: { name: 'Thing a' } },
    ]);
    expect(await reconcile({ a: { version: renewed?.version ?? later.version, deleted: false } })).toEqual([]);
  });

  it('publishes entities that were deleted after the backup', async () => {
    const { thing } = await restored('a');
    await published('a');
    const deleted = gone(thing);
    expect(await reconcile({ a: deleted })).toEqual(['a']);
    const [state] = await published('a');
    expect(state).toMatchObject({ deleted: false });
    expect(compareVersions(state?.version ?? thing.version, deleted.version)).toBeGreaterThan(0);
  });

  it('publishes a tombstone for an entity that was created after the backup, and makes processes reload', async () => {
    const created = thingOf('new');
    const before = await revision();
    expect(await reconcile({ new: present(created) })).toEqual(['new']);
    expect(await published('new')).toEqual([{ id: 'new', version: nextVersion(created.version), deleted: true }]);
    expect(await revision()).toBe(before + 1);
  });

  it('publishes no tombstone for an entity that exists: it would be erased from the topic a day later', async () => {
    const created = thingOf('new');
    const load: typeof stage.source.load = async (ids, session) => {
      if ((await stage.things.find({ _id: 'new' })) === undefined) await stage.things.insert(created);
      return stage.source.load(ids, session);
    };
    await reconcile({ new: present(created) }, load);
    expect((await published('new')).map(({ version }) => version)).toContainEqual(created.version);
    expect(await stage.outbox.pending()).toBe(0);
  });

  it('publishes a tombstone for a state that is no longer published, with a lower version than its next state', async () => {
    const { later } = await restored('a', { draft: true });
    expect(await reconcile({ a: present(later) })).toEqual(['a']);
    const [tombstone] = await published('a');
    expect(tombstone).toMatchObject({ deleted: true });
    expect(compareVersions(tombstone?.version ?? later.version, later.version)).toBeGreaterThan(0);
    await stage.things.update({ _id: 'a' }, (thing) => next(thing, { draft: false }));
    const [state] = await published('a');
    expect(state).toMatchObject({ deleted: false });
    expect(compareVersions(state?.version ?? later.version, tombstone?.version ?? later.version)).toBeGreaterThan(0);
  });

  it('is brought up to date once by two processes that start together', async () => {
    const { later } = await restored('a');
    await Promise.all([reconcile({ a: present(later) }), reconcile({ a: present(later) })]);
    expect((await stage.things.find({ _id: 'a' }))?.version).toEqual({ epoch: later.version.epoch + 1, n: 1 });
  });
});

describe('entities that a backup must not bring back', () => {
  const HOUR = 3_600_000;
  const { createdAt } = thingOf('any');
  const reconcileAt = (
    onTopic: Parameters<typeof reconcile>[0],
    deleteCreatedBefore: Date,
    options: Parameters<typeof reconcile>[2] = {},
  ) => reconcile(onTopic, undefined, { ...options, deleteCreatedBefore });

  it('are deleted where the topic has them as deleted, or newer, or not at all', async () => {
    const [ended, used] = [await restored('ended'), await restored('used')];
    const ended2 = await restored('ended long ago');
    const same = await restored('same');
    await published('same');
    const onTopic = { ended: gone(ended.thing), used: present(used.later), same: present(same.thing) };
    const ids = await reconcileAt(onTopic, new Date(createdAt.getTime() + HOUR));
    expect(ids.toSorted()).toEqual(['ended', 'ended long ago', 'used']);
    expect((await stage.things.list({})).map(({ id }) => id)).toEqual(['same']);
    await stage.outbox.flush();
    const messages = stage.publisher.log.splice(0).map(({ message }) => message as { id: string; version: Version });
    for (const [id, version] of [
      ['ended', gone(ended.thing).version],
      ['used', used.later.version],
      ['ended long ago', ended2.thing.version],
    ] as const) {
      const last = messages.findLast((message) => message.id === id);
      expect(last).toMatchObject({ id, deleted: true });
      expect(compareVersions(last?.version ?? version, version)).toBeGreaterThan(0);
    }
  });

  it('stay where they are so new that their publication may be under way', async () => {
    await restored('new');
    expect(await reconcileAt({}, createdAt)).toEqual([]);
    expect(await stage.things.list({})).toHaveLength(1);
  });

  it('are deleted once by two processes that start together', async () => {
    await restored('a');
    await published('a');
    const later = new Date(createdAt.getTime() + HOUR);
    const ids = await Promise.all([reconcileAt({}, later), reconcileAt({}, later)]);
    expect(ids.flat()).toEqual(['a']);
    expect(await stage.things.list({})).toEqual([]);
    expect(await published('a')).toHaveLength(1);
  });

  it('are not confused with one whose next version is published between the read of the database and the comparison', async () => {
    const { thing } = await restored('used');
    // Each lookup of one entity comes after its publication; only a copy that was made before knows the older version.
    class LiveTopic extends Map<string, { version: Version; deleted: boolean }> {
      override get() {
        return present(next(thing, {}));
      }
    }
    const onTopic = new LiveTopic([['used', present(thing)]]);
    expect(await reconcileAt({}, createdAt, { onTopic })).toEqual([]);
    expect(await stage.things.list({})).toEqual([thing]);
  });

  it('are not confused with one that is written between the read of the database and the deletion', async () => {
    const [a, b] = [await restored('a'), await restored('b')];
    await stage.outbox.flush();
    stage.publisher.log.splice(0);
    const { things } = await stage.replica();
    const onTopic = { a: present(a.later), b: present(b.later) };
    const { announcements } = stage;
    let isWritten = false;
    const ids = await reconcileAt(onTopic, createdAt, {
      announcements: {
        addStates: (session, states) => announcements.addStates(session, states as never),
        flush: () => announcements.flush(),
        versionOfNew: (session, id, first) => announcements.versionOfNew(session, id, first),
        addTombstone: async (session, id, version) => {
          if (!isWritten) await things.update({ _id: 'b' }, (thing) => ({ ...thing, version: b.later.version }));
          isWritten = true;
          await announcements.addTombstone(session, id, version);
        },
      },
    });
    expect(ids).toEqual(['a']);
    expect(await stage.things.list({})).toMatchObject([{ id: 'b', version: b.later.version }]);
    expect(await published('b')).toEqual([]);
  });

  it('write the work after a restore in the same transaction', async () => {
    const { later } = await restored('deleted');
    const created = thingOf('created later');
    const notes = collectionOf<{ _id: string }>(stage.connection, 'notes');
    const afterRestore = async (session: Session) => {
      await notes.updateOne({ _id: 'restored' }, { $set: {} }, { session, upsert: true });
      throw new Error('the process dies');
    };
    for (const onTopic of [
      { deleted: present(later) },
      { deleted: present(thingOf('deleted')), created: present(created) },
    ])
      await expect(reconcileAt(onTopic, createdAt, { afterRestore })).rejects.toThrow('the process dies');
    expect([await stage.things.list({}), await notes.find().toArray()]).toEqual([[thingOf('deleted')], []]);
    await reconcileAt({ deleted: present(later) }, createdAt, {
      afterRestore: async (session) => {
        await notes.updateOne({ _id: 'restored' }, { $set: {} }, { session, upsert: true });
      },
    });
    expect(await notes.find().toArray()).toEqual([{ _id: 'restored' }]);
  });

  it('lead to no work after a restore where there was none', async () => {
    const { thing } = await restored('same');
    const afterRestore = () => Promise.reject(new Error('there was no restore'));
    expect(await reconcileAt({ same: present(thing) }, createdAt, { afterRestore })).toEqual([]);
  });
});

describe('a database without newer states on the topic', () => {
  it('is not changed, whatever the topic lacks', async () => {
    const { thing } = await restored('same');
    await restored('unheard');
    await stage.things.insert(next(thingOf('newer'), {}));
    await published('same');
    const before = await revision();
    const onTopic = { same: present(thing), newer: present(thingOf('newer')), deleted: gone(thingOf('deleted')) };
    expect(await reconcile(onTopic)).toEqual([]);
    expect([await revision(), await published('same')]).toEqual([before, []]);
  });

  it('is compared page by page', async () => {
    const things = Array.from({ length: 250 }, (_, number) => thingOf(`t${number}`));
    const ids = await reconcile(Object.fromEntries(things.map((thing) => [thing.id, present(thing)])));
    expect(ids).toEqual(things.map(({ id }) => id));
  });
});
