import { describe, expect, it } from '@jest/globals';
import type { Page } from '@tocsin/contracts';
import { begun } from '../domain/attempts.ts';
import { UNTRIED } from '../domain/delivery.ts';
import { planShift } from '../domain/shift.ts';
import { verification } from '../testing/notice-samples.ts';
import { alertEvent, deliveryOf, page } from '../testing/page-samples.ts';
import { adaWith, shift, shiftRule } from '../testing/shift-samples.ts';
import type { Repetition } from '../domain/repetition.ts';
import type { ExpandedNotice, RepetitionClaim } from '../ports/flow-store.ts';
import { batch, expanded, LATER, NO_SLOTS, sendAll, type StoresUnderTest } from '../testing/stores-under-test.ts';

const at = (minute: number) => new Date(new Date(page().pagedAt).getTime() + minute * 60_000);
const SHIFT_AT = new Date(shift().at);
const repetition = (number: number, of = page()): Repetition => ({
  page: of,
  number,
  dueAt: at(number * 10),
  loopAfterMinutes: 10,
});
const run = (number: number) =>
  deliveryOf(page(), { deliveryId: `${page().pageId}~${number}#s1`, dueAt: at(number * 10) });

const notice: ExpandedNotice = {
  deliveries: [
    {
      ...UNTRIED,
      deliveryId: 'notice:n2',
      notice: verification(),
      username: 'ada@example.com',
      method: 'email',
      to: 'ada@example.org',
      dueAt: at(0),
    },
  ],
  decision: {
    decisionId: 'notice:n2',
    userId: 'ada',
    stage: 'page',
    at: verification().at,
    verdicts: [{ subject: 'notice', outcome: 'scheduled', text: 'sent at once' }],
  },
};

/** What every store of flows promises. Each adapter runs it, so the fake cannot drift from the real one. */
export function describeFlowStore<R extends RepetitionClaim>(
  name: string,
  create: () => Promise<StoresUnderTest<R>>,
): void {
  describe(`${name} as a store of flows`, () => {
    const withRepetition = async (of = page()) => {
      const tested = await create();
      const change = { next: repetition(1, of) };
      await tested.flows.settlePages([batch('pages.v1', [of])], () => expanded(deliveryOf(of), change), NO_SLOTS);
      return tested;
    };

    it('takes a page once, whatever is delivered again', async () => {
      const { deliveries, flows, decisions } = await create();
      const expand = () => expanded(deliveryOf(page()));
      await flows.settlePages([batch('pages.v1', [page()])], expand, NO_SLOTS);
      await flows.settlePages([batch('pages.v1', [page(), page()], 1)], expand, NO_SLOTS);
      expect(await sendAll(deliveries, LATER)).toHaveLength(1);
      expect(await decisions()).toHaveLength(1);
    });

    it('takes a notice once, whatever is delivered again, and keeps all of it until it is sent', async () => {
      const { flows, deliveries, claim, decisions } = await create();
      await flows.settleNotices(batch('notice-commands.v1', [verification(), verification()]), () => notice, NO_SLOTS);
      await flows.settleNotices(batch('notice-commands.v1', [verification()], 2), () => notice, NO_SLOTS);
      const claims = await claim(LATER);
      expect(claims).toHaveLength(1);
      expect(await decisions()).toEqual([notice.decision]);
      const standings: unknown[] = [];
      const [started] = await deliveries.begin(claims, LATER, (each, standing) => {
        standings.push(standing);
        return { delivery: begun(each) };
      });
      expect(started?.delivery).toMatchObject({ notice: verification(), to: 'ada@example.org' });
      expect(standings).toEqual([undefined]);
    });

    it('takes the notice of a shift once, and keeps all of it until it is sent', async () => {
      const { flows, deliveries, claim } = await create();
      const { deliveries: planned } = planShift(shift(), adaWith(shiftRule()), new Set(['email']));
      const told = { deliveries: planned, decision: { ...notice.decision, decisionId: 'page:shift' } };
      for (const offset of [0, 2])
        await flows.settleNotices(batch('shift-notices.v1', [shift(), shift()], offset), () => told, NO_SLOTS);
      const claims = await claim(SHIFT_AT);
      expect(claims).toHaveLength(1);
      const [started] = await deliveries.begin(claims, SHIFT_AT, (each) => ({ delivery: begun(each) }));
      expect(started?.delivery).toMatchObject({ shift: shift(), state: 'sending', to: 'ada@example.com' });
    });

    it('takes a notice that comes to no message once as well', async () => {
      const { flows, claim, decisions } = await create();
      const nothing = { ...notice, deliveries: [] };
      await flows.settleNotices(batch('notice-commands.v1', [verification()]), () => nothing, NO_SLOTS);
      await flows.settleNotices(batch('notice-commands.v1', [verification()], 1), () => nothing, NO_SLOTS);
      expect(await claim(LATER)).toEqual([]);
      expect(await decisions()).toHaveLength(1);
    });

    it('refuses for good what cannot be expanded, and does nothing of what came with it', async () => {
      const { flows, claim, decisions } = await create();
      const expand = (of: Page) => {
        if (of.pageId === 'odd') throw new TypeError('odd');
        return expanded(deliveryOf(of));
      };
      const settlement = await flows.settlePages(
        [batch('pages.v1', [page(), page({ pageId: 'odd' })])],
        expand,
        NO_SLOTS,
      );
      expect(settlement).toMatchObject({ outcome: 'refused', reason: expect.stringContaining('odd') });
      expect(await claim(LATER)).toEqual([]);
      expect(await decisions()).toEqual([]);
    });

    it('hands out a repetition when it is due, with what is known of its alert', async () => {
      const { flows, standings, claimRepetitions } = await withRepetition();
      await standings.settleAlerts([batch('alert-events.v1', [alertEvent(2, { acknowledged: true })])]);
      expect(await claimRepetitions(at(9))).toEqual([]);
      const seen: unknown[] = [];
      const claims = await claimRepetitions(at(10));
      expect(claims).toMatchObject([{ id: page().pageId, fence: 1, payload: { userId: 'ada' } }]);
      await flows.repeat(
        claims,
        (each, standing) => {
          seen.push(each, standing?.acknowledged);
          return expanded(run(1));
        },
        NO_SLOTS,
      );
      expect(seen).toEqual([repetition(1), true]);
    });

    it('sets the next repetition of a page, one at a time, and adds the deliveries of each', async () => {
      const { deliveries, flows, claimRepetitions, decisions } = await withRepetition(
        page({ alert: { ...page().alert, details: { 'a.b': '1', $set: '2' } } }),
      );
      for (const number of [1, 2, 3]) {
        const claims = await claimRepetitions(at(number * 10));
        expect(claims.map(({ fence }) => fence)).toEqual([number]);
        await flows.repeat(
          claims,
          ({ page: of }) => {
            expect(of.alert.details).toEqual({ 'a.b': '1', $set: '2' });
            return expanded(run(number), { next: repetition(number + 1, of) });
          },
          NO_SLOTS,
        );
      }
      expect((await sendAll(deliveries, LATER)).toSorted()).toEqual([
        page().pageId,
        ...[1, 2, 3].map((number) => run(number).deliveryId),
      ]);
      expect(await decisions()).toHaveLength(4);
    });

    it('takes a page that waited for its user as if it came then, and knows it again', async () => {
      const { deliveries, flows, claimRepetitions, decisions } = await create();
      const waiting = { deliveries: [], next: { ...repetition(0), dueAt: at(1) } };
      await flows.settlePages([batch('pages.v1', [page()])], () => expanded(deliveryOf(page()), waiting), NO_SLOTS);
      const first = await claimRepetitions(at(1));
      await flows.repeat(first, () => expanded(deliveryOf(page()), { next: repetition(1) }), NO_SLOTS);
      await flows.settlePages([batch('pages.v1', [page()], 1)], () => expanded(deliveryOf(page())), NO_SLOTS);
      expect(await sendAll(deliveries, LATER)).toEqual([page().pageId]);
      expect((await claimRepetitions(LATER)).map(({ fence }) => fence)).toEqual([1]);
      expect(await decisions()).toHaveLength(2);
    });

    it('knows a page again that came to no message', async () => {
      const { deliveries, flows, decisions } = await create();
      const nothing = () => expanded(deliveryOf(page()), { deliveries: [] });
      await flows.settlePages([batch('pages.v1', [page()])], nothing, NO_SLOTS);
      await flows.settlePages([batch('pages.v1', [page()], 1)], () => expanded(deliveryOf(page())), NO_SLOTS);
      expect(await sendAll(deliveries, LATER)).toEqual([]);
      expect(await decisions()).toHaveLength(1);
    });

    it('does not repeat a page whose repetitions have ended', async () => {
      const { flows, claimRepetitions } = await withRepetition();
      const claims = await claimRepetitions(at(10));
      await flows.repeat(claims, () => expanded(run(1), { deliveries: [] }), NO_SLOTS);
      expect(await claimRepetitions(LATER)).toEqual([]);
    });

    it('does nothing for a claim to a repetition that was made already', async () => {
      const { deliveries, flows, claimRepetitions } = await withRepetition();
      const claims = await claimRepetitions(at(10));
      await flows.repeat(claims, () => expanded(run(1), { next: repetition(2) }), NO_SLOTS);
      await flows.repeat(claims, () => expanded(run(1), { next: repetition(2) }), NO_SLOTS);
      expect(await sendAll(deliveries, LATER)).toHaveLength(2);
      expect((await claimRepetitions(LATER)).map(({ fence }) => fence)).toEqual([2]);
    });
  });
}
