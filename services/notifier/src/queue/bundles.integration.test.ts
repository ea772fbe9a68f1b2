import { describe, expect, it } from '@jest/globals';
import type { BundleLimits } from './next-message.ts';
import { beginAttempt, applyResult, postpone, type SendResult } from '../messages/attempts.ts';
import { type Delivery, markDropped, ofUser, withoutTries, withoutBundle } from '../messages/delivery.ts';
import { receiptFor, applyReceipt, type ReceiptOutcomeOf, type ReceiptChange } from '../receipts/receipt.ts';
import type { MessageResult, BegunMessage } from './message-result.ts';
import { deliveryOf, erase, page } from '../testing/page-samples.ts';
import { useStores } from '../testing/mongo-fixture.ts';
import { batch, expanded, expandNothing, LATER, NO_SLOTS, slotsFor } from '../testing/store-samples.ts';

const open = useStores();

const LIMITS: BundleLimits = new Map([['sms', { most: 2, size: 5 }]]);
const start = (delivery: Delivery) => ({ delivery: beginAttempt(delivery) });
const after = (seconds: number): Date => new Date(LATER.getTime() + 1_000 * seconds);
const idsOf = ({ delivery, others = [] }: BegunMessage): readonly string[] =>
  [delivery, ...others].map(({ deliveryId }) => deliveryId);

/** The state of a message of any kind. */
function concludedAs({ delivery, others = [], queue }: BegunMessage, result: SendResult, now = LATER): MessageResult {
  const of = (each: Delivery) => applyResult({ ...ofUser(each), provider: 'one' }, result, now, 0);
  return { ...of(delivery), queue, others: others.map(of) };
}

const OK: SendResult = { kind: 'accepted', response: 'ok' };

describe('the store of deliveries with bundles (U8)', () => {
  const withPages = async (count: number) => {
    const tested = await open({ bundles: LIMITS });
    let offset = 0;
    /** Each of an alert of its own, due at once. */
    const add = async (ids: readonly string[], at = LATER, slots = NO_SLOTS) => {
      const pages = ids.map((id) => page({ pageId: id, alertId: id }));
      const settled = await tested.settlePages(
        [batch('pages.v1', pages, offset)],
        (of) => expanded(deliveryOf(of, { deliveryId: of.pageId, method: 'sms', dueAt: at, run: 1 })),
        slots,
      );
      expect(settled).toEqual({ outcome: 'done' });
      offset += ids.length;
    };
    if (count > 0) await add(Array.from({ length: count }, (_, number) => `p${number}`));
    const begin = async (at = LATER) => (await tested.deliveries.begin(await tested.claim(at), at, start)).begun;
    /** Adds pages, one after the other, each of which goes out by itself. */
    const sendEach = async (...ids: readonly string[]): Promise<void> => {
      for (const id of ids) {
        await add([id]);
        const [begun] = await begin();
        if (begun === undefined) throw new Error('nothing was begun');
        await tested.deliveries.recordResults([concludedAs(begun, OK)], LATER, start);
      }
    };
    return { ...tested, add, begin, sendEach };
  };

  it('begins the messages beyond the limit as one message, and ends it as one', async () => {
    const { begin, claim, deliveries, kept } = await withPages(3);
    const [begun, ...more] = await begin();
    expect(more).toEqual([]);
    if (begun === undefined) throw new Error('nothing was begun');
    expect(idsOf(begun)).toEqual(['p0', 'p1', 'p2']);
    expect(begun.others?.map(({ bundle }) => bundle?.id)).toEqual(['p0+1', 'p0+1']);
    const sent = concludedAs(begun, OK);
    expect(await deliveries.recordResults([sent], LATER, start)).toEqual({ recorded: [sent], begun: [], ended: [] });
    expect(await claim(after(3_600))).toEqual([]);
    expect(await kept()).not.toContain('Disk full');
  });

  it('holds pages beyond the limit until the minute is over, and no process looks at the queue before', async () => {
    const { add, begin, claim, deliveries } = await withPages(1);
    for (const at of [0, 1]) {
      if (at > 0) await add(['second'], after(at));
      const [begun] = await begin(after(at));
      if (begun === undefined) throw new Error('nothing was begun');
      await deliveries.recordResults([concludedAs(begun, OK, after(at))], after(at), start);
    }
    await add(['third', 'fourth'], after(2));
    expect(await begin(after(2))).toEqual([]);
    expect(await claim(after(59))).toEqual([]);
    const [bundle] = await begin(after(60));
    expect(bundle && idsOf(bundle).toSorted()).toEqual(['fourth', 'third']);
  });

  it('holds a page that was postponed: a postponement is no attempt', async () => {
    const { add, begin, deliveries, sendEach } = await withPages(0);
    await sendEach('a');
    await add(['b']);
    const [begun] = await begin();
    if (begun === undefined) throw new Error('nothing was begun');
    const { delivery, queue } = begun;
    await deliveries.recordResults([{ ...postpone(delivery, 'its rate', LATER), queue }], LATER, start);
    await sendEach('c');
    expect(await begin(after(1))).toEqual([]);
  });

  it('looks at new pages while others are held: a full message does not wait', async () => {
    const { add, begin, sendEach } = await withPages(0);
    await sendEach('a', 'b');
    await add(['c', 'd', 'e', 'f'], after(1));
    expect(await begin(after(1))).toEqual([]);
    await add(['g'], after(2));
    const [full] = await begin(after(2));
    expect(full && idsOf(full)).toHaveLength(5);
  });

  it('begins inserted pages as one message too, and remembers them', async () => {
    const { add, begin } = await withPages(0);
    const slots = { ...slotsFor(5), now: LATER };
    await add(['a', 'b', 'c'], LATER, slots);
    expect(slots.begun.map(idsOf)).toEqual([['a', 'b', 'c']]);
    expect(await begin()).toEqual([]);
  });

  it('sends a message again as it was when its process died', async () => {
    const { add, begin, expire } = await withPages(3);
    await begin();
    await expire();
    await add(['q']);
    const [again] = (await begin(after(1))).filter(({ others }) => others !== undefined);
    expect(again && idsOf(again)).toEqual(['p0', 'p1', 'p2']);
    expect(again?.delivery).toMatchObject({
      attempts: 2,
      interruptions: 1,
      bundle: { id: 'p0+1', attempt: 2, size: 3 },
    });
  });

  it('accepts the result of a message of which a part was removed', async () => {
    const { begin, deliveries, settlePages, claim } = await withPages(3);
    const [begun] = await begin();
    if (begun === undefined) throw new Error('nothing was begun');
    await settlePages([batch('pages.v1', [erase({ alertId: 'p0' })], 100)], expandNothing, NO_SLOTS);
    const sent = concludedAs(begun, OK);
    expect((await deliveries.recordResults([sent], LATER)).recorded).toEqual([sent]);
    expect((await deliveries.recordResults([sent], LATER)).recorded).toEqual([]);
    expect(await claim(after(3_600))).toEqual([]);
  });

  it('tries a message again as one when its provider accepted none of it', async () => {
    const { begin, deliveries } = await withPages(3);
    const [begun] = await begin();
    if (begun === undefined) throw new Error('nothing was begun');
    await deliveries.recordResults([concludedAs(begun, { kind: 'temporary', reason: 'busy' })], LATER);
    const [again] = await begin(after(5));
    expect(again && idsOf(again)).toEqual(['p0', 'p1', 'p2']);
    expect(again?.delivery.bundle).toEqual({ id: 'p0+2', attempt: 1, size: 3 });
  });

  it('begins 300 pages at once at most, also after results, and gives back the queues of the others', async () => {
    const { claim, deliveries, settlePages } = await open({ bundles: new Map([['email', { most: 20, size: 100 }]]) });
    for (const [number, userId] of ['ada', 'ben', 'cyd', 'dan'].entries()) {
      const ids = Array.from({ length: 200 }, (_, of) => `${userId}${String(of)}`);
      await settlePages(
        [
          batch(
            'pages.v1',
            ids.map((pageId) => page({ pageId, alertId: pageId, userId })),
            200 * number,
          ),
        ],
        (of) => expanded(deliveryOf(of, { deliveryId: of.pageId, dueAt: LATER })),
        NO_SLOTS,
      );
    }
    const sizesOf = (begun: readonly BegunMessage[]) => begun.map((each) => idsOf(each).length);
    const { begun: first } = await deliveries.begin(await claim(LATER), LATER, start);
    const { begun: others } = await deliveries.begin(await claim(LATER), LATER, start);
    expect([sizesOf(first), sizesOf(others)]).toEqual([[100, 100, 100], [100]]);
    const results = [...first, ...others].map((each) => concludedAs(each, OK));
    expect(sizesOf((await deliveries.recordResults(results, LATER, start)).begun)).toEqual([100, 100, 100]);
    expect(sizesOf((await deliveries.begin(await claim(LATER), LATER, start)).begun)).toEqual([100]);
  });

  it('reads the user with the longest texts waiting, and no other user waits for that', async () => {
    const { deliveries, claim, settlePages } = await open({ bundles: new Map([['email', { most: 20, size: 100 }]]) });
    const long = '\u{1f525}'.repeat(15_000);
    const described = (id: string, userId: string, description: string) =>
      page({ pageId: id, alertId: id, userId, alert: { ...page().alert, description, details: { a: description } } });
    const storm = Array.from({ length: 180 }, (_, number) => described(`long${number}`, 'ada', long));
    const pages = [...storm, described('short', 'eve', '')];
    for (let from = 0; from < pages.length; from += 50)
      await settlePages(
        [batch('pages.v1', pages.slice(from, from + 50), from)],
        (of) => expanded(deliveryOf(of, { deliveryId: of.pageId, dueAt: LATER })),
        NO_SLOTS,
      );
    const { begun } = await deliveries.begin(await claim(LATER), LATER, start);
    expect(begun.map((each) => idsOf(each).length).toSorted((one, other) => one - other)).toEqual([1, 100]);
  });

  it('inserts the next delivery of each page of a message with the whole content', async () => {
    const { begin, deliveries, kept } = await withPages(3);
    const [begun] = await begin();
    if (begun === undefined) throw new Error('nothing was begun');
    const followed = (delivery: Delivery) => ({
      delivery: { ...delivery, state: 'failed' as const },
      successor: { ...withoutTries(ofUser(delivery)), deliveryId: `${delivery.deliveryId}@2`, refusedBy: ['one'] },
    });
    const { delivery, others = [], queue } = begun;
    await deliveries.recordResults([{ ...followed(delivery), queue, others: others.map(followed) }], LATER);
    // A failed message keeps no text of its alert.
    expect((await kept()).split('No space left on /var')).toHaveLength(1 + 3);
  });

  it('sends the only page that is left of several with its whole content', async () => {
    const { claim, deliveries } = await withPages(3);
    const check = (each: Delivery) =>
      each.deliveryId === 'p1' ? start(each) : { delivery: markDropped(each, 'acknowledged') };
    const [only, ...more] = (await deliveries.begin(await claim(LATER), LATER, check)).begun;
    expect([only && idsOf(only), more]).toEqual([['p1'], []]);
    expect(only?.delivery).toMatchObject({
      page: { alert: { description: 'No space left on /var', details: { host: 'db-7' } } },
    });
  });

  it('looks again at a queue of which all that was chosen has ended', async () => {
    const { claim, deliveries } = await withPages(6);
    const check = (each: Delivery) =>
      each.deliveryId === 'p5' ? start(each) : { delivery: markDropped(each, 'acknowledged') };
    const { begun, ended } = await deliveries.begin(await claim(LATER), LATER, check);
    expect([begun, ended.map(({ state }) => state)]).toEqual([[], Array.from({ length: 5 }, () => 'dropped')]);
    const { begun: second } = await deliveries.begin(await claim(LATER), LATER, check);
    expect(second.map(({ delivery }) => [delivery.deliveryId, delivery.state])).toEqual([['p5', 'sending']]);
  });

  it('holds no page because of messages that were tried and not sent', async () => {
    const { add, begin, deliveries } = await withPages(1);
    let at = LATER;
    for (const seconds of [1, 3, 7]) {
      const [begun] = await begin(at);
      if (begun === undefined) throw new Error('nothing was begun');
      const { delivery, queue } = begun;
      const retryAt = after(seconds);
      await deliveries.recordResults(
        [{ queue, delivery: { ...withoutBundle(delivery), state: 'waiting' }, retryAt }],
        at,
      );
      at = retryAt;
    }
    await add(['second'], at);
    const sent: string[] = [];
    for (let next = await begin(at); next.length > 0; next = await begin(at)) {
      sent.push(...next.flatMap(idsOf));
      await deliveries.recordResults(
        next.map((each) => concludedAs(each, OK, at)),
        at,
      );
    }
    expect(sent.toSorted()).toEqual(['p0', 'second']);
  });

  it('counts messages that its provider accepted: the next page is held', async () => {
    const { add, begin, sendEach } = await withPages(0);
    await sendEach('a', 'b');
    await add(['c'], after(1));
    expect(await begin(after(1))).toEqual([]);
  });

  it('applies its receipt to all pages of a message, and none of an older try', async () => {
    const { begin, deliveries, expire, receipts } = await withPages(3);
    await begin();
    await expire();
    const [begun] = await begin(after(1));
    if (begun === undefined) throw new Error('nothing was begun');
    await deliveries.recordResults([concludedAs(begun, OK)], after(1));
    const take = async (attempt: number) => {
      const receipt = { deliveryId: 'p0+1', attempt, provider: 'one', outcome: 'delivered', said: 'ok' } as const;
      const changes = await receipts.receive(
        receipt.deliveryId,
        after(2),
        (delivery): ReceiptOutcomeOf & ReceiptChange =>
          applyReceipt(delivery, receiptFor(delivery, receipt), ['one'], after(2)),
      );
      return changes.map(({ kind }) => kind);
    };
    expect(await take(1)).toEqual(['overtaken', 'overtaken', 'overtaken']);
    expect(await take(2)).toEqual(['taken', 'taken', 'taken']);
    expect(await take(2)).toEqual(['unchanged', 'unchanged', 'unchanged']);
  });
});
