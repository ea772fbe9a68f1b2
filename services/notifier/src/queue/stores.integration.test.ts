import { afterEach, describe, expect, it } from '@jest/globals';
import { Decisions } from '@tocsin/events';
import { UnavailableError } from '@tocsin/core';
import { RecordingPublisher } from '@tocsin/kafka';
import { collectionOf, Outbox } from '@tocsin/mongo';
import { eventually, testMongo } from '@tocsin/testkit';
import { beginAttempt, applyResult } from '../messages/attempts.ts';
import { type Delivery, UNTRIED } from '../messages/delivery.ts';
import { verification } from '../testing/notice-samples.ts';
import { cancel, deliveryOf, erase, page } from '../testing/page-samples.ts';
import { RETAINED_KINDS, RetainedRows } from '../messages/store.ts';
import { DELIVERIES } from '../messages/delivery-document.ts';
import { RecipientQueues } from './recipient-queue-store.ts';
import { type MongoStores, openMongoStores, silent } from '../testing/mongo-stores.ts';
import { batch, expanded, LATER, NO_SLOTS, slotsFor } from '../testing/store-samples.ts';

const opened: MongoStores[] = [];

async function open(...over: Parameters<typeof openMongoStores>): Promise<MongoStores> {
  const stores = await openMongoStores(...over);
  opened.push(stores);
  return stores;
}

afterEach(async () => {
  for (const { connection } of opened.splice(0)) {
    await connection.dropDatabase();
    await connection.close();
  }
});

describe('a notifier that dies between the hand-over and its result', () => {
  it('leaves the delivery begun, so that the process that claims it next knows that it may have been sent', async () => {
    const { claim, connection, deliveries, expire, settlePages } = await open();
    const delivery = deliveryOf(page());
    await settlePages([batch('pages.v1', [delivery.page])], () => expanded(delivery), NO_SLOTS);
    await deliveries.begin(await claim(LATER), LATER, (each) => ({ delivery: beginAttempt(each) }));
    const stored = await collectionOf(connection, DELIVERIES).findOne({});
    expect(stored).toMatchObject({ state: 'sending', attempts: 1, interruptions: 0 });
    await expire();
    const [again] = (await deliveries.begin(await claim(LATER), LATER, (each) => ({ delivery: beginAttempt(each) })))
      .begun;
    expect(again?.delivery).toMatchObject({ state: 'sending', attempts: 2, interruptions: 1 });
  });
});

describe('the end of pages of an alert whose steps were repeated for a month', () => {
  it.each([
    ['a cancel', cancel(9)],
    ['an erase of one user', erase({ userId: 'ada' })],
    ['an erase of the alert', erase()],
  ])('reads none of its messages that ended, by %s', async (_, message) => {
    const { connection, settlePages } = await open();
    const { alertId, pageId, userId } = page();
    const rows = collectionOf<{ _id: string }>(connection, DELIVERIES);
    await rows.insertMany(
      Array.from({ length: 1_000 }, (__, index) => ({
        _id: `ended ${index}`,
        page: { pageId, alertId, userId },
        state: 'sent',
        endedAt: LATER,
      })),
    );
    const next = { page: page(), number: 1, dueAt: LATER, loopAfterMinutes: 1 };
    await settlePages([batch('pages.v1', [page()])], (of) => expanded(deliveryOf(of), { next }), NO_SLOTS);
    await connection.db?.command({ profile: 2 });
    await settlePages([batch('pages.v1', [message], 1)], () => expanded(deliveryOf(page())), NO_SLOTS);
    await connection.db?.command({ profile: 0 });
    const writes = await connection
      .collection('system.profile')
      .find({ ns: `${connection.name}.${DELIVERIES}`, op: { $in: ['update', 'remove'] } })
      .toArray();
    expect(writes.map(({ docsExamined }) => docsExamined as number)).toContain(1);
    expect(Math.max(...writes.map(({ docsExamined }) => docsExamined as number))).toBe(1);
    expect(Math.max(...writes.map(({ keysExamined }) => keysExamined as number))).toBeLessThan(10);
    const kept = await rows.findOne({ _id: pageId });
    expect(kept).toMatchObject(
      message.kind === 'erase'
        ? { page: { pageId, alertId, userId } }
        : { cancelReason: message.reason, next: { cancelReason: message.reason } },
    );
    expect(await rows.countDocuments({})).toBe(1_001);
  });
});

describe('a message with a method that only a newer release knows', () => {
  it('is not changed, and delays no other', async () => {
    const { claim, connection, settlePages } = await open();
    const newer = page({ pageId: 'new', alertId: 'new', userId: 'ada' });
    const known = page({ pageId: 'known', alertId: 'known', userId: 'bob' });
    await settlePages(
      [batch('pages.v1', [newer, known])],
      (of) => expanded(deliveryOf(of, { method: of.pageId === 'new' ? ('chat' as 'sms') : 'sms', dueAt: LATER })),
      NO_SLOTS,
    );
    const queues = new RecipientQueues(connection, 60_000);
    expect(await queues.countDue(LATER)).toBe(1);
    expect((await claim(LATER)).map(({ id }) => id)).toEqual(['sms:bob']);
    expect(await queues.nextDueAt()).toBeUndefined();
    expect(await queues.countUnknown(LATER)).toEqual(new Map([['chat', 1]]));
  });
});

describe('many people of whom each has a message of many pages', () => {
  it('have them begun a few at a time, and each gets one', async () => {
    const limits = new Map([['sms' as const, { most: 2, size: 200 }]]);
    const { claim, deliveries, settlePages } = await open(undefined, { bundles: limits });
    const pages = [...['ada', 'bob', 'cem'].flatMap((user) => Array.from({ length: 150 }, () => user)), 'dan'].map(
      (userId, number) => page({ pageId: `p${number}`, alertId: `p${number}`, userId }),
    );
    await settlePages(
      [batch('pages.v1', pages)],
      (of) => expanded(deliveryOf(of, { method: 'sms', dueAt: LATER })),
      NO_SLOTS,
    );
    const begin = async () => {
      const { begun } = await deliveries.begin(await claim(LATER), LATER, (each) => ({ delivery: beginAttempt(each) }));
      return begun.map(({ others = [] }) => 1 + others.length);
    };
    expect((await begin()).toSorted((one, other) => one - other)).toEqual([1, 150]);
    expect(await begin()).toEqual([150, 150]);
    expect(await begin()).toEqual([]);
  });
});

describe('a verification code', () => {
  it('is not stored any more once it was sent', async () => {
    const { claim, connection, deliveries, settleNotices } = await open();
    const notice = verification();
    const { noticeId, to, username } = notice;
    const delivery: Delivery = {
      ...UNTRIED,
      deliveryId: `notice:${noticeId}`,
      notice,
      username,
      method: 'email',
      to,
      dueAt: new Date(notice.at),
    };
    const decision = {
      decisionId: 'd',
      userId: 'ada',
      stage: 'page' as const,
      at: notice.at,
      findings: [{ subject: 'notice', outcome: 'scheduled', text: 'sent at once' }],
    };
    await settleNotices(
      [batch('notice-commands.v1', [notice])],
      () => ({ deliveries: [delivery], decision }),
      NO_SLOTS,
    );
    const [begun] = (await deliveries.begin(await claim(LATER), LATER, (each) => ({ delivery: beginAttempt(each) })))
      .begun;
    if (begun === undefined) throw new Error('nothing was due');
    const sent = applyResult(begun.delivery, { kind: 'accepted', response: '250 ok' }, LATER, 0);
    await deliveries.recordResults([{ ...sent, queue: begun.queue }], LATER);
    for (const { name } of await connection.listCollections())
      expect(JSON.stringify(await collectionOf(connection, name).find({}).toArray())).not.toContain(notice.code);
  });
});

describe('a notifier that dies after its transaction and before anything of it is published', () => {
  it('leaves the decisions to the next process, and does nothing again when the page is repeated', async () => {
    const { claim, connection, settlePages, publisher } = await open();
    publisher.refuseWith(new Error('the process is gone'));
    await settlePages([batch('pages.v1', [page()])], () => expanded(deliveryOf(page())), NO_SLOTS);
    const next = new RecordingPublisher();
    const outbox = new Outbox({
      connection,
      publisher: next,
      topics: [Decisions],
      logger: silent,
    });
    outbox.start();
    await eventually(() => {
      expect(next.published).toMatchObject([{ topic: 'decisions.v1', key: 'a1' }]);
    });
    await outbox.stop();
    expect(await outbox.pending()).toBe(0);
    await settlePages([batch('pages.v1', [page()], 1)], () => expanded(deliveryOf(page())), NO_SLOTS);
    expect(await claim(LATER)).toHaveLength(1);
    expect(next.published).toHaveLength(1);
  });
});

describe('two notifiers that settle pages of one person at the same time', () => {
  it('begin one message at a time, and lose none', async () => {
    const database = await testMongo();
    const [one, other] = [await open(database), await open(database)];
    const [slotsOfOne, slotsOfOther] = [slotsFor(20), slotsFor(20)];
    const settled = Array.from({ length: 4 }, async (_, number) => {
      const pages = [page({ pageId: `p${number}` }), page({ pageId: `q${number}`, userId: `u${number}` })];
      const partition = { ...batch('pages.v1', pages), partition: number };
      const [{ settlePages }, slots] = number % 2 === 0 ? [one, slotsOfOne] : [other, slotsOfOther];
      const settle = () => settlePages([partition], (each) => expanded(deliveryOf(each)), slots);
      // As a consumer does it: they conflict, and one that comes too late is asked again.
      while ((await settle()).outcome === 'retry');
    });
    await Promise.all(settled);
    const started = [...slotsOfOne.begun, ...slotsOfOther.begun];
    const sent: string[] = [];
    let [first, ...more] = started.filter(({ queue }) => queue.id === 'email:ada');
    expect([started.length, more]).toEqual([5, []]);
    // Only the process that took the queue goes on with it.
    const { deliveries } = slotsOfOne.begun.some((begun) => begun === first) ? one : other;
    while (first !== undefined) {
      const { delivery, queue } = first;
      sent.push(delivery.deliveryId);
      const result = { queue, delivery: { ...delivery, state: 'sent' as const } };
      [first, ...more] = (
        await deliveries.recordResults([result], LATER, (each) => ({ delivery: beginAttempt(each) }))
      ).begun;
      expect(more).toEqual([]);
    }
    expect(sent.toSorted()).toEqual(Array.from({ length: 4 }, (_, number) => `p${number}`));
  });
});

describe('a notifier that does not learn whether its transaction was committed', () => {
  it('sends nothing by itself: the message is sent when the claim has run out, and counted', async () => {
    const { claim, connection, deliveries, expire, settlePages } = await open();
    const startSession = connection.startSession.bind(connection);
    connection.startSession = async () => {
      const session = await startSession();
      const commit = session.commitTransaction.bind(session);
      session.commitTransaction = async () => {
        await commit();
        throw new UnavailableError('The answer is lost.');
      };
      return session;
    };
    const slots = slotsFor(1);
    const settle = () => settlePages([batch('pages.v1', [page()])], () => expanded(deliveryOf(page())), slots);
    expect(await settle()).toMatchObject({ outcome: 'retry' });
    connection.startSession = startSession;
    expect(await settle()).toMatchObject({ outcome: 'done' });
    expect(slots.begun).toEqual([]);
    expect(await claim(LATER)).toEqual([]);
    await expire();
    const { begun } = await deliveries.begin(await claim(LATER), LATER, (each) => ({ delivery: beginAttempt(each) }));
    expect(begun).toMatchObject([{ delivery: { state: 'sending', attempts: 2, interruptions: 1 } }]);
  });
});

describe('messages that were kept long enough', () => {
  const DAY_MS = 86_400_000;

  it('are removed in batches, except active ones and those that may be redelivered', async () => {
    const { claim, connection, deliveries, settlePages } = await open();
    const [old, young, alive, repeated] = ['old', 'young', 'alive', 'repeated'].map((pageId, index) => {
      const pagedAt = new Date(LATER.getTime() - (index === 1 ? 1 : 100) * DAY_MS).toISOString();
      return page({ pageId, pagedAt, userId: pageId, alertId: pageId });
    });
    if (old === undefined || young === undefined || alive === undefined || repeated === undefined)
      throw new Error('four were made');
    const next = { page: repeated, number: 1, dueAt: LATER, loopAfterMinutes: 1 };
    await settlePages(
      [batch('pages.v1', [old, young, alive, repeated])],
      (of) => expanded(deliveryOf(of), of === repeated ? { next } : {}),
      NO_SLOTS,
    );
    const longAgo = new Date(LATER.getTime() - 50 * DAY_MS);
    for (const at of [longAgo, LATER]) {
      const { begun } = await deliveries.begin(await claim(at), at, (each) => ({ delivery: beginAttempt(each) }));
      const sent = begun.filter(({ delivery }) => delivery.deliveryId !== 'alive');
      await deliveries.recordResults(
        sent.map(({ delivery, queue }) => ({ queue, delivery: { ...delivery, state: 'sent' } })),
        at,
      );
    }
    const rows = new RetainedRows(connection);
    const until = new Date(LATER.getTime() - 30 * DAY_MS);
    for (const kind of RETAINED_KINDS) while ((await rows.remove(kind, until)) > 0);
    const idsOf = async (collection: string) =>
      (await collectionOf<{ _id: string }>(connection, collection).find({}).toArray()).map(({ _id }) => _id).toSorted();
    expect(await idsOf(DELIVERIES)).toEqual(['alive', 'repeated', 'young']);
  });
});
