import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { UnavailableError } from '@tocsin/errors';
import { ConfigurationSnapshot, Revision, type Session } from './index.ts';
import { ConfigurationStage, next, thingOf, type Thing } from './testing/configuration-stage.ts';

let stage: ConfigurationStage;
let loads: number;

beforeEach(async () => {
  stage = await ConfigurationStage.open();
  loads = 0;
});

afterEach(() => stage.close());

type Things = readonly Thing[];

const replica = () =>
  new ConfigurationSnapshot<Things>(stage.connection, (session) => {
    loads += 1;
    return stage.things.list({}, session);
  });

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
  it('gives what was written last, by whichever replica, and loads again only when something was written', async () => {
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

  it('lets one of 50 writers of a name win, whichever replica they ask, and tells the others why not', async () => {
    const replicas = [replica(), replica()] as const;
    const writers = Array.from({ length: 50 }, (_, n) =>
      replicas[n % 2 === 0 ? 0 : 1].change(add(thingOf(`${n}`, { name: 'one' }))),
    );
    const settled = await Promise.allSettled(writers);
    expect(settled.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(settled.every((each) => !('reason' in each) || (each.reason as Error).message === 'taken')).toBe(true);
  });

  it('decides each write on what the write before left', async () => {
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
    const slow = new ConfigurationSnapshot<Things>(other.connection, async (session) => {
      for (let n = 0; n < 30; n += 1) await other.things.list({}, session);
      return other.things.list({}, session);
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
  }, 60_000);

  it('decides anew when another replica wrote after the load, and writes nothing when that decision says so', async () => {
    const [one, other] = [replica(), await stage.replica()];
    const late = new ConfigurationSnapshot<Things>(other.connection, async (session) => {
      const found = await other.things.list({}, session);
      if (decided.length === 0) await one.change(add(thingOf('a')));
      return found;
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

  it('gives up after 5 s when the database lets nobody write, and goes on afterwards', async () => {
    const snapshot = replica();
    const holder = await stage.connection.startSession();
    holder.startTransaction();
    await new Revision(stage.connection).bump(holder);
    await expect(snapshot.change(add(thingOf('a')))).rejects.toThrow(UnavailableError);
    await holder.abortTransaction();
    await holder.endSession();
    expect(await snapshot.change(add(thingOf('a')))).toBe(0);
  }, 60_000);

  it('turns a writer away when 200 wait already', async () => {
    const { promise: loading, resolve } = Promise.withResolvers<Things>();
    const snapshot = new ConfigurationSnapshot<Things>(stage.connection, () => loading);
    const none = () => snapshot.change(() => ({ answer: undefined }));
    const waiting = Array.from({ length: 200 }, none);
    await expect(none()).rejects.toThrow(UnavailableError);
    resolve([]);
    await Promise.allSettled(waiting);
    await none();
  });
});
