import { describe, expect, it } from '@jest/globals';
import type { Page } from '@tocsin/events';
import { beginAttempt } from '../messages/attempts.ts';
import { UNTRIED } from '../messages/delivery.ts';
import { planShift } from '../notices/shift.ts';
import { verification } from '../testing/notice-samples.ts';
import { deliveryOf, page } from '../testing/page-samples.ts';
import { adaWith, shift, shiftRule } from '../testing/shift-samples.ts';
import type { Repetition } from './repetition.ts';
import type { ExpandedNotice } from '../notices/notice.ts';
import { useStores } from '../testing/mongo-fixture.ts';
import { batch, expanded, LATER, NO_SLOTS, sendAll } from '../testing/store-samples.ts';

const open = useStores();

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
    findings: [{ subject: 'notice', outcome: 'scheduled', text: 'sent at once' }],
  },
};

describe('the store of pages and notices', () => {
  const withRepetition = async (of = page()) => {
    const tested = await open();
    const change = { next: repetition(1, of) };
    await tested.settlePages([batch('pages.v1', [of])], () => expanded(deliveryOf(of), change), NO_SLOTS);
    return tested;
  };

  it('stores a page once, however often it is delivered', async () => {
    const { deliveries, settlePages, decisions } = await open();
    const expand = () => expanded(deliveryOf(page()));
    await settlePages([batch('pages.v1', [page()])], expand, NO_SLOTS);
    await settlePages([batch('pages.v1', [page(), page()], 1)], expand, NO_SLOTS);
    expect(await sendAll(deliveries, LATER)).toHaveLength(1);
    expect(await decisions()).toHaveLength(1);
  });

  it('stores a notice once, however often it is delivered, and keeps all of it until it is sent', async () => {
    const { settleNotices, deliveries, claim, decisions } = await open();
    await settleNotices([batch('notice-commands.v1', [verification(), verification()])], () => notice, NO_SLOTS);
    await settleNotices([batch('notice-commands.v1', [verification()], 2)], () => notice, NO_SLOTS);
    const claims = await claim(LATER);
    expect(claims).toHaveLength(1);
    expect(await decisions()).toEqual([notice.decision]);
    const [started] = (await deliveries.begin(claims, LATER, (each) => ({ delivery: beginAttempt(each) }))).begun;
    expect(started?.delivery).toMatchObject({ notice: verification(), to: 'ada@example.org' });
  });

  it('stores the notice of a shift once, and keeps all of it until it is sent', async () => {
    const { settleNotices, deliveries, claim } = await open();
    const { deliveries: planned } = planShift(shift(), adaWith(shiftRule()), new Set(['email']));
    const plan = { deliveries: planned, decision: { ...notice.decision, decisionId: 'page:shift' } };
    for (const offset of [0, 2])
      await settleNotices([batch('shift-notices.v1', [shift(), shift()], offset)], () => plan, NO_SLOTS);
    const claims = await claim(SHIFT_AT);
    expect(claims).toHaveLength(1);
    const [started] = (await deliveries.begin(claims, SHIFT_AT, (each) => ({ delivery: beginAttempt(each) }))).begun;
    expect(started?.delivery).toMatchObject({ shift: shift(), state: 'sending', to: 'ada@example.com' });
  });

  it('stores a notice without a message once as well', async () => {
    const { settleNotices, claim, decisions } = await open();
    const nothing = { ...notice, deliveries: [] };
    await settleNotices([batch('notice-commands.v1', [verification()])], () => nothing, NO_SLOTS);
    await settleNotices([batch('notice-commands.v1', [verification()], 1)], () => nothing, NO_SLOTS);
    expect(await claim(LATER)).toEqual([]);
    expect(await decisions()).toHaveLength(1);
  });

  it('refuses a page that cannot be expanded, and stores nothing of its batch', async () => {
    const { settlePages, claim, decisions } = await open();
    const expand = (of: Page) => {
      if (of.pageId === 'odd') throw new TypeError('odd');
      return expanded(deliveryOf(of));
    };
    const settlement = await settlePages([batch('pages.v1', [page(), page({ pageId: 'odd' })])], expand, NO_SLOTS);
    expect(settlement).toMatchObject({ outcome: 'refused', reason: expect.stringContaining('odd') });
    expect(await claim(LATER)).toEqual([]);
    expect(await decisions()).toEqual([]);
  });

  it('repeats a page when it is due, and not before', async () => {
    const { repeatDue } = await withRepetition();
    const seen: unknown[] = [];
    for (const minute of [9, 10])
      await repeatDue(at(minute), (each) => {
        seen.push(minute, each);
        return expanded(run(1));
      });
    expect(seen).toEqual([10, repetition(1)]);
  });

  it('sets the next repetition of a page, one at a time, and adds the deliveries of each', async () => {
    const details = { 'a.b': '1', $set: '2' };
    const { decisions, deliveries, repeatDue } = await withRepetition(page({ alert: { ...page().alert, details } }));
    const seen: unknown[] = [];
    for (const minute of [10, 20, 30])
      await repeatDue(at(minute), ({ number, page: of }) => {
        seen.push([number, of.alert.details]);
        return expanded(run(number), { next: repetition(number + 1, of) });
      });
    expect(seen).toEqual([1, 2, 3].map((number) => [number, details]));
    expect((await sendAll(deliveries, LATER)).toSorted()).toEqual([
      page().pageId,
      ...[1, 2, 3].map((number) => run(number).deliveryId),
    ]);
    expect(await decisions()).toHaveLength(4);
  });

  it('stores a page that waited for its user as if it came then, and recognises a repeat', async () => {
    const { deliveries, settlePages, repeatDue, decisions } = await open();
    const waiting = { deliveries: [], next: { ...repetition(0), dueAt: at(1) } };
    await settlePages([batch('pages.v1', [page()])], () => expanded(deliveryOf(page()), waiting), NO_SLOTS);
    const seen: Repetition[] = [];
    for (const minute of [1, 10])
      await repeatDue(at(minute), (each) => {
        seen.push(each);
        return each.number === 0
          ? expanded(deliveryOf(page()), { next: repetition(1) })
          : { deliveries: [], next: undefined, decision: undefined };
      });
    await settlePages([batch('pages.v1', [page()], 1)], () => expanded(deliveryOf(page())), NO_SLOTS);
    expect(await sendAll(deliveries, LATER)).toEqual([page().pageId]);
    expect(seen).toEqual([waiting.next, repetition(1)]);
    expect(await decisions()).toHaveLength(2);
  });

  it('recognises a repeated page without a message', async () => {
    const { deliveries, settlePages, decisions } = await open();
    const nothing = () => expanded(deliveryOf(page()), { deliveries: [] });
    await settlePages([batch('pages.v1', [page()])], nothing, NO_SLOTS);
    await settlePages([batch('pages.v1', [page()], 1)], () => expanded(deliveryOf(page())), NO_SLOTS);
    expect(await sendAll(deliveries, LATER)).toEqual([]);
    expect(await decisions()).toHaveLength(1);
  });

  it('does not repeat a page whose repetitions have ended', async () => {
    const { repeatDue } = await withRepetition();
    const seen: number[] = [];
    for (const instant of [at(10), LATER])
      await repeatDue(instant, ({ number }) => {
        seen.push(number);
        return expanded(run(1), { deliveries: [] });
      });
    expect(seen).toEqual([1]);
  });
});
