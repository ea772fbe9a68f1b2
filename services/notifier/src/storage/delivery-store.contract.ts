import { describe, expect, it } from '@jest/globals';
import type { AlertEvent, Decision } from '@tocsin/contracts';
import { begun, dropped, type Delivery } from '../domain/delivery.ts';
import { alertEvent, deliveryOf, page } from '../domain/page.samples.ts';
import type { Claim } from '../ports/delivery-store.ts';
import type { RepetitionClaim } from '../ports/flow-store.ts';
import { batch, expanded, LATER, type StoresUnderTest } from './stores-under-test.contract.ts';

const deliveredDecision: Decision = {
  decisionId: 'deliver:1',
  alertId: 'a1',
  stage: 'deliver',
  at: LATER.toISOString(),
  verdicts: [{ subject: 'delivery', outcome: 'retrying', text: 'again' }],
};

/** What every store of deliveries and standings promises. Each adapter runs it, so the fake cannot drift from the real one. */
export function describeDeliveryStore<C extends Claim, R extends RepetitionClaim>(
  name: string,
  create: () => Promise<StoresUnderTest<C, R>>,
): void {
  describe(`${name} as a store of deliveries`, () => {
    const withOneDelivery = async () => {
      const tested = await create();
      const delivery = deliveryOf(page());
      await tested.flows.settlePages([batch('pages.v1', [delivery.page])], () => expanded(delivery));
      return { ...tested, delivery };
    };

    it('keeps the details of an alert as they are, whatever their keys', async () => {
      const { flows, deliveries, claim } = await create();
      const details = { 'a.b': '1', $set: '2', '$where.x': '3', '': '4' };
      const delivery = deliveryOf(page({ alert: { ...page().alert, details } }));
      await flows.settlePages([batch('pages.v1', [delivery.page])], () => expanded(delivery));
      const [started] = await deliveries.begin(await claim(LATER), (each) => ({ delivery: begun(each) }));
      expect(started).toMatchObject({ page: { alert: { details } } });
    });

    it('hands a due delivery out with what is known of its alert', async () => {
      const { deliveries, standings, claim } = await withOneDelivery();
      const events: AlertEvent[] = [alertEvent(3, { acknowledged: true }), alertEvent(2, {})];
      await standings.settleAlerts([batch('alert-events.v1', events)]);
      const seen: unknown[] = [];
      await deliveries.begin(await claim(LATER), (delivery, standing) => {
        seen.push(standing);
        return { delivery: begun(delivery) };
      });
      expect(seen).toEqual([
        { alertId: 'a1', version: 3, status: 'open', acknowledged: true, snoozed: false, cycle: 1 },
      ]);
    });

    it('keeps the newest standing of an alert', async () => {
      const { deliveries, standings, claim } = await withOneDelivery();
      await standings.settleAlerts([batch('alert-events.v1', [alertEvent(3, { status: 'closed' })])]);
      await standings.settleAlerts([batch('alert-events.v1', [alertEvent(2, {})], 1)]);
      let status: string | undefined;
      await deliveries.begin(await claim(LATER), (delivery, standing) => {
        status = standing?.status;
        return { delivery: begun(delivery) };
      });
      expect(status).toBe('closed');
    });

    it('keeps the version that undid an acknowledgement, through one batch and over several', async () => {
      const { deliveries, standings, claim } = await withOneDelivery();
      const acknowledged = (version: number) => alertEvent(version, { acknowledged: true });
      await standings.settleAlerts([batch('alert-events.v1', [acknowledged(2), alertEvent(3, {}), acknowledged(4)])]);
      await standings.settleAlerts([batch('alert-events.v1', [alertEvent(5, {})], 3)]);
      await standings.settleAlerts([batch('alert-events.v1', [alertEvent(6, {}), alertEvent(5, {})], 4)]);
      const seen: unknown[] = [];
      await deliveries.begin(await claim(LATER), (delivery, standing) => {
        seen.push(standing);
        return { delivery: begun(delivery) };
      });
      expect(seen).toMatchObject([{ version: 6, acknowledged: false, undoneVersion: 5 }]);
    });

    it('keeps nothing of an alert about which nobody can be paged', async () => {
      const { deliveries, standings, claim } = await withOneDelivery();
      await standings.settleAlerts([batch('alert-events.v1', [alertEvent(3, { responders: [], status: 'closed' })])]);
      const seen: unknown[] = [];
      await deliveries.begin(await claim(LATER), (delivery, standing) => {
        seen.push(standing);
        return { delivery: begun(delivery) };
      });
      expect(seen).toEqual([undefined]);
    });

    it('lets a delivery that was dropped or sent never come again', async () => {
      const { deliveries, claim, delivery } = await withOneDelivery();
      const [claimed] = await claim(LATER);
      if (claimed === undefined) throw new Error('nothing was due');
      await deliveries.begin([claimed], () => ({ delivery: dropped(delivery, 'closed') }));
      expect(await claim(LATER)).toHaveLength(0);
      expect(await deliveries.begin([claimed], (again) => ({ delivery: begun(again) }))).toHaveLength(0);
    });

    it.each([
      ['late', 'sent'],
      ['late', 'failed'],
    ] as const)('takes no %s result from an attempt that another has taken over: %s', async (_, state) => {
      const { deliveries, claim, decisions, delivery } = await withOneDelivery();
      const [claimed] = await claim(LATER);
      if (claimed === undefined) throw new Error('nothing was due');
      const begin = async () =>
        (await deliveries.begin([claimed], (each) => ({ delivery: begun(each) })))[0] ?? delivery;
      const result = (of: Delivery, as: Delivery['state']) => ({
        claim: claimed,
        delivery: { ...of, state: as, reason: 'the answer' },
        decision: { ...deliveredDecision, decisionId: `deliver:${of.attempts}` },
      });
      const [frozen, taken] = [await begin(), await begin()];
      expect([frozen.attempts, taken.attempts]).toEqual([1, 2]);
      expect(await deliveries.conclude([result(frozen, state)])).toEqual([]);
      const ours = result(taken, 'sent');
      expect(await deliveries.conclude([ours])).toEqual([ours]);
      expect(await deliveries.conclude([result(frozen, state), ours])).toEqual([]);
      expect((await decisions()).map(({ decisionId }) => decisionId)).toEqual([
        `page:${delivery.deliveryId}`,
        'deliver:2',
      ]);
    });

    it('brings a delivery again at the instant of its next try, with what was written about it', async () => {
      const { deliveries, claim, decisions, delivery } = await withOneDelivery();
      const [claimed] = await claim(LATER);
      if (claimed === undefined) throw new Error('nothing was due');
      const [started] = await deliveries.begin([claimed], (each) => ({ delivery: begun(each) }));
      const retryAt = new Date(LATER.getTime() + 5_000);
      const waiting: Delivery = { ...(started ?? delivery), state: 'waiting', reason: '451 later' };
      await deliveries.conclude([{ claim: claimed, delivery: waiting, retryAt, decision: deliveredDecision }]);
      expect(await claim(LATER)).toHaveLength(0);
      const again = await claim(retryAt);
      expect(again).toHaveLength(1);
      let attempts = 0;
      await deliveries.begin(again, (each) => {
        attempts = each.attempts;
        return { delivery: begun(each) };
      });
      expect(attempts).toBe(1);
      expect((await decisions()).map(({ decisionId }) => decisionId)).toContain('deliver:1');
    });
  });
}
