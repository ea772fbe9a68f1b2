import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, describe, expect, it } from '@jest/globals';
import { collectionOf } from '@tocsin/mongo';
import { eventually, testMongo } from '@tocsin/testkit';
import type { BundleLimits } from './next-message.ts';
import { beginAttempt } from '../messages/attempts.ts';
import type { Check, BegunMessage } from './message-result.ts';
import { type MongoStores, openMongoStores, type StoreOptions } from '../testing/mongo-stores.ts';
import { deliveryOf, page } from '../testing/page-samples.ts';
import { batch, expanded, LATER, NO_SLOTS, slotsFor } from '../testing/store-samples.ts';
import { DELIVERIES, RECIPIENT_QUEUES } from '../messages/delivery-document.ts';
import { RecipientQueues } from './recipient-queue-store.ts';
import { releaseUnsent } from './delivery-store.ts';

const LEASE_MS = 5_000;
const LIMITS: BundleLimits = new Map([['email', { most: 20, size: 100 }]]);
const opened: MongoStores[] = [];
const beginEach: Check = (each) => ({ delivery: beginAttempt(each) });

afterEach(async () => {
  for (const { connection } of opened.splice(0)) {
    await connection.dropDatabase();
    await connection.close();
  }
});

interface Opened extends Pick<StoreOptions, 'whileBeginning'> {
  readonly bundles?: BundleLimits;
  readonly over?: { uri: string; database: string };
}

/** A process by whose clock time passes only as a test says. */
async function open({ bundles, over, whileBeginning }: Opened = {}) {
  const time = { nowMs: 0, beginningTakesMs: 0, eachLookMs: 0 };
  const stores = await openMongoStores(over, {
    leaseMs: LEASE_MS,
    bundles,
    now: () => (time.nowMs += time.eachLookMs),
    whileBeginning: async () => {
      time.nowMs += time.beginningTakesMs;
      await whileBeginning?.();
    },
  });
  opened.push(stores);
  let offset = 0;
  const add = async (id: string, userId = id, priority: 'P1' | 'P3' = 'P1', slots = NO_SLOTS): Promise<void> => {
    const alert = { ...page().alert, priority };
    const pages = batch('pages.v1', [page({ pageId: id, alertId: id, userId, alert })], offset);
    await stores.settlePages([pages], (of) => expanded(deliveryOf(of, { deliveryId: id })), slots);
    offset += 1;
  };
  const beginAll = async () => (await stores.deliveries.begin(await stores.claim(LATER), LATER, beginEach)).begun;
  const rowOf = (id: string) => collectionOf<{ _id: string }>(stores.connection, DELIVERIES).findOne({ _id: id });
  const queueIdOf = (id: string) =>
    collectionOf<{ _id: string }>(stores.connection, RECIPIENT_QUEUES).findOne({ _id: id });
  return { ...stores, add, beginAll, rowOf, time, queueIdOf };
}

const idsOf = (begun: readonly BegunMessage[]): readonly string[] => begun.map(({ delivery }) => delivery.deliveryId);

describe('messages that are begun while the database is slow', () => {
  it('wait again where they may be begun too late to be sent, which counts as no try however often it is so', async () => {
    const { add, beginAll, rowOf, time } = await open();
    await add('p');
    time.beginningTakesMs = 4_000;
    for (let round = 0; round < 12; round += 1) expect(await beginAll()).toEqual([]);
    expect(await rowOf('p')).toMatchObject({ state: 'waiting', interruptions: 0, attempts: 12, postponements: 12 });
    time.beginningTakesMs = 0;
    expect(idsOf(await beginAll())).toEqual(['p']);
  });

  it('are sent where bundles are counted, because the leases of their queues were renewed', async () => {
    const { add, beginAll, time } = await open({ bundles: LIMITS });
    await add('p');
    time.beginningTakesMs = 3_400;
    expect(idsOf(await beginAll())).toEqual(['p']);
    time.nowMs += 3_400;
    await add('q');
    expect(idsOf(await beginAll())).toEqual(['q']);
  });

  it('are not begun where the lease of their queue may end before, and wait again', async () => {
    const { add, claim, deliveries, rowOf, time } = await open();
    await add('p');
    const queues = await claim(LATER);
    time.nowMs += 3_500;
    expect(await deliveries.begin(queues, LATER, beginEach)).toEqual({ begun: [], ended: [] });
    expect(await rowOf('p')).toMatchObject({ state: 'waiting', attempts: 0 });
    expect(idsOf((await deliveries.begin(await claim(LATER), LATER, beginEach)).begun)).toEqual(['p']);
  });

  it('wait again where they were begun as they were inserted, and it took too long', async () => {
    const { add, beginAll, rowOf, time } = await open();
    const slots = slotsFor(1);
    // The clock is read as the queue is claimed, and again once that is committed.
    time.eachLookMs = 4_000;
    await add('p', 'ada', 'P1', slots);
    time.eachLookMs = 0;
    expect(slots.begun).toEqual([]);
    await eventually(async () => {
      expect(await rowOf('p')).toMatchObject({ state: 'waiting', interruptions: 0, postponements: 1 });
      expect(idsOf(await beginAll())).toEqual(['p']);
    });
  });

  it('count as interrupted where even that cannot be written, so that the process that claims the queue next repeats them', async () => {
    const over = await testMongo();
    const [slow, other] = [await open({ over }), await open({ over })];
    await slow.add('p');
    const begun = await slow.beginAll();
    expect(idsOf(begun)).toEqual(['p']);
    await slow.connection.close();
    await releaseUnsent(begun, slow.connection, new RecipientQueues(slow.connection, LEASE_MS));
    await other.expire();
    const [again] = await other.beginAll();
    expect(again?.delivery).toMatchObject({ attempts: 2, interruptions: 1 });
    opened.splice(0, 1);
  });
});

describe('a result that is written while the database is slow', () => {
  it('is written, though the process keeps its queues meanwhile, and the queue does not go on where its lease may be over', async () => {
    let isSlow = false;
    const { add, beginAll, deliveries, time } = await open({
      bundles: LIMITS,
      whileBeginning: async () => {
        if (isSlow) await pause(1_300);
      },
    });
    await add('p');
    const [begun] = await beginAll();
    if (begun === undefined) throw new Error('nothing was begun');
    isSlow = true;
    await add('q', 'p');
    const renewals: Promise<unknown>[] = [];
    const keeping = setInterval(() => renewals.push(deliveries.renewAndFreeExpired([begun.queue])), 1_000);
    const result = { queue: begun.queue, delivery: { ...begun.delivery, state: 'sent' as const } };
    const { begun: next, recorded: written } = await deliveries.recordResults([result], LATER, beginEach);
    clearInterval(keeping);
    await Promise.all(renewals);
    expect([written, idsOf(next)]).toEqual([[result], ['q']]);
    isSlow = false;
    time.nowMs += LEASE_MS;
    const second = {
      queue: begun.queue,
      delivery: { ...next[0]?.delivery, state: 'sent' as const } as typeof begun.delivery,
    };
    await add('r', 'p');
    expect(await deliveries.recordResults([second], LATER, beginEach)).toEqual({
      recorded: [second],
      begun: [],
      ended: [],
    });
    expect(idsOf(await beginAll())).toEqual(['r']);
  });

  it('releases only the queue of its own claim: another of the same user may be under way', async () => {
    const { add, beginAll, connection, deliveries, time, queueIdOf } = await open({ bundles: LIMITS });
    await add('d1', 'ada', 'P3');
    const [first] = await beginAll();
    // Keeping the queue came too late: it was freed. Then a P1 comes, and this process claims again.
    await collectionOf(connection, RECIPIENT_QUEUES).updateMany({}, { $set: { leaseUntil: null, token: null } });
    await add('d2', 'ada', 'P1');
    await add('b1', 'bob', 'P1');
    const again = await beginAll();
    const [second, bob] = ['d2', 'b1'].map((id) => again.find(({ delivery }) => delivery.deliveryId === id));
    if (first === undefined || second === undefined || bob === undefined) throw new Error('not all were begun');
    time.nowMs += 3_700;
    const results = [first, bob].map(({ delivery, queue }) => ({
      queue,
      delivery: { ...delivery, state: 'sent' as const },
    }));
    await deliveries.recordResults(results, LATER, beginEach);
    expect(await queueIdOf('email:ada')).toMatchObject({ token: second.queue.token });
  });
});

describe('queues whose leases are renewed', () => {
  it('may go on, though others of them were released meanwhile', async () => {
    const { add, claim, deliveries, time } = await open();
    await add('ada');
    await add('eve');
    const [ended, going] = await claim(LATER);
    if (ended === undefined || going === undefined) throw new Error('two users were to be notified');
    // A hand-over begins only while a lease lasts for 1.5 s more.
    time.nowMs += 3_499;
    expect(deliveries.mayHandOver(going)).toBe(true);
    time.nowMs += 1;
    expect(deliveries.mayHandOver(going)).toBe(false);
    await deliveries.release([ended]);
    await deliveries.renewAndFreeExpired([ended, going]);
    expect([deliveries.mayHandOver(ended), deliveries.mayHandOver(going)]).toEqual([false, true]);
  });
});

describe('the lease of a queue', () => {
  it('is kept while it is renewed in time, and is lost where it ended before, also once it is renewed', async () => {
    const { add, claim, deliveries, time } = await open();
    await add('ada');
    const [queue] = await claim(LATER);
    if (queue === undefined) throw new Error('no queue was claimed');
    for (let renewals = 0; renewals < 3; renewals += 1) {
      time.nowMs += 4_999;
      expect(deliveries.hasKeptLease(queue)).toBe(true);
      await deliveries.renewAndFreeExpired([queue]);
    }
    time.nowMs += 5_000;
    expect(deliveries.hasKeptLease(queue)).toBe(false);
    await deliveries.renewAndFreeExpired([queue]);
    expect([deliveries.mayHandOver(queue), deliveries.hasKeptLease(queue)]).toEqual([true, false]);
  });
});

describe('queues of another process', () => {
  /** A process that hands a message over, and another one that has looked for expired leases since before, or has just started. */
  async function openTwo({ hasLooked = true } = {}) {
    const over = await testMongo();
    const [sender, other] = [await open({ over }), await open({ over })];
    await sender.add('ada');
    const [begun] = await sender.beginAll();
    if (begun === undefined) throw new Error('nothing was begun');
    if (hasLooked) await other.deliveries.renewAndFreeExpired([]);
    const expire = async () => {
      await collectionOf(sender.connection, RECIPIENT_QUEUES).updateMany({}, { $set: { leaseUntil: new Date(1) } });
    };
    const look = async (afterMs: number) => {
      other.time.nowMs += afterMs;
      return other.deliveries.renewAndFreeExpired([]);
    };
    return { sender, other, queue: begun.queue, expire, look };
  }

  it('are free once it let its lease pass', async () => {
    const { other, expire, look } = await openTwo();
    expect(await look(1_000)).toBe(false);
    await expire();
    expect(await look(1_000)).toBe(true);
    expect(idsOf(await other.beginAll())).toEqual(['ada']);
  });

  it('stay its own where MongoDB was unavailable for longer than a lease, so that nothing under way is sent twice', async () => {
    const { sender, other, queue, expire, look } = await openTwo();
    await expire();
    expect(await look(LEASE_MS + 1_000)).toBe(false);
    expect(await look(1_000)).toBe(false);
    await sender.deliveries.renewAndFreeExpired([queue]);
    for (let second = 0; second < 8; second += 1) expect(await look(1_000)).toBe(false);
    expect(await other.beginAll()).toEqual([]);
  });

  it('stay its own where the first look of the other one waits while MongoDB is unavailable', async () => {
    const { other, expire } = await openTwo({ hasLooked: false });
    await expire();
    // The clock is read as the look is asked, and as it is answered.
    other.time.eachLookMs = 3_000;
    expect(await other.deliveries.renewAndFreeExpired([])).toBe(false);
    expect(await other.beginAll()).toEqual([]);
  });

  it('are free at the first look of a process that has just started, where their process has died', async () => {
    const { expire, look } = await openTwo({ hasLooked: false });
    await expire();
    expect(await look(0)).toBe(true);
  });

  it('are free a whole lease after MongoDB was unavailable, where the process has died', async () => {
    const { other, expire, look } = await openTwo();
    await expire();
    expect(await look(LEASE_MS + 1_000)).toBe(false);
    for (let second = 1; second < LEASE_MS / 1_000; second += 1) expect(await look(1_000)).toBe(false);
    expect(await look(1_000)).toBe(true);
    expect(idsOf(await other.beginAll())).toEqual(['ada']);
  });
});
