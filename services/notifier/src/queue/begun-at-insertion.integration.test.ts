import { describe, expect, it } from '@jest/globals';
import type { Page } from '@tocsin/events';
import { beginAttempt } from '../messages/attempts.ts';
import { type Delivery, ofUser } from '../messages/delivery.ts';
import { checkBeforeSending } from '../messages/recheck.ts';
import type { Check, BegunMessage } from './message-result.ts';
import { closing, deliveryOf, page } from '../testing/page-samples.ts';
import { useStores } from '../testing/mongo-fixture.ts';
import { batch, expanded, LATER, NO_SLOTS, sendAll, slotsFor } from '../testing/store-samples.ts';

const open = useStores();

const of = (userId: string, pageId: string, priority: 'P1' | 'P3' = 'P3'): Page =>
  page({ userId, pageId, alertId: pageId, alert: { ...page().alert, priority } });
const expand = (one: Page) => expanded(deliveryOf(one, { deliveryId: one.pageId }));
const idsOf = (begun: readonly BegunMessage[]): readonly string[] =>
  begun.map(({ delivery }) => delivery.deliveryId).toSorted();
const beginEach: Check = (delivery) => ({ delivery: beginAttempt(delivery) });
const sent = ({ delivery, queue }: BegunMessage) => ({ queue, delivery: { ...delivery, state: 'sent' as const } });

describe('a message that is due when it is inserted', () => {
  it('is begun where it is the first of its user and there is a slot; the others wait in their queues', async () => {
    const { claim, deliveries, settlePages } = await open();
    const slots = slotsFor(2);
    const pages = [of('ada', 'ada 1'), of('ada', 'ada 2', 'P1'), of('eve', 'eve 1'), of('grace', 'grace 1')];
    await settlePages([batch('pages.v1', pages)], expand, slots);
    expect(slots.begun.map(({ delivery }) => [delivery.state, delivery.attempts])).toEqual([
      ['sending', 1],
      ['sending', 1],
    ]);
    expect(idsOf(slots.begun)).toContain('ada 2');
    const waiting = await claim(LATER);
    expect(waiting).toHaveLength(1);
    await deliveries.release(waiting);
    await deliveries.recordResults(slots.begun.map(sent), LATER);
    expect((await sendAll(deliveries, LATER)).toSorted()).toEqual(
      ['ada 1', 'ada 2', 'eve 1', 'grace 1'].filter((id) => !idsOf(slots.begun).includes(id)),
    );
  });

  it('waits for messages that are under way or due, and for no later ones', async () => {
    const { claim, deliveries, expire, settlePages } = await open();
    const slots = slotsFor(10);
    const inAMinute = new Date(LATER.getTime() + 60_000);
    const soon = (one: Page) => expanded(deliveryOf(one, { deliveryId: one.pageId, dueAt: inAMinute }));
    await settlePages([batch('pages.v1', [of('grace', 'grace 1')])], soon, NO_SLOTS);
    await settlePages([batch('pages.v1', [of('ada', 'ada 1')], 1)], expand, NO_SLOTS);
    await settlePages([batch('pages.v1', [of('ada', 'ada 2', 'P1')], 2)], expand, slots);
    expect(slots.begun).toEqual([]);
    const [queue] = await claim(new Date(LATER.getTime() - 1));
    await settlePages([batch('pages.v1', [of('ada', 'ada 3', 'P1')], 3)], expand, slots);
    await settlePages([batch('pages.v1', [of('grace', 'grace 2')], 4)], expand, slots);
    expect(idsOf(slots.begun)).toEqual(['grace 2']);
    if (queue === undefined) throw new Error('nothing was due');
    await deliveries.release([queue]);
    await expire();
    expect(await sendAll(deliveries, LATER)).toEqual(expect.arrayContaining(['ada 1', 'ada 2', 'ada 3']));
  });

  it('waits for messages that became due shortly after its own instant', async () => {
    const { deliveries, settlePages } = await open();
    const first = slotsFor(1);
    await settlePages([batch('pages.v1', [of('ada', 'ada 1', 'P1'), of('ada', 'ada 2', 'P1')])], expand, first);
    // Its queue ends at LATER, with more to come.
    await deliveries.recordResults(first.begun.map(sent), LATER);
    const slots = slotsFor(1);
    await settlePages([batch('pages.v1', [of('ada', 'ada 3')], 2)], expand, slots);
    expect(slots.begun).toEqual([]);
    expect(await sendAll(deliveries, LATER)).toEqual(['ada 2', 'ada 3']);
  });

  it('is dropped where its cancel comes with it, which the log says, and the next of its user is begun', async () => {
    const { decisions, settlePages, kept } = await open();
    const slots = slotsFor(1, (delivery) => {
      const checked = checkBeforeSending(ofUser(delivery), { user: undefined, now: LATER });
      const decision = { ...expand(of('ada', 'unwanted')).decision, decisionId: 'says why' } as never;
      return checked.state === 'dropped' ? { delivery: checked, decision } : { delivery: beginAttempt(checked) };
    });
    const closed = closing(2, { alertId: 'unwanted' });
    const secret = of('ada', 'unwanted', 'P1');
    const unwanted = { ...secret, alert: { ...secret.alert, message: 'the secret' } };
    await settlePages([batch('pages.v1', [unwanted, of('ada', 'wanted'), closed])], expand, slots);
    expect(slots.ended).toMatchObject([{ deliveryId: 'unwanted', state: 'dropped' }]);
    expect(slots.begun).toMatchObject([{ delivery: { deliveryId: 'wanted', state: 'sending' } }]);
    expect((await decisions()).map(({ decisionId }) => decisionId)).toContain('says why');
    expect(await kept()).not.toContain('the secret');
  });

  it('is sent once more by another process when its own died before sending, and counts it', async () => {
    const { claim, deliveries, expire, settlePages } = await open();
    await settlePages([batch('pages.v1', [of('ada', 'ada 1')])], expand, slotsFor(1));
    expect(await claim(LATER)).toEqual([]);
    await expire();
    const { begun } = await deliveries.begin(await claim(LATER), LATER, beginEach);
    expect(begun.map(({ delivery }) => delivery)).toMatchObject([
      { deliveryId: 'ada 1', state: 'sending', attempts: 2, interruptions: 1 },
    ] satisfies Partial<Delivery>[]);
  });

  it('keeps the result of the process that claimed it while its own was frozen', async () => {
    const { claim, deliveries, expire, settlePages } = await open();
    const slots = slotsFor(1);
    await settlePages([batch('pages.v1', [of('ada', 'ada 1')])], expand, slots);
    await expire();
    const { begun } = await deliveries.begin(await claim(LATER), LATER, beginEach);
    expect((await deliveries.recordResults(slots.begun.map(sent), LATER, beginEach)).recorded).toEqual([]);
    expect((await deliveries.recordResults(begun.map(sent), LATER)).recorded).toHaveLength(1);
  });

  it('is begun once where its page is repeated', async () => {
    const { claim, deliveries, decisions, settlePages } = await open();
    const slots = slotsFor(2);
    const pages = [of('ada', 'ada 1')];
    await settlePages([batch('pages.v1', pages)], expand, slots);
    await deliveries.recordResults(slots.begun.map(sent), LATER);
    await settlePages([batch('pages.v1', [...pages, ...pages], 1)], expand, slots);
    expect(slots.begun).toHaveLength(1);
    expect(await claim(LATER)).toEqual([]);
    expect(await decisions()).toHaveLength(1);
  });
});
