import { MATCH_ALL, type NotificationRuleState, type ShiftNotice, type UserState } from '@tocsin/events';
import { ada } from './page-samples.ts';

/** The word that Ada comes on call in Ops at nine, in Berlin, a quarter of an hour before. */
export const shift = (change: Partial<ShiftNotice> = {}): ShiftNotice => ({
  noticeId: 'shift:ops:ada:start:2026-01-01T08:00:00.000Z:15-minutes-ago',
  userId: 'ada',
  actionType: 'schedule-start',
  leadTime: '15-minutes-ago',
  schedule: { id: 'ops', name: 'Ops', timezone: 'Europe/Berlin' },
  rotations: ['Rot1'],
  changesAt: '2026-01-01T08:00:00.000Z',
  dueAt: '2026-01-01T07:45:00.000Z',
  at: '2026-01-01T07:45:00.012Z',
  ...change,
});

/** A rule of Ada's that asks for that, by e-mail at once. */
export const shiftRule = (change: Partial<NotificationRuleState> = {}): NotificationRuleState => ({
  id: 'r2',
  name: 'Shift',
  actionType: 'schedule-start',
  order: 0,
  enabled: true,
  criteria: MATCH_ALL,
  notificationTime: ['15-minutes-ago'],
  scheduleIds: [],
  steps: [{ id: 's1', contact: { method: 'email', to: 'ada@example.com' }, sendAfterMinutes: 0, enabled: true }],
  ...change,
});

export const adaWith = (...notificationRules: readonly NotificationRuleState[]): UserState =>
  ada({ notificationRules: [...notificationRules] });
