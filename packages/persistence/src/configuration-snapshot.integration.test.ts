import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { UnavailableError } from '@tocsin/errors';
import { ConfigurationSnapshot } from './index.ts';
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
const add = (thing: Thing) => (present: Things) => {
  if (present.some(({ name }) => name === thing.name)) throw new Error('taken');
  return {
    answer: present.length,
    write: (session: Parameters<typeof stage.things.write>[1]) => stage.things.write({ put: [thing] }, session),
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
