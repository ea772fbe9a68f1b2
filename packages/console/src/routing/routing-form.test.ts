import { describe, expect, test } from '@jest/globals';
import { bodyOf, changesBetween, faultsOf, formOf, type RoutingRule, ruleText, targetOptions } from './routing-form.ts';

const backups: RoutingRule = {
  id: 'r1',
  name: 'Backups',
  isDefault: false,
  order: 0,
  timezone: 'Europe/Rome',
  criteria: {
    type: 'match-all-conditions',
    conditions: [{ field: 'tags', not: false, operation: 'contains', expectedValue: 'backup' }],
  },
  timeRestriction: { type: 'time-of-day', restriction: { startHour: 22, startMin: 0, endHour: 6, endMin: 0 } },
  notify: { type: 'schedule', id: 's1', name: 'Nights' },
};
const byDefault: RoutingRule = {
  id: 'r2',
  name: 'Default',
  isDefault: true,
  order: 1,
  timezone: 'UTC',
  criteria: { type: 'match-all' },
  notify: { type: 'escalation', id: 'e1' },
};

describe('a routing rule in words', () => {
  test('It says which alerts, when in which zone, and where they go.', () => {
    expect(ruleText(backups)).toBe(
      'Alerts whose tags contain “backup”, from 22:00 to 06:00 each day in Europe/Rome: schedule Nights.',
    );
    expect(ruleText(byDefault)).toBe('Every alert, always: escalation e1, which was deleted.');
    expect(ruleText({ ...byDefault, notify: { type: 'none' } })).toBe('Every alert, always: no user is notified.');
  });

  test('What another person changed is a sentence each.', () => {
    const moved = { ...backups, name: 'Copies', order: 2, notify: { type: 'none' } } as const;

    expect(changesBetween(backups, backups)).toEqual([]);
    expect(changesBetween(backups, moved)).toEqual([
      'The name is “Copies” now.',
      `It is now: ${ruleText(moved)}`,
      'It is rule 3 now.',
    ]);
  });
});

describe('the form of a routing rule', () => {
  test('A form that is not changed writes what was read.', () => {
    const { criteria, name, timeRestriction, timezone } = backups;

    expect(bodyOf(formOf(backups, 'UTC'), backups)).toEqual({
      name,
      criteria,
      timezone,
      timeRestriction,
      notify: { type: 'schedule', id: 's1' },
    });
  });

  test('A restriction that is taken away becomes all of the day: a change without one would keep it.', () => {
    const form = { ...formOf(backups, 'UTC'), timeRestriction: undefined };
    const allDay = {
      type: 'time-of-day',
      restriction: { startHour: 0, startMin: 0, endHour: 0, endMin: 0 },
    } as const;

    expect(bodyOf(form, backups)['timeRestriction']).toEqual(allDay);
    expect(formOf({ ...backups, timeRestriction: allDay }, 'UTC').timeRestriction).toBeUndefined();
    expect(bodyOf(form, undefined)).not.toHaveProperty('timeRestriction');
  });

  test('Of the default rule only the target is written.', () => {
    expect(bodyOf({ ...formOf(byDefault, 'UTC'), target: 'none' }, byDefault)).toEqual({ notify: { type: 'none' } });
  });

  test('A new rule needs a target.', () => {
    expect(faultsOf(formOf(undefined, 'UTC'))).toEqual({ notify: 'Choose where the alerts go.' });
    expect(faultsOf(formOf(backups, 'UTC'))).toEqual({});
  });

  test('A target that was deleted is offered, so that it stays.', () => {
    const known = { escalations: [{ id: 'e2', name: 'Days' }], schedules: [] };

    expect(targetOptions(known, 'escalation:e1').map(({ name }) => name)).toEqual([
      'Escalation: Days',
      'No user',
      'Deleted: escalation:e1',
    ]);
    expect(targetOptions(known, 'none')).toHaveLength(2);
  });
});
