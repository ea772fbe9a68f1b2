import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { beginAttempt, applyResult, isCurrentAttempt, postpone } from './attempts.ts';
import { isFinal, type Delivery } from './delivery.ts';
import { deliveryOf, page } from '../testing/page-samples.ts';

const now = new Date('2026-01-01T00:00:01Z');
const sending = beginAttempt(deliveryOf(page()));

describe('a delivery', () => {
  it('is sent when the provider accepts it', () => {
    const { delivery, retryAt } = applyResult(sending, { kind: 'accepted', response: '250 ok' }, now, 0);
    expect(delivery).toMatchObject({ state: 'sent', reason: '250 ok', attempts: 1 });
    expect(retryAt).toBeUndefined();
  });

  it('fails at once when the provider refuses it for good', () => {
    const { delivery } = applyResult(sending, { kind: 'permanent', reason: '550 no such user' }, now, 0);
    expect(delivery).toMatchObject({ state: 'failed', reason: '550 no such user' });
  });

  it('is tried again with growing pauses, and for 15 minutes at most (U7)', () => {
    let outcome = applyResult(sending, { kind: 'temporary', reason: '451 later' }, now, 0.999);
    let at = now;
    const pauses: number[] = [];
    while (outcome.retryAt !== undefined) {
      pauses.push(outcome.retryAt.getTime() - at.getTime());
      at = outcome.retryAt;
      outcome = applyResult(beginAttempt(outcome.delivery), { kind: 'temporary', reason: '451 later' }, at, 0.999);
    }
    expect(outcome.delivery).toMatchObject({ state: 'failed' });
    expect(at.getTime()).toBeLessThanOrEqual(sending.dueAt.getTime() + 15 * 60_000);
    expect(pauses.slice(0, 3)).toEqual([1_999, 3_998, 7_996]);
    expect(Math.max(...pauses)).toBeLessThanOrEqual(60_000);
  });

  describe('whose provider says when to try again (U7)', () => {
    const after = (retryAfterMs: number) => ({ kind: 'temporary', reason: 'wait', retryAfterMs }) as const;
    const endAt = new Date(sending.dueAt.getTime() + 15 * 60_000);

    it.each([0, 7_000, 600_000])('is tried again then: after %s ms', (ms) => {
      const retryAt = new Date(now.getTime() + ms);
      expect(applyResult(sending, after(ms), now, 0.999)).toMatchObject({ delivery: { state: 'waiting' }, retryAt });
    });

    it('is tried at the end of its time where that is earlier, and not after it', () => {
      const first = applyResult(sending, after(3_600_000), now, 0);
      expect(first).toMatchObject({ delivery: { state: 'waiting' }, retryAt: endAt });
      expect(applyResult(beginAttempt(first.delivery, endAt), after(3_600_000), endAt, 0).delivery).toMatchObject({
        state: 'failed',
        reason: 'wait (given up after 15 minutes)',
      });
    });

    it('is tried as its next step begins', () => {
      const nextStepAt = new Date(sending.dueAt.getTime() + 60_000);
      const first = beginAttempt(deliveryOf(page(), { nextStepAt }));
      expect(applyResult(first, after(3_600_000), now, 0)).toMatchObject({ retryAt: nextStepAt });
    });
  });

  describe('whose first try is late', () => {
    const MINUTE_MS = 60_000;
    const busy = { kind: 'temporary', reason: '451 later' } as const;
    const minutes = (count: number): Date => new Date(sending.dueAt.getTime() + count * MINUTE_MS);
    const triedAt = (delivery: Delivery, at: Date) => applyResult(beginAttempt(delivery, at), busy, at, 0);

    it.each([
      ['50 seconds', 50 / 60, {}],
      ['an hour', 60, {}],
      ['an hour, in which its next step fell due', 60, { nextStepAt: minutes(5) }],
      ['almost until its next step', 4.9, { nextStepAt: minutes(5) }],
    ])(
      'is tried for 15 minutes from its first try on where the notifier was unavailable for %s (U7)',
      (_, late, step) => {
        const first = triedAt(deliveryOf(page(), step), minutes(late));
        expect(first.delivery).toMatchObject({ state: 'waiting', triedSince: minutes(late) });
        expect(triedAt(first.delivery, minutes(late + 14)).delivery).toMatchObject({
          state: 'waiting',
          triedSince: minutes(late),
        });
        expect(triedAt(first.delivery, minutes(late + 15)).delivery).toMatchObject({
          state: 'failed',
          reason: '451 later (given up after 15 minutes)',
        });
      },
    );

    it('is tried for 15 minutes where the outage cut its first try (U7)', () => {
      const first = triedAt(beginAttempt(deliveryOf(page())), minutes(60));
      expect(first.delivery).toMatchObject({ state: 'waiting', triedSince: minutes(60), interruptions: 1 });
      expect(triedAt(first.delivery, minutes(75)).delivery.state).toBe('failed');
    });

    it('counts from its first real try, at whatever provider', () => {
      const overRate = postpone(beginAttempt(deliveryOf(page()), minutes(60)), 'busy', minutes(60)).delivery;
      expect(beginAttempt(overRate, minutes(70))).toMatchObject({ triedSince: minutes(70) });
      const next = deliveryOf(page(), { refusedBy: ['one'], triedSince: minutes(60) });
      expect(beginAttempt(next, minutes(70))).toMatchObject({ triedSince: minutes(60) });
    });
  });

  it('ends when its next step begins (U7)', () => {
    const busy = { kind: 'temporary', reason: '451 later' } as const;
    const nextStepAt = new Date(sending.dueAt.getTime() + 2_000);
    const first = applyResult(beginAttempt(deliveryOf(page(), { nextStepAt })), busy, sending.dueAt, 0);
    expect(first.delivery.state).toBe('waiting');
    expect(applyResult(beginAttempt(first.delivery), busy, nextStepAt, 0).delivery).toMatchObject({
      state: 'failed',
      reason: '451 later (given up: the next step takes over)',
    });
  });

  it.each([
    ['P1', 'waiting'],
    ['P2', 'waiting'],
    ['P3', 'failed'],
    ['P5', 'failed'],
  ] as const)('of a %s alert is %s when the provider fell silent in the middle (U17)', (priority, state) => {
    const alert = { ...page().alert, priority };
    const silent = applyResult(
      beginAttempt(deliveryOf(page({ alert }))),
      { kind: 'unknown', reason: 'Timeout' },
      now,
      0,
    );
    expect(silent.delivery.state).toBe(state);
    expect(silent.retryAt !== undefined).toBe(state === 'waiting');
  });

  it.each(['P1', 'P3', 'P5'] as const)(
    'of a %s alert whose process died is sent again, at most five times (U17)',
    (priority) => {
      let delivery = beginAttempt(deliveryOf(page({ alert: { ...page().alert, priority } })));
      for (const interruptions of [1, 2, 3, 4, 5]) {
        delivery = beginAttempt(delivery);
        expect(delivery).toMatchObject({ state: 'sending', interruptions, attempts: interruptions + 1 });
      }
      expect(beginAttempt(delivery)).toMatchObject({ state: 'failed', interruptions: 6, attempts: 6 });
    },
  );

  it('accepts only the result of the attempt that holds it (U17)', () => {
    const again = beginAttempt(sending);
    expect([
      isCurrentAttempt(again, again),
      isCurrentAttempt(again, sending),
      isCurrentAttempt(sending, sending),
    ]).toEqual([true, false, true]);
    const { delivery: sent } = applyResult(again, { kind: 'accepted', response: '250 ok' }, now, 0);
    expect(isCurrentAttempt(sent, again)).toBe(false);
  });

  it('is never before the present when it is tried again', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 50 }),
        fc.double({ min: 0, max: 0.999, noNaN: true }),
        (attempts, jitter) => {
          const { delivery, retryAt } = applyResult(
            { ...sending, attempts },
            { kind: 'temporary', reason: '' },
            now,
            jitter,
          );
          expect(isFinal(delivery)).toBe(retryAt === undefined);
          expect(retryAt === undefined || retryAt > now).toBe(true);
        },
      ),
    );
  });
});
