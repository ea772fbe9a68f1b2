import { describe, expect, it } from '@jest/globals';
import type { Page } from '@tocsin/events';
import fc from 'fast-check';
import { deliveryOf, page } from '../testing/page-samples.ts';
import { verification } from '../testing/notice-samples.ts';
import { outgoingOf } from '../messages/bundle.ts';
import { limitToTransaction, BUNDLED_WITHIN_MS, type RecentMessage } from './next-message.ts';
import { chooseAndCheck } from './begin-at-insertion.ts';
import { beginAttempt } from '../messages/attempts.ts';
import { type Delivery, markDropped, ofUser, UNTRIED, type UserDelivery } from '../messages/delivery.ts';
import { comesBefore } from './recipient-queue.ts';

const NOW = new Date('2026-01-01T01:00:00Z');
const LIMITS = new Map([['sms', { most: 3, size: 5 }]] as const);
const ago = (seconds: number): Date => new Date(NOW.getTime() - 1_000 * seconds);
const PHONE = '1-5551234';

type Priority = Page['alert']['priority'];
const paged = (number: number, priority: Priority = 'P3', change: Partial<UserDelivery> = {}): UserDelivery => ({
  ...deliveryOf(page({ pageId: `p${number}`, alert: { ...page().alert, priority, tinyId: String(number) } }), {
    deliveryId: `p${number}`,
    method: 'sms',
    to: PHONE,
    dueAt: ago(30 - number / 100),
  }),
  ...change,
});
const several = (count: number, priority?: Priority): readonly UserDelivery[] =>
  Array.from({ length: count }, (_, number) => paged(number, priority));
const sentAt = (...seconds: readonly number[]): readonly RecentMessage[] =>
  seconds.map((each) => ({ contact: 'c1', at: ago(each), attempt: `sent ${each} s ago` }));

const start = (delivery: Delivery): { readonly delivery: Delivery } => ({ delivery: beginAttempt(delivery) });
function next(due: readonly UserDelivery[], recent: readonly RecentMessage[] = [], check = start) {
  const { changes, heldUntil } = chooseAndCheck(due.toSorted(comesBefore), { recent, limits: LIMITS, now: NOW }, check);
  const sent = changes.map(({ delivery }) => ofUser(delivery)).filter(({ state }) => state === 'sending');
  return { sent, ids: sent.map(({ deliveryId }) => deliveryId), heldUntil, bundle: sent[0]?.bundle };
}

describe('pages of one contact', () => {
  it('go out one by one up to the limit', () => {
    expect(next(several(3))).toMatchObject({ ids: ['p0'], bundle: undefined, heldUntil: undefined });
    expect(next(several(1), sentAt(50, 20))).toMatchObject({ ids: ['p0'], bundle: undefined });
  });

  it('are one message at once where more wait than the limit', () => {
    expect(next(several(4))).toMatchObject({
      ids: ['p0', 'p1', 'p2', 'p3'],
      bundle: { id: 'p0+1', attempt: 1, size: 4 },
    });
    expect(next(several(2), sentAt(50, 20)).ids).toEqual(['p0', 'p1']);
  });

  it('are held once the contact had as many messages within a minute, until the first of those is a minute old', () => {
    const held = next(several(2), sentAt(59, 40, 20));
    expect(held).toMatchObject({ ids: [], heldUntil: new Date(ago(59).getTime() + BUNDLED_WITHIN_MS) });
    expect(next(several(2), sentAt(60, 40, 20)).ids).toEqual(['p0', 'p1']);
    expect(next(several(1), sentAt(60, 40, 20)).bundle).toBeUndefined();
  });

  it('are held until so many messages are old that the limit has room', () => {
    expect(next(several(2), sentAt(50, 45, 40, 30, 20)).heldUntil).toEqual(new Date(ago(40).getTime() + 60_000));
  });

  it('are sent at once when they fill a message', () => {
    expect(next(several(6), sentAt(50, 40, 20)).ids).toEqual(['p0', 'p1', 'p2', 'p3', 'p4']);
  });

  it('are one message once they were held, though the limit has room by then', () => {
    expect(next(several(2)).ids).toEqual(['p0']);
    const held = (due: readonly UserDelivery[]) =>
      chooseAndCheck(due, { recent: [], limits: LIMITS, now: NOW, wasHeld: true }, start).changes;
    expect(held(several(2)).map(({ delivery }) => delivery.bundle?.size)).toEqual([2, 2]);
    // The queue was held for another contact.
    const fresh = several(2).map((each) => ({ ...each, dueAt: NOW }));
    expect(held(fresh).map(({ delivery }) => delivery.bundle)).toEqual([undefined]);
  });

  it('are not counted with those of another contact of the same user', () => {
    const other = paged(9, 'P3', { contactId: 'c2' });
    expect(next([...several(2), other], sentAt(50, 40, 20)).ids).toEqual(['p9']);
    expect(next([paged(1)], [{ contact: 'c2', at: NOW, attempt: 'other' }, ...sentAt(1, 2)]).ids).toEqual(['p1']);
  });

  it('go to one provider: a page that another has refused is a message of its own', () => {
    const refused = paged(9, 'P1', { refusedBy: ['one'] });
    expect(next([...several(4), refused])).toMatchObject({ ids: ['p9'] });
  });
});

describe('never held', () => {
  it('is the first page of a P1; the others wait on', () => {
    expect(next([...several(3), paged(9, 'P1')], sentAt(50, 40, 20))).toMatchObject({ ids: ['p9'], bundle: undefined });
    expect(next([paged(8, 'P1'), paged(9, 'P1'), paged(1)], sentAt(50, 40, 20)).ids).toEqual(['p8', 'p9']);
  });

  it('is no repetition of a P1', () => {
    expect(next([paged(9, 'P1', { run: 1 })], sentAt(50, 40, 20)).heldUntil).toBeDefined();
  });

  it('is a page that was tried before', () => {
    expect(next([...several(2), paged(9, 'P5', { attempts: 1 })], sentAt(50, 40, 20)).ids).toEqual(['p9']);
  });

  it('is a page that another provider has refused: its contact got nothing', () => {
    expect(next([paged(9, 'P5', { refusedBy: ['one'] })], sentAt(50, 40, 20)).ids).toEqual(['p9']);
  });

  it('is a message that is no page', () => {
    const notice = verification({ method: 'sms', to: PHONE });
    const code = {
      ...UNTRIED,
      deliveryId: 'n',
      notice,
      username: 'ada',
      dueAt: NOW,
      method: 'sms',
      to: PHONE,
    } as const;
    expect(next([...several(2), code], sentAt(50, 40, 20)).ids).toEqual(['n']);
  });

  it('is a page of a method without a limit', () => {
    expect(next([paged(9, 'P5', { method: 'voice' })], sentAt(50, 40, 20)).ids).toEqual(['p9']);
  });
});

describe('a message that was cancelled', () => {
  it('is in no bundle, and is reported', () => {
    const check = (delivery: Delivery) =>
      delivery.deliveryId === 'p1' ? { delivery: markDropped(delivery, 'closed') } : start(delivery);
    expect(next(several(4), [], check)).toMatchObject({ ids: ['p0', 'p2', 'p3'], bundle: { size: 3 } });
  });

  it('lets the next message be sent', () => {
    const check = (delivery: Delivery) =>
      delivery.deliveryId === 'p4' ? start(delivery) : { delivery: markDropped(delivery, 'closed') };
    expect(next([...several(4), paged(4, 'P5')], [], check)).toMatchObject({ ids: ['p4'], bundle: undefined });
  });
});

it('sends a page whose address has changed as a message of its own', () => {
  const check = (delivery: Delivery) => ({
    delivery: { ...beginAttempt(ofUser(delivery)), ...(delivery.deliveryId === 'p1' && { to: '1-5559999' }) },
  });
  expect(next(several(4), [], check)).toMatchObject({ ids: ['p0', 'p2', 'p3'], bundle: { size: 3 } });
});

it('sends pages that were refused together one by one', () => {
  const [one, ...others] = several(5);
  if (one === undefined) throw new Error('there is none');
  expect(next([{ ...one, byItself: true }, ...others])).toMatchObject({ ids: ['p0'], bundle: undefined });
  expect(next([...others, { ...one, dueAt: NOW, byItself: true }]).ids).toEqual(['p1', 'p2', 'p3', 'p4']);
});

describe('a bundle that was interrupted', () => {
  const cut = next(several(4)).sent;

  it('is sent again unchanged, whatever came since, and is the same message', () => {
    const again = next([...cut, paged(8, 'P1'), paged(9)], sentAt(1, 2, 3));
    expect(again.ids).toEqual(['p8']);
    const last = next([...cut, paged(9)], sentAt(1, 2, 3));
    expect(last.ids).toEqual(['p0', 'p1', 'p2', 'p3']);
    expect(last.bundle).toEqual({ id: 'p0+1', attempt: 2, size: 4 });
    expect(last.sent.map(({ interruptions }) => interruptions)).toEqual([1, 1, 1, 1]);
  });

  it('is another message where a part of it is missing, so that no mailbox drops the rest as a repeat', () => {
    expect(next(cut.slice(1)).bundle).toEqual({ id: 'p1+2', attempt: 1, size: 3 });
  });

  it('of which one page is left is sent as that page', () => {
    expect(next(cut.slice(3))).toMatchObject({ ids: ['p3'], bundle: undefined });
    expect(next(cut.slice(3)).sent[0]).not.toHaveProperty('bundle');
  });
});

it('makes one message of all that are begun together', () => {
  const [first, ...others] = next(several(4)).sent;
  if (first === undefined) throw new Error('nothing was begun');
  const message = outgoingOf(first, others);
  expect(message).toMatchObject({ deliveryId: 'p0+1', attempts: 1, method: 'sms', to: PHONE });
  expect(message).toHaveProperty('pages', [first, ...others]);
  expect(outgoingOf(first, [])).toBe(first);
});

describe('whatever comes, for an hour', () => {
  const arrival = fc.record({
    afterMs: fc.integer({ min: 0, max: 20_000 }),
    priority: fc.constantFrom('P1', 'P2', 'P5'),
    count: fc.integer({ min: 1, max: 12 }),
  });

  it('sends each page once, none later than a minute, and few messages', () => {
    fc.assert(
      fc.property(fc.array(arrival, { maxLength: 30 }), (arrivals) => {
        const { pages, sent } = played(arrivals);
        expect(sent.flatMap(({ ids }) => ids).toSorted()).toEqual(pages.map(({ deliveryId }) => deliveryId).toSorted());
        const dueAt = new Map(pages.map((each) => [each.deliveryId, each.dueAt.getTime()]));
        for (const { at, ids } of sent)
          for (const id of ids) expect(at - (dueAt.get(id) ?? 0)).toBeLessThanOrEqual(BUNDLED_WITHIN_MS);
        // Without what may not be held and what fills a message, no minute has more messages than the limit.
        const plain = sent.filter(({ full, neverHeld }) => !full && !neverHeld);
        for (const { at } of plain)
          expect(plain.filter((each) => each.at > at - BUNDLED_WITHIN_MS && each.at <= at).length).toBeLessThanOrEqual(
            3,
          );
      }),
    );
  });

  interface SentMessage {
    readonly at: number;
    readonly ids: readonly string[];
    readonly full: boolean;
    readonly neverHeld: boolean;
  }

  /** One contact whose messages take no time. */
  function played(arrivals: readonly { afterMs: number; priority: 'P1' | 'P2' | 'P5'; count: number }[]) {
    let at = NOW.getTime();
    let number = 0;
    const pages = arrivals.flatMap(({ afterMs, count, priority }) => {
      at += afterMs;
      return Array.from({ length: count }, () => paged((number += 1), priority, { dueAt: new Date(at) }));
    });
    const sent: SentMessage[] = [];
    const recent: RecentMessage[] = [];
    let waiting: readonly UserDelivery[] = pages;
    const instants = new Set(pages.map(({ dueAt }) => dueAt.getTime()));
    for (let now = Math.min(...instants); instants.size > 0; now = Math.min(...instants)) {
      const due = waiting.filter(({ dueAt }) => dueAt.getTime() <= now).toSorted(comesBefore);
      const { changes, heldUntil } = chooseAndCheck(due, { recent, limits: LIMITS, now: new Date(now) }, start);
      const ids = changes.map(({ delivery }) => delivery.deliveryId);
      if (ids.length > 0) {
        const neverHeld = due.some(
          (each) => ids.includes(each.deliveryId) && 'page' in each && each.page.alert.priority === 'P1',
        );
        sent.push({ at: now, ids, full: ids.length >= 5, neverHeld });
        recent.push({ contact: 'c1', at: new Date(now), attempt: ids.join() });
        waiting = waiting.filter(({ deliveryId }) => !ids.includes(deliveryId));
      } else {
        instants.delete(now);
        if (heldUntil !== undefined) instants.add(heldUntil.getTime());
      }
    }
    return { pages, sent };
  }
});

describe('the messages that are begun in one transaction', () => {
  const sizesOf = (...sizes: number[]) =>
    limitToTransaction(sizes.map((size) => ({ chosen: Array.from({ length: size }) }))).map(
      ({ chosen }) => chosen.length,
    );

  it('are that of the user who comes first, and the smallest of the others, up to 300 pages', () => {
    expect(sizesOf(100, 150, 1, 100, 60)).toEqual([100, 1, 60, 100]);
    expect(sizesOf(299, 1, 1)).toEqual([299, 1]);
  });

  it('are at least one, however many pages it has', () => {
    expect(sizesOf(400, 1)).toEqual([400]);
    expect(sizesOf()).toEqual([]);
  });

  it('are all where they fit', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 10 }), { maxLength: 30 }), (sizes) => {
        expect(sizesOf(...sizes).toSorted()).toEqual(sizes.toSorted());
      }),
    );
  });
});
