import { describe, expect, it } from '@jest/globals';
import { ManualClock, UnavailableError } from '@tocsin/core';
import type { Page } from '@tocsin/events';
import { collectionOf } from '@tocsin/mongo';
import { DELIVERIES } from '../messages/delivery-document.ts';
import type { SendResult } from '../messages/attempts.ts';
import { mailChannel } from '../testing/mail-channel.ts';
import { deliveryOf, page } from '../testing/page-samples.ts';
import { useStores } from '../testing/mongo-fixture.ts';
import { quietDeliver } from '../testing/quiet-deliver.ts';
import { batch, expanded, NO_SLOTS } from '../testing/store-samples.ts';
import type { NoticeOutcome } from '../messages/decisions.ts';
import type { SendToUsersPorts } from '../messages/operations.ts';

const MAX_UNDER_WAY = 50;
const OK: SendResult = { kind: 'accepted', response: '250 ok' };

const open = useStores();

/** A provider that answers when the test says so, and a process that looks whenever there is room. */
async function setUp(pages: readonly Page[], users: Partial<Pick<SendToUsersPorts, 'users'>> = {}) {
  const clock = new ManualClock(new Date('2026-01-01T01:00:00Z'));
  const stores = await open();
  const { deliveries: store } = stores;
  const sending: { readonly to: string; readonly subject: string; readonly answer: (result: SendResult) => void }[] =
    [];
  const order: string[] = [];
  const notices: NoticeOutcome[] = [];
  let hasMoved: () => void = () => undefined;
  const deliver = quietDeliver({
    ...users,
    store,
    clock,
    maxUnderWay: MAX_UNDER_WAY,
    onNotice: (notice) => notices.push(notice),
    channels: mailChannel(
      ({ subject, to }) =>
        new Promise((answer) => {
          order.push(`${to} ${subject}`);
          sending.push({ to, subject, answer });
          hasMoved();
        }),
    ),
  });
  await stores.settlePages([batch('pages.v1', pages)], (of) => expanded(deliveryOf(of, { to: of.userId })), NO_SLOTS);
  /** Ends one of the hand-overs, and lets what follows from it happen: its queue goes on, or makes room. */
  const end = async (index: number, result = OK): Promise<void> => {
    const moved = new Promise<'room' | 'goes on'>((resolve) => {
      hasMoved = () => {
        resolve('goes on');
      };
      deliver.onFreeSlot(() => {
        resolve('room');
      });
    });
    sending.splice(index, 1)[0]?.answer(result);
    const what = await moved;
    clock.advance(1);
    if (what === 'room') await deliver.beginDue();
  };
  /** The stored delivery. */
  const storedAs = async (id: string) => (await stores.stored()).find(({ deliveryId }) => deliveryId === id);
  return { clock, deliver, end, notices, order, sending, store, storedAs, stores };
}

const of = (userId: string, number: number, priority: 'P1' | 'P3' = 'P3'): Page => {
  const alert = { ...page().alert, priority, tinyId: String(number) };
  return page({
    userId,
    pageId: `${userId} ${number}`,
    pagedAt: new Date(Date.UTC(2026, 0, 1, 0, 0, number)).toISOString(),
    alert,
  });
};
const people = (count: number): readonly string[] => Array.from({ length: count }, (_, n) => `u${n}`);

describe('messages behind a slow mail server', () => {
  it('are under way as many at once as there are slots, and one that ends lets the next begin', async () => {
    const { deliver, end, sending } = await setUp(people(120).map((userId, number) => of(userId, number)));
    await deliver.beginDue();
    expect(sending).toHaveLength(MAX_UNDER_WAY);
    for (let ended = 1; ended <= 70; ended += 1) {
      await end(0);
      expect(sending).toHaveLength(MAX_UNDER_WAY);
    }
    await end(0);
    expect(sending).toHaveLength(MAX_UNDER_WAY - 1);
  });

  it('wait only for those of their own user: one recipient that hangs delays no other', async () => {
    const { deliver, end, order, sending } = await setUp(people(200).map((userId, number) => of(userId, number)));
    await deliver.beginDue();
    expect(sending[0]?.to).toBe('u0');
    for (let ended = 1; ended < 200; ended += 1) await end(1);
    expect(sending.map(({ to }) => to)).toEqual(['u0']);
    expect(order).toHaveLength(200);
  });

  it('reach each person one at a time, the oldest first', async () => {
    const pages = Array.from({ length: 4 }, (_, number) => people(60).map((userId) => of(userId, number))).flat();
    const { deliver, end, order, sending } = await setUp(pages.toReversed());
    await deliver.beginDue();
    for (let ended = 0; ended < pages.length; ended += 1) {
      const at = sending.map(({ to }) => to);
      expect(new Set(at).size).toBe(at.length);
      await end((ended * 7) % sending.length);
    }
    for (const userId of people(60))
      expect(order.filter((each) => each.startsWith(`${userId} `))).toEqual(
        Array.from({ length: 4 }, (_, number) => `${userId} [P3] Disk full (#${number})`),
      );
  });

  it('go to the waiting users in turn, however many wait for one of them (F2)', async () => {
    const storm = Array.from({ length: 300 }, (_, number) => of('storm', number));
    const { deliver, end, order } = await setUp([...storm, ...people(60).map((userId) => of(userId, 400))]);
    await deliver.beginDue();
    for (let ended = 0; ended < 62; ended += 1) await end(0);
    const others = order.slice(0, 63).filter((each) => !each.startsWith('storm'));
    expect(others).toHaveLength(60);
  });

  it('are begun one after the other in one queue while no other user waits', async () => {
    const { deliver, end, order, sending, store } = await setUp([of('ada', 1), of('ada', 2), of('ada', 3)]);
    await deliver.beginDue();
    let claims = 0;
    store.claim = () => Promise.resolve(((claims += 1), []));
    const [queue] = deliver.underWay;
    await end(0);
    await end(0);
    expect([deliver.underWay, sending.length, claims]).toEqual([[queue], 1, 0]);
    expect(order.map((each) => each.slice(-4))).toEqual(['(#1)', '(#2)', '(#3)']);
  });

  it('are the most urgent first within the queues of one person', async () => {
    const { deliver, end, order } = await setUp([of('ada', 1), of('ada', 2), of('ada', 3, 'P1')]);
    await deliver.beginDue();
    await end(0);
    await end(0);
    expect(order.map((each) => each.slice(-4))).toEqual(['(#3)', '(#1)', '(#2)']);
  });

  it('do not delay others of their user while they wait for their next try', async () => {
    const { deliver, end, order, sending } = await setUp([of('ada', 1), of('ada', 2)]);
    await deliver.beginDue();
    await end(0, { kind: 'permanent', reason: '550 no' });
    expect(order.map((each) => each.slice(-4))).toEqual(['(#1)', '(#2)']);
    expect(sending).toHaveLength(1);
  });
});

describe('a message of a kind that only a newer release knows', () => {
  it('fails alone, and those that were claimed with it are handed over', async () => {
    const { deliver, notices, order, storedAs, stores } = await setUp([of('ada', 1), of('bob', 1)]);
    await collectionOf<{ readonly _id: string }>(stores.connection, DELIVERIES).updateOne({ _id: 'bob 1' }, [
      { $set: { digest: { userId: '$page.userId' } } },
      { $unset: 'page' },
    ]);
    await deliver.beginDue();
    expect(order).toHaveLength(1);
    expect(await storedAs('bob 1')).toMatchObject({
      state: 'failed',
      reason: 'this release does not know what it is about',
    });
    expect((await stores.decisions()).at(-1)?.findings).toMatchObject([{ outcome: 'failed' }]);
    expect(notices).toMatchObject([{ kind: 'unknown', noticeId: 'bob 1', outcome: 'failed' }]);
  });
});

describe('a message for a user who was deleted since it was planned', () => {
  it('is dropped, and the log says why (U5)', async () => {
    const users = { get: () => undefined, isDeleted: (id: string) => id === 'ada' };
    const { deliver, order, storedAs } = await setUp([of('ada', 1), of('bob', 1)], { users });
    await deliver.beginDue();
    expect(order).toEqual(['bob [P3] Disk full (#1)']);
    expect(await storedAs('ada 1')).toMatchObject({ state: 'dropped', reason: 'the user was deleted' });
  });
});

describe('a message that is erased while it is under way', () => {
  it('delays no other message of its user', async () => {
    const { deliver, end, order, stores } = await setUp([of('ada', 1), of('ada', 2)]);
    await deliver.beginDue();
    await collectionOf<{ readonly _id: string }>(stores.connection, DELIVERIES).deleteOne({ _id: 'ada 1' });
    await end(0);
    expect(order.map((each) => each.slice(-4))).toEqual(['(#1)', '(#2)']);
  });
});

describe('a result that cannot be written', () => {
  it('is tried again until it is, so that the message is not sent a second time', async () => {
    const { deliver, end, order, store, stores } = await setUp([of('ada', 1)]);
    let refusals = 3;
    const recordResults = store.recordResults.bind(store);
    store.recordResults = (...args) =>
      refusals-- > 0 ? Promise.reject(new UnavailableError('no primary')) : recordResults(...args);
    await deliver.beginDue();
    await end(0);
    expect(order).toHaveLength(1);
    expect(await stores.stored()).toMatchObject([{ state: 'sent', attempts: 1 }]);
  });
});

describe('a process that stops', () => {
  it('begins no message that it inserts from then on, and waits for those that it is beginning', async () => {
    const { deliver } = await setUp([]);
    const happened: string[] = [];
    const { free, release } = deliver.reserveSlots(['ada']);
    deliver.stop();
    const settled = deliver.settled().then(() => happened.push('settled'));
    await new Promise(setImmediate);
    happened.push(`${free} begun`);
    release();
    await settled;
    expect(happened).toEqual(['1 begun', 'settled']);
    expect(deliver.reserveSlots(['bob']).free).toBe(0);
  });
});
