import { describe, expect, it } from '@jest/globals';
import { type Criteria, MATCH_ALL_CRITERIA } from '@tocsin/api';
import type { ActionType } from '@tocsin/events';
import { changedRule, emptyRule, notificationRuleState } from './notification-rule.ts';

const rule = (actionType: ActionType) => emptyRule({ id: 'r', name: 'Nights', actionType, enabled: true });
const fullDisk: Criteria = {
  set: {
    type: 'match-all-conditions',
    conditions: [{ field: 'message', not: false, operation: 'contains', expectedValue: 'disk' }],
  },
  written: { conditionMatchType: 'Match All Conditions', conditions: [] },
};

describe('changedRule', () => {
  it('keeps undefined fields', () => {
    const present = { ...rule('create-alert'), repeat: { enabled: true, loopAfterMinutes: 5 } };
    expect(changedRule(present, { name: undefined, criteria: undefined, repeat: undefined })).toEqual(present);
  });

  it.each(['schedule-start', 'schedule-end'] as const)('gives a rule of type %s lead times and schedules', (type) => {
    const change = { notificationTime: ['1-day-ago' as const], scheduleIds: ['s'] };
    expect(changedRule(rule(type), change)).toEqual({ ...rule(type), ...change });
  });

  it('reads an empty list of schedules as every schedule', () => {
    const present = { ...rule('schedule-end'), scheduleIds: ['s'] };
    expect(changedRule(present, { scheduleIds: [] })).toEqual(rule('schedule-end'));
  });

  it.each(['create-alert', 'incoming-call-routing'] as const)('gives none to a rule of type %s', (type) => {
    const change = { notificationTime: ['1-day-ago' as const], scheduleIds: ['s'] };
    expect(changedRule(rule(type), change)).toEqual(rule(type));
  });

  it('ends the repeat of a rule that shall never repeat', () => {
    const present = { ...rule('create-alert'), repeat: { enabled: true, loopAfterMinutes: 5 } };
    expect(changedRule(present, { repeat: 'never' })).toEqual(rule('create-alert'));
    const other = { enabled: false, loopAfterMinutes: 9 };
    expect(changedRule(present, { repeat: other }).repeat).toEqual(other);
  });
});

describe('notificationRuleState', () => {
  it('holds the conditions in the form that engines use', () => {
    const changed = changedRule(rule('add-note'), { criteria: fullDisk });
    expect(changed.criteria).toEqual(fullDisk);
    expect(notificationRuleState(changed).criteria).toEqual(fullDisk.set);
    expect(notificationRuleState(rule('add-note')).criteria).toEqual(MATCH_ALL_CRITERIA.set);
  });
});
