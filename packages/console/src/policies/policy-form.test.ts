import { describe, expect, test } from '@jest/globals';
import { CallError } from '../api/call-error.ts';
import {
  bodyOf,
  changesBetween,
  effectTexts,
  formOf,
  type Policy,
  refusedFields,
  scopeText,
  withDeduplicationType,
  withDelayOption,
} from './policy-form.ts';

const common = { id: 'p1', name: 'Quiet nights', enabled: true, policyDescription: '' };
const quiet = {
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
} as const satisfies Policy;
const host = {
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
} as const satisfies Policy;

/** What a body cannot have, and the second name of `alertDescription`. */
const NOT_IN_FORM = new Set(['id', 'teamId', 'description']);

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
      'It adds 1 responder.',
      'It sets the detail “host” to “a”.',
      'It removes the tags that the alert comes with.',
      'No alert policy after it is tried where it matches.',
    ]);
    expect(effectTexts({ ...common, type: 'notification', suppress: false })).toEqual(['It has no effect.']);
  });

  test('What another person changed is a sentence each, and nothing where nothing was.', () => {
    expect(changesBetween(quiet, quiet)).toEqual([]);
    expect(changesBetween(quiet, { ...quiet, suppress: true })).toEqual(['Now: No user is notified.']);
    expect(changesBetween(host, { ...host, actions: ['restart'], enabled: false })).toEqual([
      'Now: It is disabled.',
      'Now: It adds the actions restart.',
    ]);
    expect(changesBetween(host, { ...host, responders: [{ type: 'team', id: 't3' }] })).toEqual([
      'Now: The responders include team t3.',
    ]);
    expect(changesBetween(host, { ...host, details: {} })).toEqual(['Something was taken away.']);
  });
});

describe('the form of a policy', () => {
  test('Tags and actions that were not changed stay as they are.', () => {
    const tags = ['{{ message.substringBetween("a", "b") }}', 'x,y'];
    const policy = { ...host, tags, actions: ['two\nlines'] };

    expect(bodyOf({ ...formOf(policy), name: 'New' }, 'alert', policy)).toMatchObject({
      name: 'New',
      tags,
      actions: policy.actions,
    });
  });

  test.each([quiet, host])('A form of the type $type that is not changed writes what was read.', (policy) => {
    const rest = Object.fromEntries(Object.entries(policy).filter(([name]) => !NOT_IN_FORM.has(name)));

    expect(bodyOf(formOf(policy), policy.type, policy)).toEqual(rest);
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

  test('A deduplication has what its type needs.', () => {
    const byFrequency = withDeduplicationType(undefined, 'frequency-based');

    expect(byFrequency).toEqual({
      deduplicationActionType: 'frequency-based',
      count: 2,
      duration: { timeAmount: 5, timeUnit: 'minutes' },
    });
    expect(withDeduplicationType({ count: 7 }, 'value-based')).toEqual({
      deduplicationActionType: 'value-based',
      count: 7,
    });
    expect(withDeduplicationType(byFrequency, 'none')).toBeUndefined();
  });

  test('A responder that the server does not know is a fault of the responders.', () => {
    const message = 'Responder does not exist with name: Nights';

    expect(refusedFields(new CallError({ status: 404, message }))).toEqual({ responders: message });
    expect(refusedFields(new CallError({ status: 404, message: 'Policy does not exist.' }))).toEqual({});
    expect(refusedFields(new CallError({ status: 422, message: '', fields: { name: 'is long' } }))).toEqual({
      name: 'is long',
    });
  });
});
