import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { finished } from '@tocsin/core';
import type { UserState } from '@tocsin/events';
import { planPage } from './plan.ts';
import { ada, page } from '../testing/page-samples.ts';
import { firstRepetition, repeatSteps, type Repeated, type Repetition } from './repetition.ts';

const channels = new Set(['email'] as const);
const MINUTE_MS = 60_000;
const start = new Date(page().pagedAt).getTime();
const after = (minutes: number) => new Date(start + minutes * MINUTE_MS);

function repeating(loopAfterMinutes: number, change: Partial<UserState> = {}): UserState {
  const repeat = { enabled: true, loopAfterMinutes };
  return ada({ notificationRules: ada().notificationRules.map((rule) => ({ ...rule, repeat })), ...change });
}
function first(user: UserState, of = page()): Repetition {
  const repetition = firstRepetition(of, finished(planPage(of, user, channels)));
  if (repetition === undefined) throw new Error('the steps are not repeated');
  return repetition;
}
const fire = (repetition: Repetition, user: UserState | undefined, now: Date): Repeated =>
  finished(repeatSteps(repetition, { user, channels, now }));

describe('a repetition', () => {
  it('does not begin for a status update, which is sent once, and the log says so (U15)', () => {
    const rules = repeating(10).notificationRules.map((rule) => ({ ...rule, actionType: 'add-note' as const }));
    const note = page({ actionType: 'add-note', statusUpdate: { kind: 'noted', actor: 'grace' } });
    const plan = finished(planPage(note, ada({ notificationRules: rules }), channels));
    expect(firstRepetition(note, plan)).toBeUndefined();
    expect(plan.deliveries).toHaveLength(1);
    expect(plan.steps.at(-1)).toMatchObject({ subject: 'repeat', outcome: 'skipped' });
  });

  it('is the first one `loopAfter` after the page, and each later one `loopAfter` after the one before (U4)', () => {
    const user = repeating(10);
    const one = first(user);
    expect(one).toMatchObject({ number: 1, dueAt: after(10) });
    const { deliveries, next, findings } = fire(one, user, after(10));
    expect(deliveries).toMatchObject([
      { deliveryId: `${page().pageId}~1#s1`, dueAt: after(10), to: 'ada@example.com' },
    ]);
    expect(next).toMatchObject({ number: 2, dueAt: after(20) });
    expect(findings.map(({ outcome, subject }) => `${subject} ${outcome}`)).toEqual([
      'repeat started',
      'step scheduled',
    ]);
  });

  it('ends when it is cancelled, and the log says why', () => {
    const user = repeating(10);
    const cancelled = { ...first(user), cancelReason: 'the alert was snoozed' };
    const { deliveries, next, findings } = fire(cancelled, user, after(10));
    expect([deliveries, next]).toEqual([[], undefined]);
    expect(findings).toMatchObject([{ subject: 'repeat', outcome: 'ended' }]);
    expect(findings[0]?.text).toContain('not repeated any more: the alert was snoozed.');
  });

  it('is none for a page about an acknowledged alert, and the log says so', () => {
    const plan = finished(planPage(page({ cancelOn: 'close', once: true }), repeating(10), channels));
    expect([plan.loopAfterMinutes, plan.deliveries.length]).toEqual([undefined, 1]);
    expect(plan.steps.at(-1)?.text).toContain('are not repeated: the alert was acknowledged.');
  });

  it('sends messages that an acknowledgement stops', () => {
    const user = repeating(10);
    const { deliveries } = fire(first(user, page({ cancelOn: 'close' })), user, after(10));
    expect(deliveries).toMatchObject([{ page: { cancelOn: 'ack' } }]);
  });

  it('uses the user, rules and contacts of today', () => {
    const one = first(repeating(10));
    const moved = repeating(30, { contacts: [{ id: 'c1', method: 'email', to: 'ada@example.com', enabled: false }] });
    const { deliveries, next, findings } = fire(one, moved, after(10));
    expect(deliveries).toEqual([]);
    expect(findings.map(({ text }) => text).join(' ')).toContain('the contact is disabled');
    expect(next).toMatchObject({ number: 2, dueAt: after(40) });
  });

  it.each([
    ['the rule does not repeat any more', ada()],
    [
      'the rule is disabled',
      ada({ notificationRules: ada().notificationRules.map((r) => ({ ...r, enabled: false })) }),
    ],
    ['the user is gone', undefined],
  ])('is the end of them once %s, and the log says so', (_, user) => {
    const { deliveries, next, findings } = fire(first(repeating(10)), user, after(10));
    expect([deliveries, next]).toEqual([[], undefined]);
    expect(findings.at(-1)).toMatchObject({ subject: 'repeat', outcome: 'ended' });
  });

  it('catches up the latest of the missed ones, and says how many were missed', () => {
    const user = repeating(10);
    const { deliveries, next, findings } = fire(first(user), user, after(47));
    expect(deliveries).toMatchObject([{ dueAt: after(40) }]);
    expect(next).toMatchObject({ number: 2, dueAt: after(50) });
    expect(findings[0]?.text).toContain('3 before it were missed');
  });

  it('is always due in the future, on the grid of its rule, with a number of its own', () => {
    const pauses = fc.array(fc.integer({ min: 0, max: 500 }), { minLength: 1, maxLength: 20 });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 60 }), pauses, (loopAfter, lateBy) => {
        const user = repeating(loopAfter);
        let repetition = first(user);
        const ids = new Set<string>();
        for (const late of lateBy) {
          const now = new Date(repetition.dueAt.getTime() + late * MINUTE_MS);
          const { deliveries, next } = fire(repetition, user, now);
          if (next === undefined) throw new Error('the repetition has ended');
          expect(next.dueAt.getTime()).toBeGreaterThan(now.getTime());
          expect((next.dueAt.getTime() - start) % (loopAfter * MINUTE_MS)).toBe(0);
          for (const { deliveryId } of deliveries) ids.add(deliveryId);
          repetition = next;
        }
        expect(ids.size).toBe(lateBy.length);
      }),
    );
  });
});
