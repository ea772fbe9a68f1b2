import { describe, expect, it } from '@jest/globals';
import { type Decision, type Page, SubscriptionEvents, type VerificationEvent } from '@tocsin/events';
import { beginAttempt } from '../messages/attempts.ts';
import { type Delivery, markDropped, ofUser } from '../messages/delivery.ts';
import { closing, deliveryOf, page } from '../testing/page-samples.ts';
import { checkBeforeSending } from '../messages/recheck.ts';
import type { MessageResult, Check, BegunMessage } from './message-result.ts';
import { useStores } from '../testing/mongo-fixture.ts';
import { batch, expanded, expandNothing, LATER, NO_SLOTS, sendAll } from '../testing/store-samples.ts';

const open = useStores();

const deliveredDecision: Decision = {
  decisionId: 'deliver:1',
  alertId: 'a1',
  stage: 'deliver',
  at: LATER.toISOString(),
  findings: [{ subject: 'delivery', outcome: 'retrying', text: 'again' }],
};

describe('the store of deliveries', () => {
  const withOneDelivery = async () => {
    const tested = await open();
    const delivery = deliveryOf(page());
    await tested.settlePages([batch('pages.v1', [delivery.page])], () => expanded(delivery), NO_SLOTS);
    return { ...tested, delivery };
  };

  it('keeps the details of an alert as they are, whatever their keys', async () => {
    const { settlePages, deliveries, claim } = await open();
    const details = { 'a.b': '1', $set: '2', '$where.x': '3', '': '4' };
    const delivery = deliveryOf(page({ alert: { ...page().alert, details } }));
    await settlePages([batch('pages.v1', [delivery.page])], () => expanded(delivery), NO_SLOTS);
    const [started] = (await deliveries.begin(await claim(LATER), LATER, (each) => ({ delivery: beginAttempt(each) })))
      .begun;
    expect(started?.delivery).toMatchObject({ page: { alert: { details } } });
  });

  it('claims no queues of a method that is to wait, and all others', async () => {
    const { deliveries, settlePages } = await open();
    const pages = (['email', 'sms', 'voice'] as const).map((method) => ({ method, page: page({ pageId: method }) }));
    for (const [offset, { method, page: of }] of pages.entries())
      await settlePages([batch('pages.v1', [of], offset)], () => expanded(deliveryOf(of, { method })), NO_SLOTS);
    const claimed = await deliveries.claim(LATER, 100, ['email', 'voice']);
    expect(claimed.map(({ id }) => id).toSorted()).toEqual(['email:ada', 'voice:ada']);
    expect((await deliveries.claim(LATER, 100)).map(({ id }) => id)).toEqual(['sms:ada']);
  });

  it('lets a delivery that was dropped or sent never come again', async () => {
    const { deliveries, claim, delivery } = await withOneDelivery();
    const [claimed] = await claim(LATER);
    if (claimed === undefined) throw new Error('nothing was due');
    await deliveries.begin([claimed], LATER, () => ({ delivery: markDropped(delivery, 'closed') }));
    expect(await claim(LATER)).toHaveLength(0);
    expect(await deliveries.begin([claimed], LATER, (again) => ({ delivery: beginAttempt(again) }))).toEqual({
      begun: [],
      ended: [],
    });
  });

  it.each(['sent', 'failed'] as const)(
    'takes no result from an attempt that another has taken over, not even %j',
    async (state) => {
      const { deliveries, claim, expire, decisions, delivery } = await withOneDelivery();
      const begin = async () => {
        const { begun } = await deliveries.begin(await claim(LATER), LATER, (each) => ({
          delivery: beginAttempt(each),
        }));
        await expire();
        return only(begun);
      };
      const result = ({ delivery: of, queue }: BegunMessage, as: Delivery['state']) => ({
        queue,
        delivery: { ...of, state: as, reason: 'the answer' },
        decision: { ...deliveredDecision, decisionId: `deliver:${of.attempts}` },
      });
      const [frozen, begun] = [await begin(), await begin()];
      expect([frozen.delivery.attempts, begun.delivery.attempts]).toEqual([1, 2]);
      expect((await deliveries.recordResults([result(frozen, state)], LATER)).recorded).toEqual([]);
      const own = result(begun, 'sent');
      expect((await deliveries.recordResults([result(frozen, state), own], LATER)).recorded).toEqual([own]);
      expect((await deliveries.recordResults([result(frozen, state), own], LATER)).recorded).toEqual([]);
      expect(await claim(LATER)).toEqual([]);
      expect((await decisions()).map(({ decisionId }) => decisionId)).toEqual([
        `page:${delivery.deliveryId}`,
        'deliver:2',
      ]);
    },
  );

  it('writes the events for directory with the result of a message, once, and with no refused result', async () => {
    const { deliveries, claim, expire, published, verifications } = await withOneDelivery();
    const endings = () => published(SubscriptionEvents);
    const begin = async () => {
      const { begun } = await deliveries.begin(await claim(LATER), LATER, (each) => ({ delivery: beginAttempt(each) }));
      await expire();
      return only(begun);
    };
    const verificationOf = (attempts: number): VerificationEvent => ({
      userId: 'ada',
      method: 'email',
      to: `${attempts}@example.com`,
      at: LATER.toISOString(),
    });
    const sentBy = ({ delivery, queue }: BegunMessage): MessageResult => ({
      queue,
      delivery: { ...delivery, state: 'sent' },
      verification: verificationOf(delivery.attempts),
      endedSubscription: { userId: 'ada', to: `browser-${delivery.attempts}`, at: LATER.toISOString() },
    });
    const cut = await begin();
    const repeated = await begin();
    expect(await verifications()).toEqual([]);
    await deliveries.recordResults([sentBy(cut)], LATER);
    expect([await verifications(), await endings()]).toEqual([[], []]);
    await deliveries.recordResults([sentBy(repeated)], LATER);
    await deliveries.recordResults([sentBy(repeated)], LATER);
    expect(await verifications()).toEqual([verificationOf(2)]);
    expect(await endings()).toMatchObject([{ to: 'browser-2' }]);
  });

  it('begins nothing for a queue that another process has, and does not end it', async () => {
    const { deliveries, claim, expire } = await withOneDelivery();
    const lost = await claim(LATER);
    await expire();
    const claimed = await claim(LATER);
    expect(await deliveries.begin(lost, LATER, (each) => ({ delivery: beginAttempt(each) }))).toEqual({
      begun: [],
      ended: [],
    });
    await deliveries.release(lost);
    expect(await claim(LATER)).toEqual([]);
    const { begun } = await deliveries.begin(claimed, LATER, (each) => ({ delivery: beginAttempt(each) }));
    expect(only(begun).delivery).toMatchObject({ attempts: 1, interruptions: 0 });
  });

  it('does not count a queue that was released unbegun', async () => {
    const { deliveries, claim } = await withOneDelivery();
    for (let times = 0; times < 9; times += 1) await deliveries.release(await claim(LATER));
    const { begun } = await deliveries.begin(await claim(LATER), LATER, (each) => ({ delivery: beginAttempt(each) }));
    expect(only(begun).delivery).toMatchObject({ attempts: 1, interruptions: 0 });
  });

  it('gives a delivery again at the instant of its next try, with its written state', async () => {
    const { deliveries, claim, decisions } = await withOneDelivery();
    const { begun } = await deliveries.begin(await claim(LATER), LATER, (each) => ({ delivery: beginAttempt(each) }));
    const { delivery, queue } = only(begun);
    const retryAt = new Date(LATER.getTime() + 5_000);
    const waiting: Delivery = { ...delivery, state: 'waiting', reason: '451 later' };
    await deliveries.recordResults([{ queue, delivery: waiting, retryAt, decision: deliveredDecision }], LATER);
    expect(await claim(LATER)).toHaveLength(0);
    const again = await claim(retryAt);
    expect(again).toHaveLength(1);
    const attempts: number[] = [];
    await deliveries.begin(again, retryAt, (each) => {
      attempts.push(each.attempts);
      return { delivery: beginAttempt(each) };
    });
    expect(attempts).toEqual([1]);
    expect((await decisions()).map(({ decisionId }) => decisionId)).toContain('deliver:1');
  });

  it('has one queue for a person at a time, whatever comes meanwhile: P1 first, first pages before repeats, then the oldest', async () => {
    const { deliveries, settlePages, claim } = await withOneDelivery();
    const more = [
      ['P3', 1, 0],
      ['P3', 3, 0],
      ['P1', 4, 1],
      ['P1', 5, 0],
      ['P5', 0, 0],
    ] as const;
    const [first] = await claim(LATER);
    if (first === undefined) throw new Error('nothing was due');
    const pages = more.map(([priority, minute, run]) => {
      const of = page({ pageId: `${priority} ${minute} ${run}`, alert: { ...page().alert, priority } });
      const dueAt = new Date(Date.parse(of.pagedAt) + minute * 60_000);
      return deliveryOf(of, { deliveryId: of.pageId, dueAt, ...(run > 0 && { run }) });
    });
    await settlePages(
      [
        batch(
          'pages.v1',
          pages.map((each) => each.page),
          1,
        ),
      ],
      (of) => expanded(pages.find((each) => each.page === of || each.page.pageId === of.pageId) ?? deliveryOf(of)),
      NO_SLOTS,
    );
    expect(await claim(LATER)).toEqual([]);
    await deliveries.release([first]);
    expect(await sendAll(deliveries, LATER)).toEqual([
      deliveryOf(page()).deliveryId,
      ...['P1 5 0', 'P1 4 1', 'P3 1 0', 'P3 3 0', 'P5 0 0'],
    ]);
  });

  it('lets a queue go on with its next message, in the transaction of the result', async () => {
    const { deliveries, settlePages, claim } = await withOneDelivery();
    const more = ['urgent', 'dropped'].map((pageId) =>
      page({
        pageId,
        alertId: pageId,
        pagedAt: new Date(LATER.getTime() - 1_000).toISOString(),
        alert: { ...page().alert, priority: pageId === 'urgent' ? 'P1' : 'P5' },
      }),
    );
    await settlePages([batch('pages.v1', more, 1)], (of) => expanded(deliveryOf(of)), NO_SLOTS);
    const closed = closing(2, { alertId: 'dropped' });
    await settlePages([batch('pages.v1', [closed], 3)], expandNothing, NO_SLOTS);
    const check: Check = (delivery) => ({
      delivery:
        checkBeforeSending(ofUser(delivery), { user: undefined, now: LATER }).state === 'dropped'
          ? markDropped(delivery, 'over')
          : beginAttempt(delivery),
    });
    const first = only((await deliveries.begin(await claim(LATER), LATER, check)).begun);
    const sent = (of: BegunMessage) => [{ queue: of.queue, delivery: { ...of.delivery, state: 'sent' as const } }];
    const second = only((await deliveries.recordResults(sent(first), LATER, check)).begun);
    expect(second).toMatchObject({ queue: first.queue, delivery: { deliveryId: 'urgent', state: 'sending' } });
    expect(await claim(LATER)).toEqual([]);
    expect(await deliveries.recordResults(sent(second), LATER, check)).toMatchObject({
      begun: [],
      ended: [{ deliveryId: 'dropped', state: 'dropped' }],
    });
    await settlePages([batch('pages.v1', [page({ pageId: 'after' })], 4)], (of) => expanded(deliveryOf(of)), NO_SLOTS);
    expect(await claim(LATER)).toHaveLength(1);
  });

  it('does not let a queue go on that another has by now, though the result counts', async () => {
    const { deliveries, settlePages, claim, expire } = await withOneDelivery();
    const first = only(
      (await deliveries.begin(await claim(LATER), LATER, (each) => ({ delivery: beginAttempt(each) }))).begun,
    );
    await settlePages([batch('pages.v1', [page({ pageId: 'next' })], 1)], (of) => expanded(deliveryOf(of)), NO_SLOTS);
    await expire();
    expect(await claim(LATER)).toHaveLength(1);
    const sent: MessageResult = { queue: first.queue, delivery: { ...first.delivery, state: 'sent' } };
    const concluded = await deliveries.recordResults([sent], LATER, (each) => ({ delivery: beginAttempt(each) }));
    expect(concluded).toEqual({ recorded: [sent], begun: [], ended: [] });
  });

  it('serves the waiting users in turn: a storm for one costs another at most one queue', async () => {
    const { deliveries, settlePages } = await open();
    const of = (userId: string, number: number) => page({ userId, pageId: `${userId} ${number}` });
    const due = (one: Page) => expanded(deliveryOf(one, { deliveryId: one.pageId }));
    const storm = Array.from({ length: 5 }, (_, number) => of('ada', number));
    await settlePages([batch('pages.v1', storm)], due, NO_SLOTS);
    const queues = await deliveries.claim(LATER, 1);
    await deliveries.begin(queues, LATER, (delivery) => ({ delivery: markDropped(delivery, 'over') }));
    await settlePages([batch('pages.v1', [of('eve', 0), of('grace', 0)], 5)], due, NO_SLOTS);
    const order: string[] = [];
    for (let number = 1; number <= 6; number += 1) {
      const at = new Date(LATER.getTime() + number);
      const { ended } = await deliveries.begin(await deliveries.claim(at, 1), at, (each) => ({
        delivery: markDropped(each, ''),
      }));
      order.push(...ended.map(({ deliveryId }) => deliveryId.slice(0, 3)));
    }
    expect(order.slice(0, 3).toSorted()).toEqual(['ada', 'eve', 'gra']);
    expect(order.slice(3)).toEqual(['ada', 'ada', 'ada']);
  });
});

function only(begun: readonly BegunMessage[]): BegunMessage {
  const [one] = begun;
  if (one === undefined || begun.length > 1) throw new Error(`${begun.length} were begun`);
  return one;
}
