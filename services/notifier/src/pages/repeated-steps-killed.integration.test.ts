import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ManualClock } from '@tocsin/core';
import type { Page } from '@tocsin/events';
import { collectionOf } from '@tocsin/mongo';
import { deathOf, eventually, testMongo, type PointOfDeath } from '@tocsin/testkit';
import { expandPage, waitingPage, type ExpandedPage } from './expanded-page.ts';
import { type PageDocument, DELIVERIES } from '../messages/delivery-document.ts';
import { useComponent } from '../testing/component-fixture.ts';
import { repeatAt, repeatingAda, steps, type KilledRepeater } from '../testing/killed-repeater.ts';
import { openMongoStores, repetitionsOf, type MongoStores } from '../testing/mongo-stores.ts';
import { page } from '../testing/page-samples.ts';
import { batch, NO_SLOTS } from '../testing/store-samples.ts';

const REPEATER = fileURLToPath(new URL('../testing/killed-repeater.ts', import.meta.url));
const at = (minute: number): Date => new Date(new Date(page().pagedAt).getTime() + minute * 60_000);
const MINUTES = [10, 20, 30, 40];
/** In the order of a transaction. */
const POINTS: readonly PointOfDeath[] = [
  { when: 'after', command: 'update', collection: DELIVERIES },
  { when: 'after', command: 'insert', collection: DELIVERIES },
  { when: 'before', command: 'commitTransaction' },
  { when: 'after', command: 'commitTransaction' },
];

const setUp = useComponent();
let mongo: Awaited<ReturnType<typeof testMongo>>;
let stores: MongoStores;

beforeEach(async () => {
  mongo = await testMongo();
  stores = await openMongoStores(mongo);
});

afterEach(async () => {
  await stores.connection.dropDatabase();
  await stores.connection.close();
});

const known = (of: Page): ExpandedPage =>
  expandPage(of, { user: repeatingAda, channels: new Set(['email']), now: at(0) });

const take = (expand: (of: Page) => ExpandedPage, ...pages: readonly Page[]) =>
  stores.settlePages([batch('pages.v1', pages)], expand, NO_SLOTS);

/** By what a process was killed that repeats the due work. */
async function killed(minute: number, point: PointOfDeath): Promise<NodeJS.Signals | null> {
  const { connection } = stores;
  const now = at(minute).toISOString();
  const options: KilledRepeater = { mongoUri: mongo.uri, database: connection.name, now, dieAt: point };
  const child = spawn(process.execPath, ['--conditions=source', REPEATER, JSON.stringify(options)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return (await deathOf(child, connection)).signal;
}

const rows = () => collectionOf<PageDocument>(stores.connection, DELIVERIES);

async function outcomeIn(of: MongoStores) {
  const decisions = (await of.decisions()).filter(({ stage }) => stage === 'page');
  return {
    rows: (await of.rows()).map(({ _id }) => _id),
    decisions: decisions.map(({ decisionId }) => decisionId).toSorted(),
    nextDueAt: (await of.rows()).find(({ _id }) => _id === page().pageId)?.nextDueAt,
  };
}

const outcome = () => outcomeIn(stores);

/** The same in another database, where nothing goes wrong. */
async function ideal(minutes: readonly number[], isUnavailable = false) {
  const model = await setUp(isUnavailable ? [] : [repeatingAda]);
  model.unavailable.directory = isUnavailable;
  await model.settle(page());
  model.unavailable.directory = false;
  model.userIs(repeatingAda);
  for (const minute of minutes) {
    model.clock.moveTo(at(minute));
    await model.fireDue();
  }
  return outcomeIn(model.stores);
}

describe('a page whose steps repeat', () => {
  it('is repeated as usual where a process is killed at each step of it', async () => {
    await take(known, page());
    const deaths: unknown[] = [];
    for (const [index, point] of POINTS.entries()) {
      const minute = 10 * (index + 1);
      deaths.push(await killed(minute, point));
      await repeatAt(at(minute), stores);
    }
    expect(deaths).toEqual(POINTS.map(() => 'SIGKILL'));
    expect(await outcome()).toEqual(await ideal(MINUTES));
    expect((await outcome()).rows).toHaveLength(1 + MINUTES.length);
  });

  it.each<PointOfDeath>([{ when: 'after', command: 'delete', collection: DELIVERIES }, ...POINTS.slice(1)])(
    'begins, where it waits for its user, as if nothing had happened where a process is killed $when $command',
    async (point) => {
      await take((of) => waitingPage(of, at(0)), page());
      expect(await killed(1, point)).toBe('SIGKILL');
      await repeatAt(at(1), stores);
      await repeatAt(at(10), stores);
      expect(await outcome()).toEqual(await ideal([1, 10], true));
    },
  );

  it('is repeated once where several processes find it due', async () => {
    await take(known, page());
    const others = [await openMongoStores(mongo), await openMongoStores(mongo)];
    for (const minute of MINUTES) await Promise.all([stores, ...others].map((each) => repeatAt(at(minute), each)));
    for (const { connection } of others) await connection.close();
    expect(await outcome()).toEqual(await ideal(MINUTES));
  });

  it('delays no other page, and is repeated once, where a process freezes between its write and the commit', async () => {
    const { promise: thawed, resolve: thaw } = Promise.withResolvers<undefined>();
    const { promise: written, resolve: write } = Promise.withResolvers<undefined>();
    await take(known, page());
    let isFrozen = false;
    const repeat: typeof stores.pageStore.repeat = async (...parts) => {
      await stores.pageStore.repeat(...parts);
      isFrozen = true;
      write(undefined);
      await thawed;
    };
    const prepare: typeof steps.prepare = async (...due) => {
      if (isFrozen) await thawed;
      return steps.prepare(...due);
    };
    const giveUp: typeof steps.giveUp = (...parts) => steps.giveUp(...parts);
    const frozen = repeatAt(at(10), stores, { store: { repeat }, steps: { prepare, giveUp } });
    await written;
    await stores.settlePages(
      [{ ...batch('pages.v1', [page({ pageId: 'other', userId: 'other' })]), partition: 1 }],
      known,
      NO_SLOTS,
    );
    await repeatAt(at(10), stores);
    expect((await rows().findOne({ _id: 'other' }))?.nextDueAt).toEqual(at(20));
    expect((await rows().findOne({ _id: page().pageId }))?.nextDueAt).toEqual(at(10));
    thaw(undefined);
    await frozen;
    await repeatAt(at(10), stores);
    await rows().deleteMany({ 'page.pageId': 'other' });
    expect((await outcome()).rows).toEqual((await ideal([10])).rows);
  });

  it('is no longer repeated where that always fails, logs it, and delays no other page', async () => {
    await take(known, page(), page({ pageId: 'other', userId: 'other' }));
    const prepare: typeof steps.prepare = async (...due) => {
      const expand = await steps.prepare(...due);
      return (repetition) => {
        if (repetition.page.pageId === 'other') throw new TypeError('odd');
        return expand(repetition);
      };
    };
    const giveUp: typeof steps.giveUp = (...parts) => steps.giveUp(...parts);
    const { connection, pageStore: store } = stores;
    const clock = new ManualClock(at(10));
    const repetitions = repetitionsOf({ connection, store, steps: { prepare, giveUp }, clock });
    const repeat = () => repetitions.activate(new AbortController().signal);
    await repeat();
    expect((await rows().findOne({ _id: page().pageId }))?.nextDueAt).toEqual(at(20));
    // It is tried again, and the one that is repeated meanwhile shows that the error is its own.
    clock.moveTo(at(20));
    await eventually(async () => {
      await repeat();
      expect(await rows().findOne({ _id: 'other' })).not.toHaveProperty('nextDueAt');
    });
    const texts = (await stores.decisions()).flatMap(({ findings }) => findings.map(({ text }) => text));
    expect(texts).toContain(
      'The steps for ada@example.com are not repeated any more: they cannot be worked out (TypeError: odd).',
    );
  });
});
