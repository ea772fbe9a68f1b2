import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { verification } from '../testing/notice-samples.ts';
import { deliveryOf, page } from '../testing/page-samples.ts';
import { beginAttempt, applyResult, type SendResult } from '../messages/attempts.ts';
import { isFinal, UNTRIED, type UserDelivery } from '../messages/delivery.ts';
import { keepForReceipt, applyReceipt, type Receipt } from './receipt.ts';

const at = (minute: number): Date => new Date(Date.UTC(2026, 0, 1, 0, minute));
const now = at(1);
const PROVIDERS = ['one', 'two'];
const waiting = deliveryOf(page());
const sending = beginAttempt(waiting);
const accepted: SendResult = { kind: 'accepted', response: 'SM1' };
const taken = applyResult(sending, accepted, now, 0).delivery;
const sent = keepForReceipt(taken, 'one', PROVIDERS, now);

const receipt = (outcome: Receipt['outcome'], attempt = 1): Receipt => ({
  deliveryId: waiting.deliveryId,
  attempt,
  provider: 'one',
  outcome,
  said: `its receipt says ${outcome}`,
});
const after = (delivery: UserDelivery, of: Receipt, when = now) => applyReceipt(delivery, of, PROVIDERS, when);

describe('a receipt of the last attempt', () => {
  it('marks a sent message as delivered, and erases its content', () => {
    const arrived = { ...taken, state: 'delivered', provider: 'one', reason: 'its receipt says delivered' };
    expect(sent).not.toEqual(taken);
    expect(after(sent, receipt('delivered'))).toEqual({ kind: 'taken', delivery: arrived });
  });

  it('sends a failed message to the next provider as an untried delivery, which keeps the instant of the first try', () => {
    expect(after(sent, receipt('failed'))).toEqual({
      kind: 'taken',
      delivery: { ...taken, state: 'failed', provider: 'one', reason: 'its receipt says failed' },
      successor: { ...sending, ...UNTRIED, deliveryId: `${sent.deliveryId}@2`, refusedBy: ['one'] },
    });
  });

  it('may come before the answer of the provider was written', () => {
    expect(after(sending, receipt('delivered'))).toMatchObject({ kind: 'taken', delivery: { state: 'delivered' } });
    expect(after(sending, receipt('failed'))).toMatchObject({
      kind: 'taken',
      delivery: { state: 'failed' },
      successor: { refusedBy: ['one'], page: page() },
    });
  });

  it('ends the tries of a message that arrived although its outcome was unknown', () => {
    const silent = applyResult(sending, { kind: 'unknown', reason: 'silence' }, now, 0).delivery;
    expect(silent.state).toBe('waiting');
    expect(after(silent, receipt('delivered'))).toMatchObject({ kind: 'taken', delivery: { state: 'delivered' } });
    expect(after(silent, receipt('failed'))).toEqual({ kind: 'unchanged' });
  });
});

describe('a message that failed after it was sent', () => {
  it('goes to no other provider once its tries would have ended: the next step has begun', () => {
    const toNext = keepForReceipt({ ...taken, nextStepAt: at(5) }, 'one', PROVIDERS, now);
    expect(after(toNext, receipt('failed'), at(4))).toHaveProperty('successor');
    expect(after(toNext, receipt('failed'), at(5))).not.toHaveProperty('successor');
    expect(after(sent, receipt('failed'), at(14))).toHaveProperty('successor');
    expect(after(sent, receipt('failed'), at(15))).not.toHaveProperty('successor');
  });

  it('goes to no other provider where none is left, or its content is erased', () => {
    expect(after({ ...sent, refusedBy: ['two'] }, receipt('failed'))).not.toHaveProperty('successor');
    expect(after(taken, receipt('failed'))).toMatchObject({ kind: 'taken', delivery: { state: 'failed' } });
    expect(after(taken, receipt('failed'))).not.toHaveProperty('successor');
  });
});

describe('the content of a sent message', () => {
  it('is kept until its tries would have ended, where another provider may need it', () => {
    expect(sent.keptUntil).toEqual(at(15));
    expect(keepForReceipt({ ...taken, nextStepAt: at(5) }, 'one', PROVIDERS, now).keptUntil).toEqual(at(5));
  });

  it('is not kept where no other provider could need it', () => {
    const { dueAt, method, to, username } = waiting;
    const code = { ...UNTRIED, deliveryId: 'n1', notice: verification(), username, method, to, dueAt };
    const cases = [
      keepForReceipt(taken, 'one', ['one'], now),
      keepForReceipt({ ...taken, refusedBy: ['two'] }, 'one', PROVIDERS, now),
      keepForReceipt(taken, 'one', PROVIDERS, at(15)),
      keepForReceipt(applyResult(beginAttempt(code), accepted, now, 0).delivery, 'one', PROVIDERS, now),
    ];
    for (const delivery of cases) expect(delivery.keptUntil).toBeUndefined();
  });
});

type Event = SendResult | Pick<Receipt, 'outcome' | 'attempt'> | 'begin';

/** The delivery before, the delivery after, and that of another provider. */
interface Step {
  readonly before: UserDelivery;
  readonly after: UserDelivery;
  readonly successor: UserDelivery | undefined;
}

function stepBy(event: Event, before: UserDelivery): Step {
  const unchanged = { before, after: before, successor: undefined };
  if (event === 'begin') return isFinal(before) ? unchanged : { ...unchanged, after: beginAttempt(before) };
  if ('outcome' in event) {
    const change = after(before, receipt(event.outcome, event.attempt));
    return change.kind === 'taken' ? { before, after: change.delivery, successor: change.successor } : unchanged;
  }
  if (before.state !== 'sending') return unchanged;
  const { delivery } = applyResult(before, event, now, 0);
  return {
    ...unchanged,
    after: event.kind === 'accepted' ? keepForReceipt(delivery, 'one', PROVIDERS, now) : delivery,
  };
}

function stepsBy(events: readonly Event[], from: UserDelivery): readonly Step[] {
  const steps: Step[] = [];
  for (const event of events) steps.push(stepBy(event, steps.at(-1)?.after ?? from));
  return steps;
}

describe('receipts and results in any order, late and again', () => {
  const outcomes = fc.constantFrom<Receipt['outcome']>('delivered', 'failed');
  const events = fc.array(
    fc.oneof(
      fc.record({ outcome: outcomes, attempt: fc.integer({ min: 1, max: 4 }) }),
      fc.constantFrom<SendResult>(accepted, { kind: 'temporary', reason: 'busy' }, { kind: 'permanent', reason: 'no' }),
      fc.constant('begin' as const),
    ),
    { maxLength: 14 },
  );

  it('only move a message forwards, and to one other provider at most', () => {
    fc.assert(
      fc.property(events, (all) => {
        const steps = stepsBy(all, waiting);
        expect(steps.filter(({ before, after: then }) => isFinal(before) && !isFinal(then))).toEqual([]);
        const arrived = steps.filter(({ before }) => before.state === 'delivered');
        expect(arrived.map(({ after: then }) => then)).toEqual(arrived.map(({ before }) => before));
        expect(steps.flatMap(({ successor }) => successor ?? []).length).toBeLessThanOrEqual(1);
      }),
      { numRuns: 500 },
    );
  });

  it('end no attempt but the one that they name', () => {
    fc.assert(
      fc.property(events, outcomes, fc.integer({ min: 1, max: 9 }), (all, outcome, attempt) => {
        const last = stepsBy(all, waiting).at(-1)?.after ?? waiting;
        fc.pre(attempt !== last.attempts);
        expect(stepBy({ outcome, attempt }, last).after).toBe(last);
      }),
    );
  });

  it('have the same result for any order of the receipts of one attempt', () => {
    fc.assert(
      fc.property(fc.array(outcomes, { minLength: 1 }), (all) => {
        const last = stepsBy(
          all.map((outcome) => ({ outcome, attempt: 1 })),
          sent,
        ).at(-1);
        expect(last?.after.state).toBe(all.includes('delivered') ? 'delivered' : 'failed');
      }),
    );
  });
});
