import { describe, expect, it } from '@jest/globals';
import type { ActionType } from '@tocsin/events';
import { sampleUser } from '../testing/stored-samples.ts';
import { leftOutOf, type RuleCopy, withCopies } from './copy.ts';
import {
  emptyRule,
  MAX_RULES,
  type NotificationRule,
  type NotificationRules,
  type NotificationStep,
  withRule,
} from './notification-rule.ts';

const step = (id: string, method: NotificationStep['contact']['method'] = 'email', to = 'ada@example.com') => ({
  id,
  contact: { method, to },
  sendAfterMinutes: 5,
  enabled: true,
});
const rule = (id: string, actionType: ActionType, rest: Partial<NotificationRule> = {}): NotificationRule => ({
  ...emptyRule({ id, name: id, actionType, enabled: false }),
  steps: [step(`${id}-1`)],
  ...rest,
});
const rulesOf = (...rules: NotificationRule[]) =>
  rules.reduce<NotificationRules>((all, each) => withRule(all, each), []);

const copyOf = (rules: NotificationRules, over: Partial<RuleCopy> = {}): RuleCopy => ({
  rules,
  actionTypes: ['create-alert', 'schedule-start', 'add-note'],
  ownersOf: new Map(),
  idOf: (target, original) => `${target.id}/${original}`,
  ...over,
});
const bob = (notificationRules: NotificationRules, contacts = sampleUser('bob').contacts) =>
  sampleUser('bob', { notificationRules, contacts });
const namesOf = (rules: NotificationRules) => rules.map(({ name }) => name);

describe('withCopies', () => {
  it('puts the copies in the place of all rules of their type, in their order, and keeps the others', () => {
    const target = bob(rulesOf(rule('old', 'create-alert'), rule('kept', 'closed-alert')));
    const { user, leftOut } = withCopies(target, copyOf(rulesOf(rule('x', 'create-alert'), rule('y', 'create-alert'))));
    expect(user.notificationRules.map(({ id, name, order }) => [id, name, order])).toEqual([
      ['user-bob/x', 'x', 0],
      ['user-bob/y', 'y', 1],
      ['kept', 'kept', 0],
    ]);
    expect(leftOut).toEqual([]);
  });

  it('keeps rules of a type without a rule to copy', () => {
    const target = bob(rulesOf(rule('own', 'add-note')));
    expect(namesOf(withCopies(target, copyOf([])).user.notificationRules)).toEqual(['own']);
  });

  it("gives each step to the user's first contact of its method, with everything else as it is", () => {
    const contacts = [
      { id: '1', method: 'sms' as const, to: '1-1', enabled: false },
      { id: '2', method: 'sms' as const, to: '2-2', enabled: true },
    ];
    const source = rulesOf(rule('x', 'create-alert', { steps: [step('a', 'sms', '9-9'), step('b', 'sms', '8-8')] }));
    const { user } = withCopies(bob([], contacts), copyOf(source));
    expect(user.notificationRules[0]?.steps).toEqual([
      { ...step('a', 'sms', '1-1'), id: 'user-bob/a' },
      { ...step('b', 'sms', '1-1'), id: 'user-bob/b' },
    ]);
  });

  it('leaves out and names the steps for which there is no contact', () => {
    const steps = [step('a', 'sms'), step('b'), step('c', 'mobile'), step('d', 'sms')];
    const { user, leftOut } = withCopies(bob([]), copyOf(rulesOf(rule('x', 'create-alert', { steps }))));
    expect(user.notificationRules[0]?.steps.map(({ id }) => id)).toEqual(['user-bob/b']);
    expect(leftOut).toEqual(['bob@example.com: sms or mobile steps of rule [x] are left out.']);
  });

  it('keeps the rules of a user whom none of the copies would reach', () => {
    const target = bob(rulesOf(rule('own', 'create-alert')));
    const source = rulesOf(rule('x', 'create-alert', { steps: [step('a', 'voice')] }));
    const { user, leftOut } = withCopies(target, copyOf(source));
    expect(namesOf(user.notificationRules)).toEqual(['own']);
    expect(leftOut).toEqual(['bob@example.com: rule [x] is left out, for they have no voice contact.']);
  });

  it('copies a rule that has no steps on purpose', () => {
    const { user } = withCopies(bob([]), copyOf(rulesOf(rule('x', 'add-note', { steps: [] }))));
    expect(namesOf(user.notificationRules)).toEqual(['x']);
  });

  it('keeps the schedules of the user, and leaves out a rule without one of them', () => {
    const ownersOf = new Map([['s1', new Set(['user-bob'])]]);
    const source = rulesOf(
      rule('x', 'schedule-start', { scheduleIds: ['s1', 's2'] }),
      rule('y', 'schedule-start', { scheduleIds: ['s2'] }),
      rule('z', 'schedule-start'),
    );
    const { user, leftOut } = withCopies(bob([]), copyOf(source, { ownersOf }));
    expect(user.notificationRules.map(({ name, scheduleIds }) => [name, scheduleIds])).toEqual([
      ['x', ['s1']],
      ['z', undefined],
    ]);
    expect(leftOut).toEqual(['bob@example.com: rule [y] is left out, for none of its schedules is theirs.']);
  });

  it('counts the parts that the copy leaves out', () => {
    const source = rulesOf(
      rule('x', 'create-alert', { steps: [step('a', 'sms'), step('b')] }),
      rule('y', 'schedule-start', { scheduleIds: ['s'] }),
    );
    for (const each of [copyOf(source), copyOf(rulesOf(rule('x', 'create-alert')))])
      expect(leftOutOf(each)(bob([]))).toEqual(withCopies(bob([]), each).leftOut);
  });

  it('changes nothing when it is done again', () => {
    const copy = copyOf(rulesOf(rule('x', 'create-alert'), rule('y', 'add-note')));
    const once = withCopies(bob([]), copy).user;
    expect(withCopies(once, copy).user).toEqual(once);
  });

  it('changes nothing of a user who would have too many rules', () => {
    const notes = Array.from({ length: MAX_RULES }, (_, n) => ({
      ...rule(`n${n}`, 'closed-alert'),
      order: n,
      steps: [],
    }));
    const target = bob(notes);
    const { user, leftOut } = withCopies(target, copyOf(rulesOf(rule('x', 'create-alert'))));
    expect(user).toBe(target);
    expect(leftOut).toEqual(['bob@example.com: nothing is copied. A user has at most 1000 notification rules.']);
  });
});
