import { describe, expect, it } from '@jest/globals';
import type { AlertEvent, Decision, Page, VerificationEvent } from '@tocsin/contracts';
import { begun } from '../domain/attempts.ts';
import { dropped, type Delivery } from '../domain/delivery.ts';
import { alertEvent, deliveryOf, page } from '../testing/page-samples.ts';
import { rechecked } from '../domain/recheck.ts';
import type { Conclusion, Decide, TakenDelivery } from '../ports/delivery-store.ts';
import { batch, expanded, LATER, NO_SLOTS, sendAll, type StoresUnderTest } from '../testing/stores-under-test.ts';

const deliveredDecision: Decision = {
  decisionId: 'deliver:1',
  alertId: 'a1',
  stage: 'deliver',
  at: LATER.toISOString(),
  verdicts: [{ subject: 'delivery', outcome: 'retrying', text: 'again' }],
};

/** What every store of deliveries and standings promises. Each adapter runs it, so the fake cannot drift from the real one. */
export function describeDeliveryStore(name: string, create: () => Promise<StoresUnderTest>): void {
  describe(`${name} as a store of deliveries`, () => {
    const withOneDelivery = async () => {
      const tested = await create();
      const delivery = deliveryOf(page());
      await tested.flows.settlePages([batch('pages.v1', [delivery.page])], () => expanded(delivery), NO_SLOTS);
      return { ...tested, delivery };
    };

    it('keeps the details of an alert as they are, whatever their keys', async () => {
      const { flows, deliveries, claim } = await create();
      const details = { 'a.b': '1', $set: '2', '$where.x': '3', '': '4' };
      const delivery = deliveryOf(page({ alert: { ...page().alert, details } }));
      await flows.settlePages([batch('pages.v1', [delivery.page])], () => expanded(delivery), NO_SLOTS);
      const [started] = await deliveries.begin(await claim(LATER), LATER, (each) => ({ delivery: begun(each) }));
      expect(started?.delivery).toMatchObject({ page: { alert: { details } } });
    });

    it('hands a due delivery out with what is known of its alert', async () => {
      const { deliveries, standings, claim } = await withOneDelivery();
      const events: AlertEvent[] = [alertEvent(3, { acknowledged: true }), alertEvent(2, {})];
      await standings.settleAlerts([batch('alert-events.v1', events)]);
      const seen: unknown[] = [];
      await deliveries.begin(await claim(LATER), LATER, (delivery, standing) => {
        seen.push(standing);
        return { delivery: begun(delivery) };
      });
      expect(seen).toEqual([
        { alertId: 'a1', version: 3, status: 'open', acknowledged: true, snoozed: false, cycle: 1 },
      ]);
    });

    it('claims no turns of a method that is to wait, and all others', async () => {
      const { deliveries, flows } = await create();
      const pages = (['email', 'sms', 'voice'] as const).map((method) => ({ method, page: page({ pageId: method }) }));
      for (const [offset, { method, page: of }] of pages.entries())
        await flows.settlePages(
          [batch('pages.v1', [of], offset)],
          () => expanded(deliveryOf(of, { method })),
          NO_SLOTS,
        );
      const claimed = await deliveries.claim(LATER, 100, ['sms', 'mobile']);
      expect(claimed.map(({ id }) => id).toSorted()).toEqual(['email:ada', 'voice:ada']);
      expect((await deliveries.claim(LATER, 100)).map(({ id }) => id)).toEqual(['sms:ada']);
    });

    it('keeps the newest standing of an alert', async () => {
      const { deliveries, standings, claim } = await withOneDelivery();
      await standings.settleAlerts([batch('alert-events.v1', [alertEvent(3, { status: 'closed' })])]);
      await standings.settleAlerts([batch('alert-events.v1', [alertEvent(2, {})], 1)]);
      let status: string | undefined;
      await deliveries.begin(await claim(LATER), LATER, (delivery, standing) => {
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
      await deliveries.begin(await claim(LATER), LATER, (delivery, standing) => {
        seen.push(standing);
        return { delivery: begun(delivery) };
      });
      expect(seen).toMatchObject([{ version: 6, acknowledged: false, undoneVersion: 5 }]);
    });

    it('keeps nothing of an alert about which nobody can be paged', async () => {
      const { deliveries, standings, claim } = await withOneDelivery();
      await standings.settleAlerts([batch('alert-events.v1', [alertEvent(3, { responders: [], status: 'closed' })])]);
      const seen: unknown[] = [];
      await deliveries.begin(await claim(LATER), LATER, (delivery, standing) => {
        seen.push(standing);
        return { delivery: begun(delivery) };
      });
      expect(seen).toEqual([undefined]);
    });

    it('lets a delivery that was dropped or sent never come again', async () => {
      const { deliveries, claim, delivery } = await withOneDelivery();
      const [claimed] = await claim(LATER);
      if (claimed === undefined) throw new Error('nothing was due');
      await deliveries.begin([claimed], LATER, () => ({ delivery: dropped(delivery, 'closed') }));
      expect(await claim(LATER)).toHaveLength(0);
      expect(await deliveries.begin([claimed], LATER, (again) => ({ delivery: begun(again) }))).toHaveLength(0);
    });

    it.each(['sent', 'failed'] as const)(
      'takes no result from an attempt that another has taken over, not even %j',
      async (state) => {
        const { deliveries, claim, expire, decisions, delivery } = await withOneDelivery();
        const begin = async () => {
          const taken = await deliveries.begin(await claim(LATER), LATER, (each) => ({ delivery: begun(each) }));
          await expire();
          return only(taken);
        };
        const result = ({ delivery: of, turn }: TakenDelivery, as: Delivery['state']) => ({
          turn,
          delivery: { ...of, state: as, reason: 'the answer' },
          decision: { ...deliveredDecision, decisionId: `deliver:${of.attempts}` },
        });
        const [frozen, taken] = [await begin(), await begin()];
        expect([frozen.delivery.attempts, taken.delivery.attempts]).toEqual([1, 2]);
        expect((await deliveries.conclude([result(frozen, state)], LATER)).taken).toEqual([]);
        const ours = result(taken, 'sent');
        expect((await deliveries.conclude([result(frozen, state), ours], LATER)).taken).toEqual([ours]);
        expect((await deliveries.conclude([result(frozen, state), ours], LATER)).taken).toEqual([]);
        expect(await claim(LATER)).toEqual([]);
        expect((await decisions()).map(({ decisionId }) => decisionId)).toEqual([
          `page:${delivery.deliveryId}`,
          'deliver:2',
        ]);
      },
    );

    it('leaves what directory may verify with the result of a message, once, and with no result that is not taken', async () => {
      const { deliveries, claim, expire, verifications } = await withOneDelivery();
      const begin = async () => {
        const taken = await deliveries.begin(await claim(LATER), LATER, (each) => ({ delivery: begun(each) }));
        await expire();
        return only(taken);
      };
      const verificationOf = (attempts: number): VerificationEvent => ({
        userId: 'ada',
        method: 'email',
        to: `${attempts}@example.com`,
        at: LATER.toISOString(),
      });
      const sentBy = ({ delivery, turn }: TakenDelivery): Conclusion => ({
        turn,
        delivery: { ...delivery, state: 'sent' },
        verification: verificationOf(delivery.attempts),
      });
      const cut = await begin();
      const repeated = await begin();
      expect(await verifications()).toEqual([]);
      await deliveries.conclude([sentBy(cut)], LATER);
      expect(await verifications()).toEqual([]);
      await deliveries.conclude([sentBy(repeated)], LATER);
      await deliveries.conclude([sentBy(repeated)], LATER);
      expect(await verifications()).toEqual([verificationOf(2)]);
    });

    it('begins nothing for a turn that another has by now, and does not end it', async () => {
      const { deliveries, claim, expire } = await withOneDelivery();
      const lost = await claim(LATER);
      await expire();
      const ours = await claim(LATER);
      expect(await deliveries.begin(lost, LATER, (each) => ({ delivery: begun(each) }))).toEqual([]);
      await deliveries.release(lost);
      expect(await claim(LATER)).toEqual([]);
      const taken = await deliveries.begin(ours, LATER, (each) => ({ delivery: begun(each) }));
      expect(only(taken).delivery).toMatchObject({ attempts: 1, interruptions: 0 });
    });

    it('counts a turn that was given back unbegun as nothing', async () => {
      const { deliveries, claim } = await withOneDelivery();
      for (let times = 0; times < 9; times += 1) await deliveries.release(await claim(LATER));
      const taken = await deliveries.begin(await claim(LATER), LATER, (each) => ({ delivery: begun(each) }));
      expect(only(taken).delivery).toMatchObject({ attempts: 1, interruptions: 0 });
    });

    it('brings a delivery again at the instant of its next try, with what was written about it', async () => {
      const { deliveries, claim, decisions } = await withOneDelivery();
      const taken = await deliveries.begin(await claim(LATER), LATER, (each) => ({ delivery: begun(each) }));
      const { delivery, turn } = only(taken);
      const retryAt = new Date(LATER.getTime() + 5_000);
      const waiting: Delivery = { ...delivery, state: 'waiting', reason: '451 later' };
      await deliveries.conclude([{ turn, delivery: waiting, retryAt, decision: deliveredDecision }], LATER);
      expect(await claim(LATER)).toHaveLength(0);
      const again = await claim(retryAt);
      expect(again).toHaveLength(1);
      const attempts: number[] = [];
      await deliveries.begin(again, retryAt, (each) => {
        attempts.push(each.attempts);
        return { delivery: begun(each) };
      });
      expect(attempts).toEqual([1]);
      expect((await decisions()).map(({ decisionId }) => decisionId)).toContain('deliver:1');
    });

    it('has one turn for a person at a time, whatever comes meanwhile: P1 first, first pages before repeats, then the oldest', async () => {
      const { deliveries, flows, claim } = await withOneDelivery();
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
      await flows.settlePages(
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

    it('lets a turn go on with what its person is told next, in the transaction of the result', async () => {
      const { deliveries, flows, standings, claim } = await withOneDelivery();
      const more = ['urgent', 'dropped'].map((pageId) =>
        page({
          pageId,
          alertId: pageId,
          pagedAt: new Date(LATER.getTime() - 1_000).toISOString(),
          alert: { ...page().alert, priority: pageId === 'urgent' ? 'P1' : 'P5' },
        }),
      );
      await flows.settlePages([batch('pages.v1', more, 1)], (of) => expanded(deliveryOf(of)), NO_SLOTS);
      const closed = { ...alertEvent(2, { status: 'closed' }), alertId: 'dropped' };
      await standings.settleAlerts([batch('alert-events.v1', [closed])]);
      const decide: Decide = (delivery, standing) => ({
        delivery:
          rechecked(delivery, { standing, user: undefined, now: LATER }).state === 'dropped'
            ? dropped(delivery, 'over')
            : begun(delivery),
      });
      const first = only(await deliveries.begin(await claim(LATER), LATER, decide));
      const sent = (of: TakenDelivery) => [{ turn: of.turn, delivery: { ...of.delivery, state: 'sent' as const } }];
      const second = only((await deliveries.conclude(sent(first), LATER, decide)).next);
      expect(second).toMatchObject({ turn: first.turn, delivery: { deliveryId: 'urgent', state: 'sending' } });
      expect(await claim(LATER)).toEqual([]);
      const third = only((await deliveries.conclude(sent(second), LATER, decide)).next);
      expect(third).toMatchObject({ turn: first.turn, delivery: { deliveryId: 'dropped', state: 'dropped' } });
      await flows.settlePages(
        [batch('pages.v1', [page({ pageId: 'after' })], 3)],
        (of) => expanded(deliveryOf(of)),
        NO_SLOTS,
      );
      expect(await claim(LATER)).toHaveLength(1);
    });

    it('does not let a turn go on that another has by now, though the result counts', async () => {
      const { deliveries, flows, claim, expire } = await withOneDelivery();
      const first = only(await deliveries.begin(await claim(LATER), LATER, (each) => ({ delivery: begun(each) })));
      await flows.settlePages(
        [batch('pages.v1', [page({ pageId: 'next' })], 1)],
        (of) => expanded(deliveryOf(of)),
        NO_SLOTS,
      );
      await expire();
      expect(await claim(LATER)).toHaveLength(1);
      const sent: Conclusion = { turn: first.turn, delivery: { ...first.delivery, state: 'sent' } };
      const concluded = await deliveries.conclude([sent], LATER, (each) => ({ delivery: begun(each) }));
      expect(concluded).toEqual({ taken: [sent], next: [] });
    });

    it('goes round the people who wait: a storm for one costs another at most one turn', async () => {
      const { deliveries, flows } = await create();
      const of = (userId: string, number: number) => page({ userId, pageId: `${userId} ${number}` });
      const due = (one: Page) => expanded(deliveryOf(one, { deliveryId: one.pageId }));
      const storm = Array.from({ length: 5 }, (_, number) => of('ada', number));
      await flows.settlePages([batch('pages.v1', storm)], due, NO_SLOTS);
      const turns = await deliveries.claim(LATER, 1);
      await deliveries.begin(turns, LATER, (delivery) => ({ delivery: dropped(delivery, 'over') }));
      await flows.settlePages([batch('pages.v1', [of('eve', 0), of('grace', 0)], 5)], due, NO_SLOTS);
      const order: string[] = [];
      for (let number = 1; number <= 6; number += 1) {
        const at = new Date(LATER.getTime() + number);
        const taken = await deliveries.begin(await deliveries.claim(at, 1), at, (each) => ({
          delivery: dropped(each, ''),
        }));
        order.push(only(taken).delivery.deliveryId.slice(0, 3));
      }
      expect(order.slice(0, 3).toSorted()).toEqual(['ada', 'eve', 'gra']);
      expect(order.slice(3)).toEqual(['ada', 'ada', 'ada']);
    });
  });
}

function only(taken: readonly TakenDelivery[]): TakenDelivery {
  const [one] = taken;
  if (one === undefined || taken.length > 1) throw new Error(`${taken.length} were begun`);
  return one;
}
