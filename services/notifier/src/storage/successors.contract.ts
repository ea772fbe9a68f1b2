import { describe, expect, it } from '@jest/globals';
import { begun, concluded } from '../domain/attempts.ts';
import type { Delivery } from '../domain/delivery.ts';
import { successorOf } from '../domain/fail-over.ts';
import type { Conclusion, DeliveryStore, TakenDelivery } from '../ports/delivery-store.ts';
import { alertEvent, deliveryOf, page } from '../testing/page-samples.ts';
import { batch, expanded, LATER, NO_SLOTS, sendAll, type StoresUnderTest } from '../testing/stores-under-test.ts';

const start = (delivery: Delivery) => ({ delivery: begun(delivery) });

/** The provider [one] has refused the message for good. */
function refusal({ delivery, turn }: TakenDelivery): Conclusion {
  const result = { kind: 'permanent', reason: 'no' } as const;
  const { delivery: ended } = concluded(delivery, result, LATER, 0);
  const successor = successorOf({ delivery, provider: 'one', result }, ended, ['one', 'two']);
  return { turn, delivery: ended, ...(successor && { successor }) };
}

/** What every store promises of messages that go from one provider to the next. Each adapter runs it. */
export function describeSuccessors(name: string, create: () => Promise<StoresUnderTest>): void {
  describe(`${name} as a store of messages that go to another provider`, () => {
    const withOneBegun = async () => {
      const tested = await create();
      const delivery = deliveryOf(page());
      await tested.flows.settlePages([batch('pages.v1', [delivery.page])], () => expanded(delivery), NO_SLOTS);
      const [taken] = await tested.deliveries.begin(await tested.claim(LATER), LATER, start);
      if (taken === undefined) throw new Error('nothing was due');
      return { ...tested, taken, nextId: `${delivery.deliveryId}@2` };
    };

    it('goes on with the next provider in the same turn, at once', async () => {
      const { deliveries, nextId, taken } = await withOneBegun();
      const { next } = await deliveries.conclude([refusal(taken)], LATER, start);
      expect(next).toMatchObject([
        { turn: taken.turn, delivery: { deliveryId: nextId, state: 'sending', attempts: 1 } },
      ]);
      expect(next[0]?.delivery.refusedBy).toEqual(['one']);
    });

    it('keeps it due where the turn does not go on, so that whoever runs next sends it', async () => {
      const { deliveries, nextId, taken } = await withOneBegun();
      await deliveries.conclude([refusal(taken)], LATER);
      expect(await sendAll(deliveries, LATER)).toEqual([nextId]);
    });

    it('has one however often the same end is written', async () => {
      const { deliveries, nextId, taken } = await withOneBegun();
      await deliveries.conclude([refusal(taken)], LATER);
      expect(await sendAll(deliveries, LATER)).toEqual([nextId]);
      expect(await deliveries.conclude([refusal(taken)], LATER)).toEqual({ taken: [], next: [] });
      expect(await sendAll(deliveries, LATER)).toEqual([]);
    });

    it('has none by the result of an attempt that does not hold its delivery any more (U7)', async () => {
      const { claim, deliveries, expire, taken } = await withOneBegun();
      await expire();
      const [again] = await deliveries.begin(await claim(LATER), LATER, start);
      if (again === undefined) throw new Error('nothing was due');
      await deliveries.conclude([refusal(taken)], LATER);
      await concludeAsSent(deliveries, again);
      expect(await sendAll(deliveries, LATER)).toEqual([]);
    });

    it('is erased with its alert (A6)', async () => {
      const { deliveries, kept, nextId, standings, taken } = await withOneBegun();
      await deliveries.conclude([refusal(taken)], LATER);
      await standings.settleAlerts([batch('alert-events.v1', [alertEvent(2, { status: 'deleted' })])]);
      expect(await kept()).not.toContain(nextId);
      expect(await sendAll(deliveries, LATER)).toEqual([]);
    });
  });
}

const concludeAsSent = (deliveries: DeliveryStore, { delivery, turn }: TakenDelivery) =>
  deliveries.conclude([{ turn, delivery: { ...delivery, state: 'sent' } }], LATER);
