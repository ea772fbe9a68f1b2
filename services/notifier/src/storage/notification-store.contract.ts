import { describe, expect, it } from '@jest/globals';
import type { AlertEvent, ConsumedBatch, Decision } from '@tocsin/contracts';
import { begun, dropped, type Delivery } from '../domain/delivery.ts';
import type { Claim, ExpandedPage, NotificationStore } from '../ports/notification-store.ts';
import { alertEvent, deliveryOf, page } from '../domain/page.samples.ts';

/** A store and the claims that its timers would hand out for deliveries. */
export interface StoreUnderTest<C extends Claim> {
  readonly store: NotificationStore<C>;
  /** Claims what is due at `at` or before. */
  readonly claim: (at: Date) => Promise<readonly C[]>;
  readonly decisions: () => Promise<readonly Decision[]>;
}

const batch = <T>(topic: string, values: readonly T[], firstOffset = 0): ConsumedBatch<T> => ({
  topic,
  partition: 0,
  clusterId: 'c1',
  records: values.map((value, index) => ({ offset: firstOffset + index, key: 'k', timestampMs: 1, value })),
});

const expanded = (delivery: Delivery): ExpandedPage => ({
  deliveries: [delivery],
  decision: {
    decisionId: `page:${delivery.page.pageId}`,
    alertId: delivery.page.alertId,
    stage: 'page',
    at: delivery.page.pagedAt,
    verdicts: [{ subject: 'step', outcome: 'scheduled', text: 'by e-mail' }],
  },
});

const LATER = new Date('2026-01-01T01:00:00Z');

/** What every notification store promises. Each adapter runs it, so the fake cannot drift from the real one. */
export function describeNotificationStore<C extends Claim>(
  name: string,
  create: () => Promise<StoreUnderTest<C>>,
): void {
  describe(`${name} as a notification store`, () => {
    const withOneDelivery = async () => {
      const tested = await create();
      const delivery = deliveryOf(page());
      await tested.store.settlePages(batch('pages.v1', [delivery.page]), () => expanded(delivery));
      return { ...tested, delivery };
    };

    it('takes a page once, whatever is delivered again', async () => {
      const { store, claim, decisions, delivery } = await withOneDelivery();
      await store.settlePages(batch('pages.v1', [delivery.page, delivery.page], 1), () => expanded(delivery));
      expect(await claim(LATER)).toHaveLength(1);
      expect(await decisions()).toHaveLength(1);
    });

    it('keeps the details of an alert as they are, whatever their keys', async () => {
      const { store, claim } = await create();
      const details = { 'a.b': '1', $set: '2', '$where.x': '3', '': '4' };
      const delivery = deliveryOf(page({ alert: { ...page().alert, details } }));
      await store.settlePages(batch('pages.v1', [delivery.page]), () => expanded(delivery));
      const [started] = await store.begin(await claim(LATER), (each) => ({ delivery: begun(each) }));
      expect(started?.page.alert.details).toEqual(details);
    });

    it('hands a due delivery out with what is known of its alert', async () => {
      const { store, claim } = await withOneDelivery();
      const events: AlertEvent[] = [alertEvent(3, { acknowledged: true }), alertEvent(2, {})];
      await store.settleAlerts(batch('alert-events.v1', events));
      const seen: unknown[] = [];
      await store.begin(await claim(LATER), (delivery, standing) => {
        seen.push(standing);
        return { delivery: begun(delivery) };
      });
      expect(seen).toEqual([
        { alertId: 'a1', version: 3, status: 'open', acknowledged: true, snoozed: false, cycle: 1 },
      ]);
    });

    it('keeps the newest standing of an alert', async () => {
      const { store, claim } = await withOneDelivery();
      await store.settleAlerts(batch('alert-events.v1', [alertEvent(3, { status: 'closed' })]));
      await store.settleAlerts(batch('alert-events.v1', [alertEvent(2, {})], 1));
      let status: string | undefined;
      await store.begin(await claim(LATER), (delivery, standing) => {
        status = standing?.status;
        return { delivery: begun(delivery) };
      });
      expect(status).toBe('closed');
    });

    it('keeps nothing of an alert about which nobody can be paged', async () => {
      const { store, claim } = await withOneDelivery();
      await store.settleAlerts(batch('alert-events.v1', [alertEvent(3, { responders: [], status: 'closed' })]));
      const seen: unknown[] = [];
      await store.begin(await claim(LATER), (delivery, standing) => {
        seen.push(standing);
        return { delivery: begun(delivery) };
      });
      expect(seen).toEqual([undefined]);
    });

    it('lets a delivery that was dropped or sent never come again', async () => {
      const { store, claim, delivery } = await withOneDelivery();
      const [claimed] = await claim(LATER);
      if (claimed === undefined) throw new Error('nothing was due');
      await store.begin([claimed], () => ({ delivery: dropped(delivery, 'closed') }));
      expect(await claim(LATER)).toHaveLength(0);
      expect(await store.begin([claimed], (again) => ({ delivery: begun(again) }))).toHaveLength(0);
    });

    it('brings a delivery again at the instant of its next try, with what was written about it', async () => {
      const { store, claim, decisions, delivery } = await withOneDelivery();
      const [claimed] = await claim(LATER);
      if (claimed === undefined) throw new Error('nothing was due');
      const [started] = await store.begin([claimed], (each) => ({ delivery: begun(each) }));
      const retryAt = new Date(LATER.getTime() + 5_000);
      const decision: Decision = {
        decisionId: 'deliver:1',
        alertId: 'a1',
        stage: 'deliver',
        at: LATER.toISOString(),
        verdicts: [{ subject: 'delivery', outcome: 'retrying', text: 'again' }],
      };
      const waiting: Delivery = { ...(started ?? delivery), state: 'waiting', reason: '451 later' };
      await store.conclude([{ claim: claimed, delivery: waiting, retryAt, decision }]);
      expect(await claim(LATER)).toHaveLength(0);
      const again = await claim(retryAt);
      expect(again).toHaveLength(1);
      let attempts = 0;
      await store.begin(again, (each) => {
        attempts = each.attempts;
        return { delivery: begun(each) };
      });
      expect(attempts).toBe(1);
      expect((await decisions()).map(({ decisionId }) => decisionId)).toContain('deliver:1');
    });

    it('moves past a record that fails for ever', async () => {
      const { store } = await create();
      const record = { topic: 'pages.v1', partition: 0, clusterId: 'c1', offset: 0, key: undefined, timestampMs: 1 };
      expect(await store.bury({ ...record, value: undefined })).toEqual({ outcome: 'done' });
    });
  });
}
