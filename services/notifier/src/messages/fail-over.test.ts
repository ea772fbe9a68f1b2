import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { verification } from '../testing/notice-samples.ts';
import { deliveryOf, page } from '../testing/page-samples.ts';
import { beginAttempt, applyResult, type SendResult } from './attempts.ts';
import { UNTRIED, type UserDelivery } from './delivery.ts';
import { successorOf } from './fail-over.ts';

const now = new Date('2026-01-01T00:00:01Z');
const NO: SendResult = { kind: 'permanent', reason: 'no' };
const urgent = deliveryOf(page());
const calm = deliveryOf(page({ alert: { ...page().alert, priority: 'P3' } }));

/** The next delivery after `provider` has answered `result` at `at`. */
function after(
  waiting: UserDelivery,
  result: SendResult,
  provider: string | undefined,
  names: readonly string[],
  at = now,
) {
  const delivery = beginAttempt(waiting);
  return successorOf({ delivery, provider, result }, applyResult(delivery, result, at, 0).delivery, names);
}

describe('a message that its provider refuses for good', () => {
  it('is handled by the next provider as if none had refused it: in a bundle again, where it was tried by itself', () => {
    const next = after({ ...calm, byItself: true, postponements: 3 }, NO, 'one', ['one', 'two']);
    expect(next).toEqual({ ...calm, ...UNTRIED, deliveryId: `${calm.deliveryId}@2`, refusedBy: ['one'] });
  });

  it('goes to another provider as an untried delivery of its own, which keeps the instant of the first try', () => {
    const next = after(urgent, NO, 'one', ['one', 'two']);
    expect(next).toEqual({
      ...beginAttempt(urgent),
      ...UNTRIED,
      deliveryId: `${urgent.deliveryId}@2`,
      refusedBy: ['one'],
    });
  });

  it('goes to each provider once, and to none after the last, whatever their names and their order', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.string({ minLength: 1 }), { minLength: 1, maxLength: 5 }), (names) => {
        const ids: string[] = [];
        const asked: string[] = [];
        for (let next: UserDelivery | undefined = urgent; next !== undefined;) {
          const { deliveryId, refusedBy = [] }: UserDelivery = next;
          const provider = names.toReversed().find((name) => !refusedBy.includes(name)) ?? '';
          ids.push(deliveryId);
          asked.push(provider);
          next = after(next, NO, provider, names);
        }
        expect(asked).toEqual(names.toReversed());
        const { deliveryId } = urgent;
        expect(ids).toEqual(names.map((_, index) => (index === 0 ? deliveryId : `${deliveryId}@${index + 1}`)));
      }),
    );
  });

  it('goes nowhere where no provider was asked: the next one would not be either', () => {
    expect(after(urgent, NO, undefined, ['one', 'two'])).toBeUndefined();
  });

  it('takes its code along, which the ended delivery has forgotten', () => {
    const notice = verification({ method: 'sms' });
    const delivery = {
      ...UNTRIED,
      deliveryId: 'n',
      notice,
      username: 'ada',
      method: 'sms',
      to: '1-5',
      dueAt: now,
    } as const;
    expect(after(delivery, NO, 'one', ['one', 'two'])).toMatchObject({ notice: { code: notice.code } });
  });
});

describe('a message that its provider does not take now', () => {
  const busy: SendResult = { kind: 'temporary', reason: 'busy' };

  it('stays with it until its tries have ended', () => {
    expect(after(calm, busy, 'one', ['one', 'two'])).toBeUndefined();
    const late = new Date(calm.dueAt.getTime() + 15 * 60_000);
    expect(after(calm, busy, 'one', ['one', 'two'], late)).toMatchObject({ refusedBy: ['one'] });
  });
});

describe('a message whose provider no longer answers', () => {
  const silent: SendResult = { kind: 'unknown', reason: 'silent' };
  const late = new Date(calm.dueAt.getTime() + 15 * 60_000);

  it('goes to no other provider, because it may have arrived', () => {
    expect(after(calm, silent, 'one', ['one', 'two'])).toBeUndefined();
  });

  it('goes to another provider once its tries have ended, for P1 and P2: a double page beats none (U7)', () => {
    expect(after(urgent, silent, 'one', ['one', 'two'])).toBeUndefined();
    expect(after(urgent, silent, 'one', ['one', 'two'], late)).toMatchObject({ refusedBy: ['one'] });
  });
});
