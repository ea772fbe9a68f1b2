import { describe, expect, it } from '@jest/globals';
import { beginAttempt, applyResult } from '../messages/attempts.ts';
import { type Delivery, ofUser } from '../messages/delivery.ts';
import { successorOf } from '../messages/fail-over.ts';
import type { DeliveryStore } from './delivery-store.ts';
import type { MessageResult, BegunMessage } from './message-result.ts';
import { closing, deliveryOf, erase, page } from '../testing/page-samples.ts';
import { useStores } from '../testing/mongo-fixture.ts';
import { batch, expanded, expandNothing, LATER, NO_SLOTS, sendAll } from '../testing/store-samples.ts';

const open = useStores();

const start = (delivery: Delivery) => ({ delivery: beginAttempt(delivery) });

/** The provider [one] has refused the message for good. */
function refusal({ delivery, queue }: BegunMessage): MessageResult {
  const result = { kind: 'permanent', reason: 'no' } as const;
  const { delivery: ended } = applyResult(ofUser(delivery), result, LATER, 0);
  const successor = successorOf({ delivery: ofUser(delivery), provider: 'one', result }, ended, ['one', 'two']);
  return { queue, delivery: ended, ...(successor && { successor }) };
}

describe('a message that goes to another provider', () => {
  const withOneBegun = async () => {
    const tested = await open();
    const delivery = deliveryOf(page());
    await tested.settlePages([batch('pages.v1', [delivery.page])], () => expanded(delivery), NO_SLOTS);
    const [begun] = (await tested.deliveries.begin(await tested.claim(LATER), LATER, start)).begun;
    if (begun === undefined) throw new Error('nothing was due');
    return { ...tested, begun, nextId: `${delivery.deliveryId}@2` };
  };

  it('goes on with the next provider in the same queue, at once', async () => {
    const { deliveries, nextId, begun } = await withOneBegun();
    const { begun: next } = await deliveries.recordResults([refusal(begun)], LATER, start);
    expect(next).toMatchObject([
      { queue: begun.queue, delivery: { deliveryId: nextId, state: 'sending', attempts: 1 } },
    ]);
    expect(next[0]?.delivery.refusedBy).toEqual(['one']);
  });

  it('has a successor that stays due where the queue does not go on, so that the next process sends it', async () => {
    const { deliveries, nextId, begun } = await withOneBegun();
    await deliveries.recordResults([refusal(begun)], LATER);
    expect(await sendAll(deliveries, LATER)).toEqual([nextId]);
  });

  it('has one successor however often the same end is written', async () => {
    const { deliveries, nextId, begun } = await withOneBegun();
    await deliveries.recordResults([refusal(begun)], LATER);
    expect(await sendAll(deliveries, LATER)).toEqual([nextId]);
    expect(await deliveries.recordResults([refusal(begun)], LATER)).toEqual({ recorded: [], begun: [], ended: [] });
    expect(await sendAll(deliveries, LATER)).toEqual([]);
  });

  it('has no successor by the result of an attempt that has ended otherwise (U17)', async () => {
    const { claim, deliveries, expire, begun } = await withOneBegun();
    await expire();
    const [again] = (await deliveries.begin(await claim(LATER), LATER, start)).begun;
    if (again === undefined) throw new Error('nothing was due');
    await deliveries.recordResults([refusal(begun)], LATER);
    await concludeAsSent(deliveries, again);
    expect(await sendAll(deliveries, LATER)).toEqual([]);
  });

  it('has a successor that is cancelled with it, where it was under way when the cancel came', async () => {
    const { claim, deliveries, settlePages, nextId, begun } = await withOneBegun();
    await settlePages([batch('pages.v1', [closing()], 1)], expandNothing, NO_SLOTS);
    await deliveries.recordResults([refusal(begun)], LATER);
    const [next] = (await deliveries.begin(await claim(LATER), LATER, start)).begun;
    expect(next?.delivery).toMatchObject({ deliveryId: nextId, cancelReason: 'the alert was closed' });
  });

  it('has a successor that is erased with the alert (A6)', async () => {
    const { deliveries, settlePages, kept, nextId, begun } = await withOneBegun();
    await deliveries.recordResults([refusal(begun)], LATER);
    await settlePages([batch('pages.v1', [erase()], 1)], expandNothing, NO_SLOTS);
    expect(await kept()).not.toContain(nextId);
    expect(await sendAll(deliveries, LATER)).toEqual([]);
  });
});

const concludeAsSent = (deliveries: DeliveryStore, { delivery, queue }: BegunMessage) =>
  deliveries.recordResults([{ queue, delivery: { ...delivery, state: 'sent' } }], LATER);
