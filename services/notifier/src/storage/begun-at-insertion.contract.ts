import { describe, expect, it } from '@jest/globals';
import type { Page } from '@tocsin/contracts';
import { begun } from '../domain/attempts.ts';
import type { Delivery } from '../domain/delivery.ts';
import { rechecked } from '../domain/recheck.ts';
import type { Decide, TakenDelivery } from '../ports/delivery-store.ts';
import { alertEvent, deliveryOf, page } from '../testing/page-samples.ts';
import {
  batch,
  expanded,
  LATER,
  NO_SLOTS,
  sendAll,
  slotsFor,
  type StoresUnderTest,
} from '../testing/stores-under-test.ts';

const of = (userId: string, pageId: string, priority: 'P1' | 'P3' = 'P3'): Page =>
  page({ userId, pageId, alertId: pageId, alert: { ...page().alert, priority } });
const expand = (one: Page) => expanded(deliveryOf(one, { deliveryId: one.pageId }));
const idsOf = (taken: readonly TakenDelivery[]): readonly string[] =>
  taken.map(({ delivery }) => delivery.deliveryId).toSorted();
const begin: Decide = (delivery) => ({ delivery: begun(delivery) });
const sent = ({ delivery, turn }: TakenDelivery) => ({ turn, delivery: { ...delivery, state: 'sent' as const } });

/** What every store promises of messages that are begun in the transaction that inserts them. */
export function describeBegunAtInsertion(name: string, create: () => Promise<StoresUnderTest>): void {
  describe(`${name} about a message that is due when it is inserted`, () => {
    it('begins the first message of each person, as many as there are slots; the others wait for their turns', async () => {
      const { claim, deliveries, flows } = await create();
      const slots = slotsFor(2);
      const pages = [of('ada', 'ada 1'), of('ada', 'ada 2', 'P1'), of('eve', 'eve 1'), of('grace', 'grace 1')];
      await flows.settlePages([batch('pages.v1', pages)], expand, slots);
      expect(slots.started.map(({ delivery }) => [delivery.state, delivery.attempts])).toEqual([
        ['sending', 1],
        ['sending', 1],
      ]);
      expect(idsOf(slots.started)).toContain('ada 2');
      const waiting = await claim(LATER);
      expect(waiting).toHaveLength(1);
      await deliveries.release(waiting);
      await deliveries.conclude(slots.started.map(sent), LATER);
      expect((await sendAll(deliveries, LATER)).toSorted()).toEqual(
        ['ada 1', 'ada 2', 'eve 1', 'grace 1'].filter((id) => !idsOf(slots.started).includes(id)),
      );
    });

    it('lets it wait behind what is under way, what is due already, and nothing that is due later', async () => {
      const { claim, deliveries, expire, flows } = await create();
      const slots = slotsFor(10);
      const inAMinute = new Date(LATER.getTime() + 60_000);
      const soon = (one: Page) => expanded(deliveryOf(one, { deliveryId: one.pageId, dueAt: inAMinute }));
      await flows.settlePages([batch('pages.v1', [of('grace', 'grace 1')])], soon, NO_SLOTS);
      await flows.settlePages([batch('pages.v1', [of('ada', 'ada 1')], 1)], expand, NO_SLOTS);
      await flows.settlePages([batch('pages.v1', [of('ada', 'ada 2', 'P1')], 2)], expand, slots);
      expect(slots.started).toEqual([]);
      const [turn] = await claim(new Date(LATER.getTime() - 1));
      await flows.settlePages([batch('pages.v1', [of('ada', 'ada 3', 'P1')], 3)], expand, slots);
      await flows.settlePages([batch('pages.v1', [of('grace', 'grace 2')], 4)], expand, slots);
      expect(idsOf(slots.started)).toEqual(['grace 2']);
      if (turn === undefined) throw new Error('nothing was due');
      await deliveries.release([turn]);
      await expire();
      expect(await sendAll(deliveries, LATER)).toEqual(expect.arrayContaining(['ada 1', 'ada 2', 'ada 3']));
    });

    it('lets it wait behind what became due a moment after its own instant', async () => {
      const { deliveries, flows } = await create();
      const first = slotsFor(1);
      await flows.settlePages([batch('pages.v1', [of('ada', 'ada 1', 'P1'), of('ada', 'ada 2', 'P1')])], expand, first);
      // Its turn ends at LATER, with more to come.
      await deliveries.conclude(first.started.map(sent), LATER);
      const slots = slotsFor(1);
      await flows.settlePages([batch('pages.v1', [of('ada', 'ada 3')], 2)], expand, slots);
      expect(slots.started).toEqual([]);
      expect(await sendAll(deliveries, LATER)).toEqual(['ada 2', 'ada 3']);
    });

    it('sends it to nobody when it is not wanted any more, says so, and begins the next of its person', async () => {
      const { decisions, flows, kept, standings } = await create();
      const closed = { ...alertEvent(2, { status: 'closed' }), alertId: 'unwanted' };
      await standings.settleAlerts([batch('alert-events.v1', [closed])]);
      const slots = slotsFor(1, (delivery, standing) => {
        const checked = rechecked(delivery, { standing, user: undefined, now: LATER });
        const decision = { ...expand(of('ada', 'unwanted')).decision, decisionId: 'says why' } as never;
        return checked.state === 'dropped' ? { delivery: checked, decision } : { delivery: begun(checked) };
      });
      const secret = of('ada', 'unwanted', 'P1');
      const unwanted = { ...secret, alert: { ...secret.alert, message: 'the secret' } };
      await flows.settlePages([batch('pages.v1', [unwanted, of('ada', 'wanted')])], expand, slots);
      expect(slots.started.map(({ delivery }) => [delivery.deliveryId, delivery.state])).toEqual([
        ['unwanted', 'dropped'],
        ['wanted', 'sending'],
      ]);
      expect((await decisions()).map(({ decisionId }) => decisionId)).toContain('says why');
      expect(await kept()).not.toContain('the secret');
    });

    it('is sent once more by another process when its own died before the hand-over, and counts it', async () => {
      const { claim, deliveries, expire, flows } = await create();
      await flows.settlePages([batch('pages.v1', [of('ada', 'ada 1')])], expand, slotsFor(1));
      expect(await claim(LATER)).toEqual([]);
      await expire();
      const taken = await deliveries.begin(await claim(LATER), LATER, begin);
      expect(taken.map(({ delivery }) => delivery)).toMatchObject([
        { deliveryId: 'ada 1', state: 'sending', attempts: 2, interruptions: 1 },
      ] satisfies Partial<Delivery>[]);
    });

    it('writes over no result of whoever took it over while its process was frozen', async () => {
      const { claim, deliveries, expire, flows } = await create();
      const slots = slotsFor(1);
      await flows.settlePages([batch('pages.v1', [of('ada', 'ada 1')])], expand, slots);
      await expire();
      const taken = await deliveries.begin(await claim(LATER), LATER, begin);
      expect((await deliveries.conclude(slots.started.map(sent), LATER, begin)).taken).toEqual([]);
      expect((await deliveries.conclude(taken.map(sent), LATER)).taken).toHaveLength(1);
    });

    it('does nothing more when its page comes again', async () => {
      const { claim, deliveries, decisions, flows } = await create();
      const slots = slotsFor(2);
      const pages = [of('ada', 'ada 1')];
      await flows.settlePages([batch('pages.v1', pages)], expand, slots);
      await deliveries.conclude(slots.started.map(sent), LATER);
      await flows.settlePages([batch('pages.v1', [...pages, ...pages], 1)], expand, slots);
      expect(slots.started).toHaveLength(1);
      expect(await claim(LATER)).toEqual([]);
      expect(await decisions()).toHaveLength(1);
    });
  });
}
