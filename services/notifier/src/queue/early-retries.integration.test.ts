import { describe, expect, it } from '@jest/globals';
import { ManualClock } from '@tocsin/core';
import { collectionOf, connectMongo } from '@tocsin/mongo';
import { docsExamined, monitoredUri, sentFinds, testMongo } from '@tocsin/testkit';
import type { SendResult } from '../messages/attempts.ts';
import { DELIVERIES } from '../messages/delivery-document.ts';
import { type Component, componentOn } from '../testing/component-fixture.ts';
import { useStores } from '../testing/mongo-fixture.ts';
import { openDatabase, storesOn, type StoreOptions } from '../testing/mongo-stores.ts';
import { ada, cancel, page } from '../testing/page-samples.ts';
import { EarlyRetries } from './early-retry-store.ts';

const open = useStores();

const BUSY: SendResult = { kind: 'temporary', reason: '451 busy' };
const OK: SendResult = { kind: 'accepted', response: '250 ok' };
const USERS = Array.from({ length: 6 }, (_, number) => ada({ id: `u${number}` }));

/** Pages of as many users as there are, each about an alert of its own. */
const pageOf = (number: number) => page({ pageId: `p${number}`, userId: `u${number}`, alertId: `a${number}` });

/** Two processes of the service on one database. */
async function setUp(options: StoreOptions & { readonly providers?: readonly string[] } = {}) {
  const stores = await open(options);
  const { providers = ['smtp'] } = options;
  const [first, second] = [stores, storesOn(stores.connection, options)].map((each) =>
    componentOn(each, USERS, providers),
  ) as [Component, Component];
  const advance = (ms: number): void => {
    for (const { clock } of [first, second]) clock.advance(ms);
  };
  /** The states and times of all messages, by their ids. */
  const stored = async () => {
    const found = await collectionOf<{ _id: string }>(stores.connection, DELIVERIES).find({}).toArray();
    return new Map(found.map((each) => [each._id, each as { state?: string; nextAt?: Date; earlyRetry?: string }]));
  };
  const states = async () => [...(await stored()).values()].map(({ state }) => state);
  return { first, second, stores, advance, stored, states };
}

/** The first pages are refused so often that each waits for half a minute or more. */
async function refuseFourTimes({ first, advance }: Awaited<ReturnType<typeof setUp>>, pages: number): Promise<void> {
  first.answers.push(...Array<SendResult>(5 * pages).fill(BUSY));
  await first.settle(...Array.from({ length: pages }, (_, number) => pageOf(number)));
  for (let tries = 0; tries < 4; tries += 1) {
    await first.fireDue();
    advance(16_000);
  }
  await first.fireDue();
  first.answers.splice(0);
}

describe('a provider that accepts a message after it refused others for a while (U7)', () => {
  it('gets all that wait for it at once, and none of them twice', async () => {
    const system = await setUp();
    await refuseFourTimes(system, 5);
    const { first, states } = system;
    const tried = first.mails.length;
    await first.fireDue();
    expect([first.mails.length, await states()]).toEqual([tried, Array(5).fill('waiting')]);
    await first.settle(pageOf(5));
    await first.fireDue();
    expect([first.mails.length - tried, await states()]).toEqual([6, Array(6).fill('sent')]);
  });

  it('gets them also from another process, which saw no refusal', async () => {
    const system = await setUp();
    await refuseFourTimes(system, 5);
    const { advance, first, second, states } = system;
    await first.settle({ ...pageOf(5), pagedAt: new Date(first.clock.now().getTime() + 500).toISOString() });
    advance(500);
    await second.fireDue();
    await Promise.all([first.fireDue(), second.fireDue()]);
    expect(await states()).toEqual(Array(6).fill('sent'));
  });

  it.each(['before', 'after'])(
    'gets them where the process dies right %s they are due: another one sends the accepted message again (U17)',
    async (when) => {
      const system = await setUp();
      await refuseFourTimes(system, 3);
      const { first, second, states, stores } = system;
      const accepted = first.earlyRetries.accepted.bind(first.earlyRetries);
      const died = Promise.withResolvers<undefined>();
      first.earlyRetries.accepted = async (provider) => {
        if (when === 'after') await accepted(provider);
        died.resolve(undefined);
        await new Promise(() => undefined);
      };
      void first.settle(pageOf(5));
      await died.promise;
      await stores.expire();
      await second.fireDue();
      expect(await states()).toEqual(Array(4).fill('sent'));
      expect(second.mails).toHaveLength(4);
    },
  );

  it('gets a message whose refusal was written after the look', async () => {
    const { advance, first, states } = await setUp();
    first.answers.push(BUSY);
    await first.settle(pageOf(0));
    advance(1_000);
    first.answers.push(OK, BUSY);
    await first.settle(pageOf(1));
    await first.fireDue();
    await first.settle(pageOf(2));
    await first.fireDue();
    expect(await states()).toEqual(['waiting', 'sent', 'sent']);
    await first.earlyRetries.lookAgain();
    await first.fireDue();
    expect(await states()).toEqual(['sent', 'sent', 'sent']);
  });

  it('gets pages of one contact as they are bundled', async () => {
    const system = await setUp({ bundles: new Map([['email', { most: 1, size: 100 }]] as const) });
    const { advance, first, states } = system;
    first.answers.push(...Array<SendResult>(8).fill(BUSY));
    await first.settle(...[0, 1, 2].map((number) => ({ ...pageOf(number), userId: 'u0' })));
    for (let tries = 0; tries < 6; tries += 1) {
      await first.fireDue();
      advance(8_000);
    }
    first.answers.splice(0);
    const tried = first.mails.length;
    await first.settle(pageOf(5));
    await first.fireDue();
    expect(await states()).toEqual(Array(4).fill('sent'));
    expect(first.mails.length - tried).toBeLessThanOrEqual(3);
  });

  it('gets no message that was cancelled or that shadow holds back', async () => {
    const system = await setUp();
    await refuseFourTimes(system, 2);
    const { first, states } = system;
    await first.settle(cancel(2, { alertId: 'a0', userId: 'u0' }));
    await first.earlyRetries.accepted({ method: 'email', provider: 'smtp' });
    first.shadow.state = 'on';
    const tried = first.mails.length;
    await first.fireDue();
    expect([await states(), first.mails.length]).toEqual([['dropped', 'held-back'], tried]);
  });
});

describe('a message that is not tried early (U7)', () => {
  it.each([
    ['its provider asked to wait', { ...BUSY, retryAfterMs: 40_000, isLimitOfRecipient: true } as const],
    ['it waits for another provider', BUSY],
  ])('waits where %s', async (_, refusal) => {
    const { first, stored } = await setUp({ providers: ['one', 'two'] });
    first.answers.push(refusal);
    await first.settle(pageOf(0));
    const before = (await stored()).get('p0')?.nextAt;
    await first.earlyRetries.accepted({ method: 'email', provider: refusal === BUSY ? 'two' : 'one' });
    expect((await stored()).get('p0')).toMatchObject({ state: 'waiting', nextAt: before });
  });

  it('is left alone while it is under way, and when it is due within a second', async () => {
    const { first, stored, stores } = await setUp();
    first.answers.push(BUSY, BUSY);
    await first.settle(pageOf(0), pageOf(1));
    const nextAt = new Date(first.clock.now().getTime() + 900);
    const rows = collectionOf<{ _id: string; state?: string; nextAt?: Date }>(stores.connection, DELIVERIES);
    await rows.updateOne({ _id: 'p0' }, { $set: { state: 'sending', nextAt: new Date('2030-01-01') } });
    await rows.updateOne({ _id: 'p1' }, { $set: { nextAt } });
    await first.earlyRetries.accepted({ method: 'email', provider: 'smtp' });
    expect((await stored()).get('p0')).toMatchObject({ state: 'sending', nextAt: new Date('2030-01-01') });
    expect((await stored()).get('p1')).toMatchObject({ earlyRetry: 'allowed', nextAt });
  });
});

it('a message that is refused while others are accepted all the time is tried twice as often at most (U7)', async () => {
  const triesWith = async (isEarly: boolean): Promise<number> => {
    const { advance, first } = await setUp();
    first.answers.push(BUSY);
    await first.settle(pageOf(0));
    for (let second = 0; second < 120; second += 1) {
      if (isEarly) await first.earlyRetries.accepted({ method: 'email', provider: 'smtp' });
      first.answers.splice(0, Infinity, BUSY);
      await first.fireDue();
      advance(1_000);
    }
    return first.mails.length;
  };
  const own = await triesWith(false);
  const early = await triesWith(true);
  expect(early).toBeGreaterThan(own);
  expect(early).toBeLessThanOrEqual(2 * own);
});

it('as many wait as an outage leaves, each look reads 200 of them and no other message', async () => {
  const { database, uri } = await testMongo();
  await (await openDatabase({ database, uri })).close();
  const connection = await connectMongo({ uri: monitoredUri(uri), database });
  const { queues } = storesOn(connection);
  const clock = new ManualClock(new Date('2026-01-01T00:00:00Z'));
  const [dueAt, nextAt] = [clock.now(), new Date(clock.now().getTime() + 30_000)];
  const row = (number: number, change: object) => ({
    ...{ _id: `d${number}`, method: 'email', provider: 'smtp', state: 'waiting', dueAt, nextAt },
    ...{ queue: `email:u${number}`, rank: number % 10, ...change },
  });
  const rows = collectionOf<{ _id: string }>(connection, DELIVERIES);
  await rows.insertMany([
    ...Array.from({ length: 450 }, (_, number) => row(number, { earlyRetry: 'allowed' })),
    ...Array.from({ length: 450 }, (_, number) => row(1_000 + number, {})),
    ...Array.from({ length: 450 }, (_, number) => row(2_000 + number, { provider: 'two', earlyRetry: 'allowed' })),
  ]);
  const finds = sentFinds(connection.getClient(), DELIVERIES);
  let woken = 0;
  const parts = { connection, queues, clock, onWaiting: () => (woken += 1), now: () => 0 };
  const earlyRetries = new EarlyRetries({
    ...parts,
    onFailure: (error) => {
      throw error;
    },
  });
  const provider = { method: 'email', provider: 'smtp' } as const;
  const madeDue: number[] = [];
  const lessUrgent: number[] = [];
  for (let accepted = 0; accepted < 3; accepted += 1) {
    await earlyRetries.accepted(provider);
    madeDue.push(await rows.countDocuments({ nextAt: clock.now(), earlyRetry: 'used' }));
    lessUrgent.push(await rows.countDocuments({ earlyRetry: 'used', rank: { $gt: 4 } }));
  }
  expect([madeDue, woken, await queues.countDue(clock.now())]).toEqual([[200, 400, 450], 3, 450]);
  expect(lessUrgent[0]).toBe(0);
  await earlyRetries.accepted(provider);
  expect(finds).toHaveLength(3);
  await rows.updateMany({ earlyRetry: 'used' }, { $set: { nextAt, earlyRetry: 'allowed' } });
  expect(await Promise.all(finds.map((find) => docsExamined(connection, find)))).toEqual([200, 200, 200]);
  await connection.dropDatabase();
  await connection.close();
});
