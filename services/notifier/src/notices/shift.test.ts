import { describe, expect, it } from '@jest/globals';
import type { ContactMethod, NotificationRuleState, ShiftNotice } from '@tocsin/events';
import { ada } from '../testing/page-samples.ts';
import { adaWith, shift, shiftRule } from '../testing/shift-samples.ts';
import { checkBeforeSending } from '../messages/recheck.ts';
import { minutesLate, planShift } from './shift.ts';

const channels: ReadonlySet<ContactMethod> = new Set(['email']);
const step = (id: string, sendAfterMinutes: number): NotificationRuleState['steps'][number] => ({
  id,
  contact: { method: 'email', to: 'ada@example.com' },
  sendAfterMinutes,
  enabled: true,
});
const plan = (rules: readonly NotificationRuleState[], change: Partial<ShiftNotice> = {}) =>
  planShift(shift(change), adaWith(...rules), channels);
const said = (rules: readonly NotificationRuleState[], change: Partial<ShiftNotice> = {}) =>
  plan(rules, change).findings.map(({ text }) => text);

describe('a notice of a shift', () => {
  it('is sent by each step of the rule at the lead time plus its delay', () => {
    const { deliveries, findings } = plan([shiftRule({ steps: [step('s1', 0), step('s2', 5)] })]);
    expect(deliveries).toEqual([
      {
        state: 'waiting',
        attempts: 0,
        postponements: 0,
        interruptions: 0,
        reason: undefined,
        deliveryId: 'shift:ops:ada:start:2026-01-01T08:00:00.000Z:15-minutes-ago#s1',
        shift: shift(),
        username: 'ada@example.com',
        method: 'email',
        to: 'ada@example.com',
        contactId: 'c1',
        dueAt: new Date('2026-01-01T07:45:00Z'),
        nextStepAt: new Date('2026-01-01T07:50:00Z'),
      },
      expect.objectContaining({ dueAt: new Date('2026-01-01T07:50:00Z') }),
    ]);
    expect(findings.map(({ outcome, subject }) => `${subject} ${outcome}`)).toEqual([
      'notification-rule matched',
      'step scheduled',
      'step scheduled',
    ]);
    expect(findings[0]?.facts).toEqual({ noticeId: shift().noticeId, userId: 'ada', ruleId: 'r2', order: 0 });
  });

  it('takes the first rule, by order, that asks for its lead time and is about its schedule', () => {
    const rules = [
      shiftRule({ id: 'off', name: 'Off', order: 0, enabled: false }),
      shiftRule({ id: 'early', name: 'Early', order: 1, notificationTime: ['1-day-ago', '1-hour-ago'] }),
      shiftRule({ id: 'other', name: 'Other', order: 2, scheduleIds: ['dev'] }),
      shiftRule({ id: 'last', name: 'Last', order: 4 }),
      shiftRule({ id: 'mine', name: 'Mine', order: 3, scheduleIds: ['dev', 'ops'] }),
      shiftRule({ id: 'end', name: 'End', order: 0, actionType: 'schedule-end' }),
    ];
    expect(said(rules)).toEqual([
      'Notification rules of ada@example.com skipped: [Off]: it is disabled; [Early]: it does not ask for 15-minutes-ago; [Other]: it is about other schedules.',
      'Notification rule [Mine] of ada@example.com is chosen.',
      'ada@example.com is notified by mail at 2026-01-01T07:45:00.000Z by rule [Mine].',
    ]);
    expect(said(rules, { actionType: 'schedule-end' })[0]).toContain('[End] of');
  });

  it('is not sent outside of the time restriction, on the clock of the user; criteria are about alerts', () => {
    const restriction = { startHour: 8, startMin: 0, endHour: 9, endMin: 0 };
    const timed = shiftRule({ timeRestriction: { type: 'time-of-day', restriction } });
    expect(said([timed]).at(-1)).toBe('ada@example.com has no notification rule for schedule-start that applies.');
    const inBerlin = { ...adaWith(timed), timeZone: 'Europe/Berlin' };
    expect(planShift(shift(), inBerlin, channels).deliveries).toHaveLength(1);
    const criteria: NotificationRuleState['criteria'] = {
      type: 'match-all-conditions',
      conditions: [{ field: 'message', operation: 'contains', expectedValue: 'disk', not: false }],
    };
    expect(plan([shiftRule({ criteria })]).deliveries).toHaveLength(1);
  });

  it('is not sent to a deleted or blocked user, or one without a rule that asks for it', () => {
    expect(planShift(shift(), undefined, channels).findings[0]?.text).toBe('The user [ada] does not exist any more.');
    const blocked = planShift(shift(), ada({ blocked: true }), channels);
    expect([blocked.deliveries, blocked.findings[0]?.text]).toEqual([[], 'ada@example.com is blocked.']);
    expect(said([])).toEqual(['ada@example.com has no notification rule for schedule-start.']);
  });

  it('for a muted user says so, and is checked again when it is due', () => {
    const muted = { ...adaWith(shiftRule()), mutedUntil: '2026-01-01T09:00:00.000Z' };
    const { deliveries, findings } = planShift(shift(), muted, channels);
    expect(findings[0]).toMatchObject({ subject: 'user', outcome: 'muted', facts: { noticeId: shift().noticeId } });
    const at = (now: string) =>
      deliveries.map((delivery) => checkBeforeSending(delivery, { user: muted, now: new Date(now) }).state);
    expect([at('2026-01-01T08:59:59Z'), at('2026-01-01T09:00:00Z')]).toEqual([['dropped'], ['waiting']]);
  });

  it('that was given late counts its delays from then', () => {
    const late = { at: '2026-01-01T07:50:00.000Z' };
    expect(minutesLate(shift(late))).toBe(5);
    expect(plan([shiftRule()], late).deliveries[0]?.dueAt).toEqual(new Date('2026-01-01T07:50:00Z'));
    expect(minutesLate(shift({ at: '2026-01-01T07:45:59.999Z' }))).toBe(0);
  });
});
