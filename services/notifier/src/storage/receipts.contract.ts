import { describe, expect, it } from '@jest/globals';
import { overtakenDecision } from '../application/delivery-decision.ts';
import { begun, concluded } from '../domain/attempts.ts';
import type { Delivery } from '../domain/delivery.ts';
import { awaiting, received, type Receipt, type Received } from '../domain/receipt.ts';
import type { TakenDelivery } from '../ports/delivery-store.ts';
import type { ReceiptChange } from '../ports/receipt-store.ts';
import { alertEvent, deliveryOf, page } from '../testing/page-samples.ts';
import { batch, expanded, LATER, NO_SLOTS, sendAll, type StoresUnderTest } from '../testing/stores-under-test.ts';

const PROVIDERS = ['one', 'two'];
const start = (delivery: Delivery) => ({ delivery: begun(delivery) });
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

/** The provider [one] took the message, and tells later what became of it. */
function sentBy({ delivery, turn }: TakenDelivery) {
  const sent = concluded(delivery, { kind: 'accepted', response: 'ok' }, LATER, 0).delivery;
  return { turn, delivery: awaiting(sent, 'one', PROVIDERS, LATER) };
}

/** What every store promises of receipts. Each adapter runs it. */
export function describeReceipts(name: string, create: () => Promise<StoresUnderTest>): void {
  describe(`${name} as a store that receipts move on`, () => {
    const withOneBegun = async () => {
      const tested = await create();
      await tested.flows.settlePages([batch('pages.v1', [about.page])], () => expanded(about), NO_SLOTS);
      const [taken] = await tested.deliveries.begin(await tested.claim(LATER), LATER, start);
      if (taken === undefined) throw new Error('nothing was due');
      const take = async (of: Receipt, now = SOON) => {
        const [change, ...others] = await tested.receipts.receive(
          of.deliveryId,
          now,
          (delivery): Received & ReceiptChange => received(delivery, of, PROVIDERS, now),
        );
        expect(others).toEqual([]);
        return change;
      };
      return { ...tested, taken, take, nextId: `${about.deliveryId}@2` };
    };
    const withOneSent = async () => {
      const tested = await withOneBegun();
      await tested.deliveries.conclude([sentBy(tested.taken)], LATER);
      return tested;
    };

    it('keeps the content of what was sent until its time is over, and no longer', async () => {
      const { kept, receipts } = await withOneSent();
      expect(await kept()).toContain('Disk full');
      await receipts.forget(SOON);
      expect(await kept()).toContain('Disk full');
      await receipts.forget(OVER);
      expect(await kept()).not.toContain('Disk full');
      expect(await kept()).toContain(about.deliveryId);
    });

    it('forgets the content of what arrived, and asks nobody again', async () => {
      const { deliveries, kept, take } = await withOneSent();
      expect(await take(receipt('delivered'))).toMatchObject({ kind: 'taken', delivery: { state: 'delivered' } });
      expect(await kept()).not.toContain('Disk full');
      expect(await take(receipt('failed'))).toEqual({ kind: 'unchanged' });
      expect(await take(receipt('delivered'))).toEqual({ kind: 'unchanged' });
      expect(await sendAll(deliveries, SOON)).toEqual([]);
    });

    it('lets what failed go to the next provider once, at once, with its content', async () => {
      const { claim, deliveries, nextId, take } = await withOneSent();
      await take(receipt('failed'));
      expect(await take(receipt('failed'))).toEqual({ kind: 'unchanged' });
      const [next] = await deliveries.begin(await claim(SOON), SOON, start);
      expect(next?.delivery).toMatchObject({ deliveryId: nextId, refusedBy: ['one'], page: page() });
      await deliveries.conclude(next === undefined ? [] : [sentBy(next)], SOON);
      expect(await sendAll(deliveries, OVER)).toEqual([]);
    });

    it('has no content any more for what failed once its time is over', async () => {
      const { deliveries, receipts, take } = await withOneSent();
      await receipts.forget(OVER);
      expect(await take(receipt('failed'), OVER)).not.toHaveProperty('successor');
      expect(await sendAll(deliveries, OVER)).toEqual([]);
    });

    it('ends a message that is being sent, and the result that comes after it changes nothing', async () => {
      const { deliveries, kept, take, taken } = await withOneBegun();
      await take(receipt('delivered'));
      expect(await deliveries.conclude([sentBy(taken)], SOON)).toEqual({ taken: [], next: [] });
      expect(await take(receipt('failed'))).toEqual({ kind: 'unchanged' });
      expect(await kept()).not.toContain('Disk full');
    });

    it('does not send again what arrived, though the process died before it wrote that it was taken', async () => {
      const { deliveries, expire, take } = await withOneBegun();
      await take(receipt('delivered'));
      await expire();
      expect(await sendAll(deliveries, SOON)).toEqual([]);
    });

    it('sends to the next provider what failed, though the process died before it wrote that it was taken', async () => {
      const { deliveries, expire, nextId, take } = await withOneBegun();
      await take(receipt('failed'));
      await expire();
      expect(await sendAll(deliveries, SOON)).toEqual([nextId]);
    });

    it('ends no newer attempt by the receipt of an older one, and says so', async () => {
      const { claim, decisions, deliveries, expire, receipts } = await withOneBegun();
      await expire();
      const [again] = await deliveries.begin(await claim(SOON), SOON, start);
      if (again === undefined) throw new Error('nothing was due');
      const old = receipt('delivered');
      await receipts.receive(old.deliveryId, SOON, (delivery) => ({
        decision: overtakenDecision(delivery, old, SOON),
      }));
      expect((await deliveries.conclude([sentBy(again)], SOON)).taken).toHaveLength(1);
      expect((await decisions()).at(-1)?.verdicts).toMatchObject([
        { subject: 'receipt', outcome: 'delivered', text: expect.stringContaining('What counts is try 2.') },
      ]);
    });

    it('knows nothing of a message that is gone with its alert, or never was (A6)', async () => {
      const { standings, take } = await withOneSent();
      await standings.settleAlerts([batch('alert-events.v1', [alertEvent(2, { status: 'deleted' })])]);
      expect(await take(receipt('failed'))).toBeUndefined();
      expect(await take({ ...receipt('failed'), deliveryId: 'another' })).toBeUndefined();
    });
  });
}
