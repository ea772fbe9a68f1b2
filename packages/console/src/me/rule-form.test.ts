import { describe, expect, test } from '@jest/globals';
import type { Contact, Rule } from './queries.ts';
import {
  bodyOfForm,
  faultsOf,
  formOfRule,
  hasFault,
  NEW_SPAN,
  newForm,
  newStep,
  refusedFaults,
  type RuleForm,
  ruleOfForm,
  withAction,
} from './rule-form.ts';

const mail = { method: 'email' as const, to: 'ada@example.com' };
const contact: Contact = { id: 'c1', ...mail, applyOrder: 0, status: { enabled: true } };
const criteria = {
  type: 'match-any-condition',
  conditions: [{ field: 'priority', not: false, operation: 'equals', expectedValue: 'P1' }],
};
const rule: Rule = {
  id: 'r1',
  name: 'Urgent',
  actionType: 'create-alert',
  order: 1,
  enabled: false,
  criteria,
  steps: [{ id: 's1', contact: mail, sendAfter: { timeAmount: 5, timeUnit: 'minutes' }, enabled: true }],
  repeat: { enabled: true, loopAfter: 10 },
  timeRestriction: { type: 'time-of-day', restriction: { startHour: 22, startMin: 0, endHour: 6, endMin: 30 } },
};
const form = formOfRule(rule);
const fresh = newForm([contact]);

describe('the form of a rule', () => {
  test('It gives the rule back, and its body keeps the ids of the steps.', () => {
    expect(ruleOfForm(form, rule)).toEqual({ ...rule, notificationTime: [] });
    expect(bodyOfForm(form, rule)).toEqual({
      name: 'Urgent',
      criteria,
      timeRestriction: rule.timeRestriction,
      steps: rule.steps,
      repeat: { enabled: true, loopAfter: 10 },
    });
  });

  test('A new rule sends one message at once, to the first contact.', () => {
    expect(bodyOfForm({ ...fresh, name: ' Night ' }, undefined)).toEqual({
      name: 'Night',
      actionType: 'create-alert',
      enabled: true,
      criteria: { type: 'match-all' },
      steps: [{ contact: mail, sendAfter: { timeAmount: 0, timeUnit: 'minutes' }, enabled: true }],
      repeat: { enabled: false },
    });
    expect(newForm([]).steps).toEqual([]);
  });

  test('A new rule is named by what it is about, until its person types a name.', () => {
    const notes = withAction(fresh, 'add-note');
    expect(notes).toMatchObject({ actionType: 'add-note', name: 'Notes' });
    expect(withAction({ ...notes, name: 'Mine' }, 'closed-alert')).toMatchObject({
      actionType: 'closed-alert',
      name: 'Mine',
    });
  });

  test('A restriction that is taken away becomes one that holds all day, because a change cannot remove it.', () => {
    const always = { ...form, time: { ...form.time, kind: 'always' as const } };
    const allDay = { type: 'time-of-day', restriction: { startHour: 0, startMin: 0, endHour: 0, endMin: 0 } };

    expect(bodyOfForm(always, rule)).toMatchObject({ timeRestriction: allDay });
    expect(ruleOfForm(always, rule)).not.toHaveProperty('timeRestriction');
    expect(bodyOfForm(always, undefined)).not.toHaveProperty('timeRestriction');
    expect(formOfRule({ ...rule, timeRestriction: allDay as Rule['timeRestriction'] & object }).time.kind).toBe(
      'always',
    );
  });

  test('Stretches of the week stay as they are.', () => {
    const restrictions = [
      { startDay: 'friday' as const, startHour: 18, startMin: 30, endDay: 'monday' as const, endHour: 8, endMin: 0 },
    ];
    const weekly: Rule = { ...rule, timeRestriction: { type: 'weekday-and-time-of-day', restrictions } };

    expect(formOfRule(weekly).time.spans).toEqual([
      { startDay: 'friday', from: '18:30', endDay: 'monday', until: '08:00' },
    ]);
    expect(ruleOfForm(formOfRule(weekly), weekly).timeRestriction).toEqual(weekly.timeRestriction);
  });

  test('A rule about shifts has lead times and no repetition, and keeps its schedules.', () => {
    const schedules = [{ type: 'schedule' as const, id: 'x', name: 'Nights' }];
    const ofShift: Rule = { ...rule, actionType: 'schedule-start', notificationTime: ['just-before'], schedules };
    const edited: RuleForm = { ...formOfRule(ofShift), leadTimes: ['1-day-ago'] };

    expect(bodyOfForm(edited, ofShift)).toMatchObject({ notificationTime: ['1-day-ago'], repeat: { enabled: false } });
    expect(bodyOfForm(edited, ofShift)).not.toHaveProperty('schedules');
    expect(ruleOfForm(edited, ofShift).schedules).toEqual(schedules);
    expect(bodyOfForm(form, rule)).not.toHaveProperty('notificationTime');
  });
});

describe('what is wrong with a form', () => {
  test('Nothing, of a rule as the server has it.', () => {
    for (const each of [form, fresh]) expect(hasFault(faultsOf(each))).toBe(false);
  });

  test.each(['', 'soon', '-1', '1.5', '1000000000'])('"%s" is no delay, and the fault is at its step.', (after) => {
    const faults = faultsOf({ ...fresh, steps: [newStep(mail), { ...newStep(mail), after }] });

    expect(Object.keys(faults.steps)).toEqual(['1']);
  });

  test('A pause of the repetition is more than 0, where the steps are repeated.', () => {
    const zero = { ...fresh, loopAfter: '0' };

    expect(faultsOf({ ...zero, repeats: true }).loopAfter).toBe('Type a whole number of minutes.');
    expect(faultsOf({ ...zero, repeats: true, actionType: 'add-note' })).toEqual({ steps: {} });
    expect(faultsOf(zero)).toEqual({ steps: {} });
  });

  test('Times are typed, stretches are there, and a notice of a shift has a lead time.', () => {
    const { time } = fresh;

    expect(faultsOf({ ...fresh, time: { ...time, kind: 'daily', from: '' } }).time).toBe('Type a time.');
    expect(faultsOf({ ...fresh, time: { ...time, kind: 'weekly' } }).time).toBe('Add a stretch of the week.');
    expect(
      faultsOf({ ...fresh, time: { ...time, kind: 'weekly', spans: [{ ...NEW_SPAN, until: '24:00' }] } }).time,
    ).toBe('Type a time.');
    expect(faultsOf({ ...fresh, actionType: 'schedule-end', leadTimes: [] }).leadTimes).toBe('Choose at least one.');
  });

  test('What the server refuses stands at the same places.', () => {
    expect(
      refusedFaults({
        'steps[1].sendAfter': 'should be at most 1000000',
        'repeat.loopAfter': 'should be at least 1',
        'timeRestriction.restrictions': 'should be a list of 1 to 15 items',
        notificationTime: 'should be provided',
      }),
    ).toEqual({
      steps: { 1: 'The step should be at most 1000000.' },
      loopAfter: 'The pause should be at least 1.',
      time: 'The time should be a list of 1 to 15 items.',
      leadTimes: 'The time should be provided.',
    });
    expect(hasFault(refusedFaults({ name: 'should be provided' }))).toBe(false);
  });
});
