import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { begun, concluded, isFinal } from './delivery.ts';
import { deliveryOf, page } from './page.samples.ts';

const now = new Date('2026-01-01T00:00:01Z');
const sending = begun(deliveryOf(page()));

describe('a delivery', () => {
  it('is sent when the provider takes it', () => {
    const { delivery, retryAt } = concluded(sending, { kind: 'accepted', response: '250 ok' }, now, 0);
    expect(delivery).toMatchObject({ state: 'sent', reason: '250 ok', attempts: 1 });
    expect(retryAt).toBeUndefined();
  });

  it('fails at once when the provider refuses it for good', () => {
    const { delivery } = concluded(sending, { kind: 'permanent', reason: '550 no such user' }, now, 0);
    expect(delivery).toMatchObject({ state: 'failed', reason: '550 no such user' });
  });

  it('is tried again with growing pauses, and for 15 minutes at most (U7)', () => {
    let outcome = concluded(sending, { kind: 'temporary', reason: '451 later' }, now, 0.999);
    let at = now;
    const pauses: number[] = [];
    while (outcome.retryAt !== undefined) {
      pauses.push(outcome.retryAt.getTime() - at.getTime());
      at = outcome.retryAt;
      outcome = concluded(begun(outcome.delivery), { kind: 'temporary', reason: '451 later' }, at, 0.999);
    }
    expect(outcome.delivery).toMatchObject({ state: 'failed' });
    expect(at.getTime()).toBeLessThanOrEqual(sending.dueAt.getTime() + 15 * 60_000);
    expect(pauses.slice(0, 3)).toEqual([1_999, 3_998, 7_996]);
    expect(Math.max(...pauses)).toBeLessThanOrEqual(60_000);
  });

  it.each([
    ['P1', 'waiting'],
    ['P2', 'waiting'],
    ['P3', 'failed'],
    ['P5', 'failed'],
  ] as const)('of a %s alert is %s when the provider fell silent in the middle (U7)', (priority, state) => {
    const alert = { ...page().alert, priority };
    const silent = concluded(begun(deliveryOf(page({ alert }))), { kind: 'unknown', reason: 'Timeout' }, now, 0);
    expect(silent.delivery.state).toBe(state);
    expect(silent.retryAt !== undefined).toBe(state === 'waiting');
  });

  it('is sent once more after its sending was cut, and not a third time', () => {
    const again = begun(sending);
    expect(again).toMatchObject({ state: 'sending', interruptions: 1, attempts: 2 });
    expect(begun(again)).toMatchObject({ state: 'failed' });
  });

  it('is never before the present when it is tried again', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 50 }),
        fc.double({ min: 0, max: 0.999, noNaN: true }),
        (attempts, jitter) => {
          const { delivery, retryAt } = concluded(
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
