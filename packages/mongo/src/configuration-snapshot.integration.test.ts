import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { UnavailableError } from '@tocsin/core';
import { ConfigurationLog, noteChanged } from './configuration-log.ts';
import type { SnapshotSource } from './configuration-snapshot.ts';
import {
  changeConfiguration,
  ConfigurationSnapshot,
  inTransaction,
  Revision,
  type Session,
  type Writes,
} from './index.ts';
import { ConfigurationStage, next, thingOf, type Thing } from './testing/configuration-stage.ts';

let stage: ConfigurationStage;
let [loads, reads] = [0, 0];

beforeEach(async () => {
  stage = await ConfigurationStage.open();
  [loads, reads] = [0, 0];
});

afterEach(() => stage.close());

type Things = readonly Thing[];

const sourceOf = ({ things }: ConfigurationStage): SnapshotSource<Things> => ({
  load: (session) => {
    loads += 1;
    return things.list({}, session);
  },
  catchUp: async (before, changed, session) => {
    const { put = [], removed = [] } = await things.changesSince(before, changed, session);
    reads += put.length;
    const kept = before.filter((thing) => ![...put, ...removed].some(({ id }) => id === thing.id));
    return [...kept, ...put].toSorted((a, b) => (a.id < b.id ? -1 : 1));
  },
});

const replica = () => new ConfigurationSnapshot(stage.connection, sourceOf(stage));

/** The decision to write `thing` unless one of its name is there. */
const add =
  (thing: Thing, { things } = stage) =>
  (present: Things) => {
    if (present.some(({ name }) => name === thing.name)) throw new Error('taken');
    return {
      answer: present.length,
      write: (session: Session) => things.write({ put: [thing] }, session),
      after: () => [...present, thing],
    };
  };

describe('ConfigurationSnapshot', () => {
  it('gives the last write of any replica, and loads again only after a write', async () => {
    const [one, two] = [replica(), replica()];
    expect(await one.current()).toEqual([]);
    await two.change(add(thingOf('a')));
    expect(await one.current()).toEqual([thingOf('a')]);
    await stage.things.update({ _id: 'a' }, (thing) => next(thing, { name: 'new' }));
    expect(await two.current()).toMatchObject([{ name: 'new' }]);
    const before = loads;
    await Promise.all([one.current(), one.current(), two.current()]);
    expect(loads).toBe(before + 1);
  });

  it('gives the stored state where a fail-over reverted a known write', async () => {
    const snapshot = replica();
    await snapshot.change(add(thingOf('a')));
    jest.spyOn(Revision.prototype, 'current').mockResolvedValueOnce(7);
    expect(await snapshot.current()).toEqual([thingOf('a')]);
  });

  /** Writes through `snapshot`, which is not given the result. */
  const write = (snapshot: ConfigurationSnapshot<Things>, writes: Writes<Thing>) =>
    snapshot.change(() => ({ answer: undefined, write: (session) => stage.things.write(writes, session) }));

  it('reads no more than what other replicas have changed: made, replaced, removed, and made again', async () => {
    const [one, two] = [replica(), replica()];
    const [a, b, c] = [thingOf('a'), thingOf('b'), thingOf('c')];
    await write(one, { put: [a, b, c] });
    expect(await two.current()).toEqual([a, b, c]);
    expect(await one.current()).toEqual([a, b, c]);
    const before = loads;
    reads = 0;
    await write(one, { put: [next(a, { draft: true })] });
    expect(await two.current()).toEqual([next(a, { draft: true }), b, c]);
    expect(reads).toBe(1);
    await write(one, { removed: [b, c], put: [thingOf('d')] });
    await write(one, { put: [thingOf('c', { name: 'again' })] });
    expect(await two.current()).toEqual(await stage.things.list());
    await write(one, { removed: [thingOf('d')] });
    expect(await two.current()).toEqual([next(a, { draft: true }), thingOf('c', { name: 'again' })]);
    expect([loads, await one.current()]).toEqual([before, await two.current()]);
  });

  it('loads everything after a write that was not decided on a snapshot, whatever came after it', async () => {
    const [one, two] = [replica(), replica()];
    await write(one, { put: [thingOf('a')] });
    await two.current();
    await changeConfiguration(stage.connection, (session) => stage.things.insert(thingOf('b'), session));
    await write(one, { put: [thingOf('c')] });
    const before = loads;
    expect(await two.current()).toEqual([thingOf('a'), thingOf('b'), thingOf('c')]);
    expect(loads).toBe(before + 1);
  });

  it('lets one of 50 writers of a name win, whichever replica they ask, and answers the others why not', async () => {
    const replicas = [replica(), replica()] as const;
    const writers = Array.from({ length: 50 }, (_, n) =>
      replicas[n % 2 === 0 ? 0 : 1].change(add(thingOf(`${n}`, { name: 'one' }))),
    );
    const settled = await Promise.allSettled(writers);
    expect(settled.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(settled.every((each) => !('reason' in each) || (each.reason as Error).message === 'taken')).toBe(true);
  });

  it('decides each write on the state after the previous write', async () => {
    const snapshot = replica();
    const writers = Array.from({ length: 10 }, (_, n) => snapshot.change(add(thingOf(`${n}`))));
    expect(await Promise.all(writers)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  });

  it('answers without writing when there is nothing to write', async () => {
    const snapshot = replica();
    await snapshot.change(add(thingOf('a')));
    expect(await snapshot.change(({ length }) => ({ answer: length }))).toBe(1);
    expect(await stage.things.list()).toHaveLength(1);
  });

  it('lets a writer through however fast another replica writes, after two decisions', async () => {
    const [fast, other] = [replica(), await stage.replica()];
    // By the time that it has loaded, the other replica has always written again.
    const { load, catchUp } = sourceOf(other);
    const slowly = async (session: Session) => {
      for (let n = 0; n < 30; n += 1) await other.things.list({}, session);
    };
    const slow = new ConfigurationSnapshot<Things>(other.connection, {
      load: (session) => slowly(session).then(() => load(session)),
      catchUp: (before, changed, session) => slowly(session).then(() => catchUp(before, changed, session)),
    });
    let [decisions, isThrough] = [0, false];
    const flood = (async () => {
      for (let n = 0; n < 300 && !isThrough; n += 1) await fast.change(add(thingOf('a', { name: `${n}` })));
    })();
    const change = slow.change((present) => {
      decisions += 1;
      return add(thingOf('b'), other)(present);
    });
    await change.finally(() => (isThrough = true));
    await flood;
    expect(decisions).toBeLessThanOrEqual(2);
    expect(await fast.current()).toContainEqual(thingOf('b'));
  });

  it('decides again when another replica wrote after the load, and writes nothing when that decision says so', async () => {
    const [one, other] = [replica(), await stage.replica()];
    const late = new ConfigurationSnapshot<Things>(other.connection, {
      ...sourceOf(other),
      load: async (session) => {
        const found = await other.things.list({}, session);
        await one.change(add(thingOf('a')));
        return found;
      },
    });
    const decided: number[] = [];
    const answer = await late.change((present) => {
      decided.push(present.length);
      const write = () => Promise.reject(new Error('decided on the past'));
      return decided.length === 1 ? { answer: 'first', write } : { answer: 'second' };
    });
    expect([answer, decided]).toEqual(['second', [0, 1]]);
    expect([await late.current(), await one.current()]).toEqual([[thingOf('a')], [thingOf('a')]]);
  });

  it('gives up after 5 s where no write can commit, and goes on afterwards', async () => {
    const snapshot = replica();
    const holder = await stage.connection.startSession();
    holder.startTransaction();
    await new Revision(stage.connection).increment(holder);
    await expect(snapshot.change(add(thingOf('a')))).rejects.toThrow(UnavailableError);
    await holder.abortTransaction();
    await holder.endSession();
    expect(await snapshot.change(add(thingOf('a')))).toBe(0);
  });

  it('refuses a writer while 200 wait', async () => {
    const { promise: loading, resolve } = Promise.withResolvers<Things>();
    const snapshot = new ConfigurationSnapshot<Things>(stage.connection, { ...sourceOf(stage), load: () => loading });
    const none = () => snapshot.change(() => ({ answer: undefined }));
    const waiting = Array.from({ length: 200 }, none);
    await expect(none()).rejects.toThrow(UnavailableError);
    resolve([]);
    await Promise.allSettled(waiting);
    await none();
  });
});

describe('ConfigurationLog', () => {
  it('knows the changes of the last 100 revisions, and of no longer span', async () => {
    const log = new ConfigurationLog(stage.connection);
    await inTransaction(stage.connection, async (session) => {
      for (let revision = 1; revision <= 101; revision += 1) {
        noteChanged(session, 'things', `${revision}`);
        await log.append(session, revision);
      }
      expect((await log.between(session, 1, 101))?.get('things')?.size).toBe(101);
      expect(await log.between(session, 0, 101)).toBeUndefined();
    });
  });
});
