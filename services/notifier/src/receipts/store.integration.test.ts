import { describe, expect, it } from '@jest/globals';
import { overtakenDecision } from '../messages/decisions.ts';
import { beginAttempt, applyResult } from '../messages/attempts.ts';
import { type Delivery, ofUser } from '../messages/delivery.ts';
import { keepForReceipt, type Receipt, applyReceipt, type ReceiptOutcomeOf, type ReceiptChange } from './receipt.ts';
import type { BegunMessage } from '../queue/message-result.ts';
import { deliveryOf, erase, page } from '../testing/page-samples.ts';
import { useStores } from '../testing/mongo-fixture.ts';
import { batch, expanded, expandNothing, LATER, NO_SLOTS, sendAll } from '../testing/store-samples.ts';

const open = useStores();

const PROVIDERS = ['one', 'two'];
const start = (delivery: Delivery) => ({ delivery: beginAttempt(delivery) });
/** Its tries last until a quarter past. */
const about = deliveryOf(page(), { dueAt: LATER });
const SOON = new Date(LATER.getTime() + 60_000);
const OVER = new Date(LATER.getTime() + 900_000);

const receipt = (outcome: Receipt['outcome'], attempt = 1): Receipt => ({
  deliveryId: about.deliveryId,
  attempt,
  provider: 'one',
  outcome,
  said: outcome,
});

/** The provider [one] took the message, and sends its receipt later. */
function sentBy({ delivery, queue }: BegunMessage) {
  const sent = applyResult(ofUser(delivery), { kind: 'accepted', response: 'ok' }, LATER, 0).delivery;
  return { queue, delivery: keepForReceipt(sent, 'one', PROVIDERS, LATER) };
}

describe('the store of receipts', () => {
  const withOneBegun = async () => {
    const tested = await open();
    await tested.settlePages([batch('pages.v1', [about.page])], () => expanded(about), NO_SLOTS);
    const [begun] = (await tested.deliveries.begin(await tested.claim(LATER), LATER, start)).begun;
    if (begun === undefined) throw new Error('nothing was due');
    const take = async (of: Receipt, now = SOON) => {
      const [change, ...others] = await tested.receipts.receive(
        of.deliveryId,
        now,
        (delivery): ReceiptOutcomeOf & ReceiptChange => applyReceipt(delivery, of, PROVIDERS, now),
      );
      expect(others).toEqual([]);
      return change;
    };
    return { ...tested, begun, take, nextId: `${about.deliveryId}@2` };
  };
  const withOneSent = async () => {
    const tested = await withOneBegun();
    await tested.deliveries.recordResults([sentBy(tested.begun)], LATER);
    return tested;
  };

  it('keeps the content of a sent message until its time is over, and no longer', async () => {
    const { kept, receipts } = await withOneSent();
    expect(await kept()).toContain('Disk full');
    await receipts.forget(SOON);
    expect(await kept()).toContain('Disk full');
    await receipts.forget(OVER);
    expect(await kept()).not.toContain('Disk full');
    expect(await kept()).toContain(about.deliveryId);
  });

  it('erases the content of a delivered message, and sends it to no other provider', async () => {
    const { deliveries, kept, take } = await withOneSent();
    expect(await take(receipt('delivered'))).toMatchObject({ kind: 'taken', delivery: { state: 'delivered' } });
    expect(await kept()).not.toContain('Disk full');
    expect(await take(receipt('failed'))).toEqual({ kind: 'unchanged' });
    expect(await take(receipt('delivered'))).toEqual({ kind: 'unchanged' });
    expect(await sendAll(deliveries, SOON)).toEqual([]);
  });

  it('sends a failed message to the next provider once, at once, with its content', async () => {
    const { claim, deliveries, nextId, take } = await withOneSent();
    await take(receipt('failed'));
    expect(await take(receipt('failed'))).toEqual({ kind: 'unchanged' });
    const [next] = (await deliveries.begin(await claim(SOON), SOON, start)).begun;
    expect(next?.delivery).toMatchObject({ deliveryId: nextId, refusedBy: ['one'], page: page() });
    await deliveries.recordResults(next === undefined ? [] : [sentBy(next)], SOON);
    expect(await sendAll(deliveries, OVER)).toEqual([]);
  });

  it('has no content of a failed message after its time is over', async () => {
    const { deliveries, receipts, take } = await withOneSent();
    await receipts.forget(OVER);
    expect(await take(receipt('failed'), OVER)).not.toHaveProperty('successor');
    expect(await sendAll(deliveries, OVER)).toEqual([]);
  });

  it('ends a message that is being sent, and the result that comes after it changes nothing', async () => {
    const { deliveries, kept, take, begun } = await withOneBegun();
    await take(receipt('delivered'));
    expect(await deliveries.recordResults([sentBy(begun)], SOON)).toEqual({ recorded: [], begun: [], ended: [] });
    expect(await take(receipt('failed'))).toEqual({ kind: 'unchanged' });
    expect(await kept()).not.toContain('Disk full');
  });

  it('does not send a delivered message again, although the process died before it wrote the result', async () => {
    const { deliveries, expire, take } = await withOneBegun();
    await take(receipt('delivered'));
    await expire();
    expect(await sendAll(deliveries, SOON)).toEqual([]);
  });

  it('sends a failed message to the next provider, although the process died before it wrote the result', async () => {
    const { deliveries, expire, nextId, take } = await withOneBegun();
    await take(receipt('failed'));
    await expire();
    expect(await sendAll(deliveries, SOON)).toEqual([nextId]);
  });

  it('ends no newer attempt by the receipt of an older one, and says so', async () => {
    const { claim, decisions, deliveries, expire, receipts } = await withOneBegun();
    await expire();
    const [again] = (await deliveries.begin(await claim(SOON), SOON, start)).begun;
    if (again === undefined) throw new Error('nothing was due');
    const old = receipt('delivered');
    await receipts.receive(old.deliveryId, SOON, (delivery) => ({
      decision: overtakenDecision(delivery, old, SOON),
    }));
    expect((await deliveries.recordResults([sentBy(again)], SOON)).recorded).toHaveLength(1);
    expect((await decisions()).at(-1)?.findings).toMatchObject([
      { subject: 'receipt', outcome: 'delivered', text: expect.stringContaining('What counts is attempt 2.') },
    ]);
  });

  it('finds no message that was deleted with its alert, or never existed (A6)', async () => {
    const { settlePages, take } = await withOneSent();
    await settlePages([batch('pages.v1', [erase()], 1)], expandNothing, NO_SLOTS);
    expect(await take(receipt('failed'))).toBeUndefined();
    expect(await take({ ...receipt('failed'), deliveryId: 'another' })).toBeUndefined();
  });
});
