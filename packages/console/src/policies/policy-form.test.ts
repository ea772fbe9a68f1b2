import { describe, expect, test } from '@jest/globals';
import {
  bodyOf,
  changesBetween,
  effectTexts,
  formOf,
  otherFields,
  type Policy,
  scopeText,
  withDelayOption,
} from './policy-form.ts';

const common = { id: 'p1', name: 'Quiet nights', enabled: true, policyDescription: '' };
const quiet: Policy = {
  ...common,
  type: 'notification',
  filter: {
    type: 'match-all-conditions',
    conditions: [{ field: 'priority', operation: 'equals', expectedValue: 'P5', not: false, order: 0 }],
  },
  timeRestrictions: { type: 'time-of-day', restriction: { startHour: 22, startMin: 0, endHour: 6, endMin: 0 } },
  suppress: false,
  delayAction: { delayOption: 'next-weekday', untilHour: 8, untilMinute: 30 },
  deduplicationAction: { deduplicationActionType: 'value-based', count: 3 },
  autoCloseAction: { duration: { timeAmount: 1, timeUnit: 'hours' } },
};
const host: Policy = {
  ...common,
  type: 'alert',
  teamId: 't1',
  message: '{{message}} on {{details.host}}',
  alias: '{{alias}}',
  entity: '{{entity}}',
  source: '{{source}}',
  description: '{{description}}',
  alertDescription: '{{description}}',
  continue: false,
  ignoreOriginalDetails: false,
  ignoreOriginalTags: true,
  ignoreOriginalActions: false,
  ignoreOriginalResponders: false,
  details: { host: 'a' },
  tags: ['db'],
  priority: 'P1',
  actions: [],
  responders: [{ type: 'team', id: 't2' }],
};

describe('a policy in words', () => {
  test('It says for which alerts, when, and what it does.', () => {
    expect(scopeText(quiet)).toBe('For alerts whose priority is “P5”, from 22:00 to 06:00 each day.');
    expect(scopeText(host)).toBe('For every alert, always.');
    expect(effectTexts(quiet)).toEqual([
      'Notifications are held until the next weekday 08:30.',
      'Notifications are held until the alert has occurred 3 times.',
      'The alert is closed after 1 hour.',
    ]);
    expect(effectTexts(host)).toEqual([
      'It sets the message to “{{message}} on {{details.host}}”.',
      'It sets the priority to P1.',
      'It adds the tags db.',
      'It adds 1 responders.',
      'It adds the details host.',
      'It removes the tags that the alert comes with.',
      'No alert policy after it is tried where it matches.',
    ]);
    expect(effectTexts({ ...common, type: 'notification', suppress: false })).toEqual(['It has no effect.']);
  });

  test('What another person changed is a sentence each, and nothing where nothing was.', () => {
    expect(changesBetween(quiet, quiet)).toEqual([]);
    expect(changesBetween(quiet, { ...quiet, suppress: true })).toEqual(['Now: No user is notified.']);
    expect(changesBetween(host, { ...host, actions: ['restart'] })).toEqual([
      'Fields were changed that have no words here.',
    ]);
  });
});

const unchanged = (policy: Policy | undefined) => ({ seen: policy, now: policy });

describe('the form of a policy', () => {
  test('Tags that were not changed stay as they are, also those with a comma.', () => {
    const tags = ['{{ message.substringBetween("a", "b") }}', 'x,y'];
    const policy = { ...host, tags };

    expect(bodyOf({ ...formOf(policy), name: 'New' }, 'alert', unchanged(policy))).toMatchObject({ name: 'New', tags });
  });

  test('What another person changed outside of the form stays, and their changes of its fields do not.', () => {
    const now = { ...host, name: 'Theirs', tags: ['theirs'], responders: [{ type: 'team', id: 't9' }] } as const;

    expect(bodyOf(formOf(host), 'alert', { seen: host, now })).toMatchObject({
      name: host.name,
      tags: host.tags,
      responders: now.responders,
    });
  });

  test.each([quiet, host])('A form of the type $type that is not changed writes what was read.', (policy) => {
    const { id: _id, enabled: _enabled, teamId: _teamId, ...rest } = policy;

    expect(bodyOf(formOf(policy), policy.type, unchanged(policy))).toEqual(rest);
  });

  test('What the form does not have stays when it is saved.', () => {
    expect(Object.keys(otherFields(quiet))).toEqual(['deduplicationAction']);
    expect(
      bodyOf({ ...formOf(quiet), delay: undefined, suppress: true }, 'notification', unchanged(quiet)),
    ).toMatchObject({
      suppress: true,
      deduplicationAction: { count: 3 },
    });
    expect(bodyOf({ ...formOf(host), tags: 'a, ,b', priority: '' }, 'alert', unchanged(host))).toMatchObject({
      tags: ['a', 'b'],
      responders: [{ type: 'team', id: 't2' }],
    });
  });

  test('A new policy has what its kind needs, and holds for every alert.', () => {
    expect(bodyOf({ ...formOf(undefined), name: ' Quiet ' }, 'notification', unchanged(undefined))).toEqual({
      type: 'notification',
      name: 'Quiet',
      policyDescription: '',
      suppress: false,
    });
  });

  test('A delay has what its option needs.', () => {
    expect(withDelayOption(undefined, 'none')).toBeUndefined();
    expect(withDelayOption(undefined, 'for-duration')).toEqual({
      delayOption: 'for-duration',
      duration: { timeAmount: 10, timeUnit: 'minutes' },
    });
    expect(withDelayOption({ delayOption: 'next-time', untilHour: 7, untilMinute: 5 }, 'next-monday')).toEqual({
      delayOption: 'next-monday',
      untilHour: 7,
      untilMinute: 5,
    });
  });
});
