import { describe, expect, test } from '@jest/globals';
import type { Contact, Rule } from './queries.ts';
import { ACTION_NAMES, type ActionType, isOfShifts, isRepeatable, listText, ruleText } from './rules-text.ts';

const MAIL = 'ada@example.com';
const PHONE = '44-2079460000';

function contact(method: Contact['method'], to: string, rest: Partial<Contact> = {}): Contact {
  return { id: to, method, to, applyOrder: 0, status: { enabled: true }, ...rest };
}
const phone = contact('mobile', 'topic-1', { device: { name: 'Phone', kind: 'ntfy', verified: true } });
const CONTACTS = [contact('email', MAIL), contact('sms', PHONE), contact('voice', PHONE), phone];

const step = (method: Contact['method'], timeAmount: number, to = MAIL, enabled = true): Rule['steps'][number] => ({
  id: `${method} ${timeAmount} ${to}`,
  contact: { method, to },
  sendAfter: { timeAmount, timeUnit: 'minutes' },
  enabled,
});
const mail = step('email', 0);

const rule = (rest: Partial<Rule> = {}): Rule => ({
  id: 'r1',
  name: 'New Alert',
  actionType: 'create-alert',
  order: 0,
  enabled: true,
  criteria: { type: 'match-all' },
  steps: [mail],
  ...rest,
});
const text = (rest: Partial<Rule> = {}, contacts: readonly Contact[] = CONTACTS) => ruleText(rule(rest), contacts);

const priority = (expectedValue: string, not = false) => ({
  field: 'priority',
  not,
  operation: 'equals',
  expectedValue,
});
const ofPriorities = (...priorities: readonly string[]): Rule['criteria'] => ({
  type: 'match-any-condition',
  conditions: priorities.map((each) => priority(each)),
});

describe('the sentence of a rule', () => {
  test('It says which alerts, what is sent when, and the repetition.', () => {
    const criteria = ofPriorities('P1', 'P2');
    const steps = [step('mobile', 0, 'topic-1'), step('voice', 2, PHONE)];

    expect(text({ criteria, steps, repeat: { enabled: true, loopAfter: 5 } })).toBe(
      'New alerts of P1 and P2: push at once, call after 2 minutes, then again every 5 minutes until acknowledged, snoozed or closed.',
    );
  });

  test.each<[ActionType, string]>([
    ['create-alert', 'All new alerts: mail at once.'],
    ['renotified-alert', 'When an alert pages you again: mail at once.'],
    ['assigned-alert', 'When an alert is assigned to you: mail at once.'],
    ['acknowledged-alert', 'When an alert that paged you is acknowledged: mail at once.'],
    ['closed-alert', 'When an alert that paged you is closed: mail at once.'],
    ['add-note', 'When an alert that paged you gets a note: mail at once.'],
    ['incoming-call-routing', 'When a call is routed to you: mail at once.'],
    ['schedule-start', 'At no time before you come on call: mail at once.'],
    ['schedule-end', 'At no time before you go off call: mail at once.'],
  ])('A rule for %s: %s', (actionType, sentence) => {
    expect(text({ actionType })).toBe(sentence);
    expect(ACTION_NAMES[actionType]).not.toBe('');
  });
});

describe('the alerts of a rule', () => {
  test.each<[Rule['criteria'], string]>([
    [{}, 'All new alerts'],
    [ofPriorities('P1'), 'New alerts of P1'],
    [{ type: 'match-all-conditions', conditions: [priority('P1')] }, 'New alerts of P1'],
    [ofPriorities('P3', 'p1', 'P2', 'P1'), 'New alerts of P1, P2 and P3'],
    [
      { type: 'match-all-conditions', conditions: [priority('P5', true), priority('P4', true)] },
      'New alerts of all priorities but P4 and P5',
    ],
    [{ type: 'match-any-condition', conditions: [priority('P5', true)] }, 'New alerts of all priorities but P5'],
    [
      {
        conditionMatchType: 'Match All Conditions',
        conditions: [{ field: 'Priority', isNot: true, operation: 'Equals', expectedValue: 'P5' }],
      },
      'New alerts of all priorities but P5',
    ],
    [
      { type: 'match-all-conditions', conditions: [priority('P1'), priority('P2')] },
      'New alerts whose priority is “P1” and priority is “P2”',
    ],
    [
      { type: 'match-any-condition', conditions: [priority('P1', true), priority('P2', true)] },
      'New alerts whose priority is not “P1” or priority is not “P2”',
    ],
    [
      {
        type: 'match-all-conditions',
        conditions: [priority('P1'), { field: 'tags', not: false, operation: 'contains', expectedValue: 'database' }],
      },
      'New alerts whose priority is “P1” and tags contain “database”',
    ],
    [
      {
        type: 'match-all-conditions',
        conditions: [{ field: 'priority', operation: 'matches', expectedValue: 'P[12]' }],
      },
      'New alerts whose priority matches the pattern “P[12]”',
    ],
  ])('%j: %s', (criteria, subject) => {
    expect(text({ criteria })).toBe(`${subject}: mail at once.`);
  });

  test('Rules of other action types say them behind what happens.', () => {
    expect(text({ actionType: 'closed-alert', criteria: ofPriorities('P1') })).toBe(
      'When an alert that paged you is closed, for alerts of P1: mail at once.',
    );
  });
});

describe('the time of a rule', () => {
  const day = (from: number, until: number) => ({ startHour: from, startMin: 0, endHour: until, endMin: 30 });
  const on = (startDay: 'monday' | 'tuesday' | 'friday', endDay: typeof startDay, from = 9, until = 17) => ({
    startDay,
    endDay,
    ...day(from, until),
  });
  const weekly = (...restrictions: readonly ReturnType<typeof on>[]): Rule['timeRestriction'] => ({
    type: 'weekday-and-time-of-day',
    restrictions,
  });
  const allDay = { startHour: 0, startMin: 0, endHour: 0, endMin: 0 };

  test.each<[Rule['timeRestriction'], string]>([
    [undefined, ''],
    [{ type: 'time-of-day', restriction: day(22, 6) }, ', from 22:00 to 06:30'],
    [{ type: 'time-of-day', restriction: allDay }, ''],
    [weekly(on('monday', 'monday')), ', Mondays from 09:00 to 17:30'],
    [
      weekly(on('monday', 'monday'), on('tuesday', 'tuesday'), on('friday', 'friday')),
      ', Mondays, Tuesdays and Fridays from 09:00 to 17:30',
    ],
    [
      weekly(on('monday', 'monday'), on('friday', 'friday', 9, 12)),
      ', Mondays from 09:00 to 17:30 and Fridays from 09:00 to 12:30',
    ],
    [weekly(on('friday', 'monday', 18, 8)), ', from Friday 18:00 to Monday 08:30'],
    [weekly(on('monday', 'monday', 18, 8)), ', from Monday 18:00 to Monday 08:30'],
    [{ type: 'weekday-and-time-of-day', restrictions: [{ startDay: 'monday', endDay: 'monday', ...allDay }] }, ''],
  ])('%j: "%s"', (timeRestriction, time) => {
    const sentence = rule(timeRestriction && { timeRestriction });

    expect(ruleText(sentence, CONTACTS)).toBe(
      `${time === '' ? 'All new alerts' : `All new alerts${time}`}: mail at once.`,
    );
  });
});

describe('the notices of a shift', () => {
  test('Their lead times come from the longest on, with the schedules where the rule names some.', () => {
    const actionType = 'schedule-start';
    const schedules = [
      { type: 'schedule' as const, id: 's1', name: 'Nights' },
      { type: 'schedule' as const, id: 's2' },
    ];

    expect(text({ actionType, notificationTime: ['just-before', '1-day-ago', '15-minutes-ago', '1-hour-ago'] })).toBe(
      '1 day, 1 hour, 15 minutes and 1 minute before you come on call: mail at once.',
    );
    expect(text({ actionType: 'schedule-end', notificationTime: ['just-before'], schedules: [] })).toBe(
      '1 minute before you go off call: mail at once.',
    );
    expect(text({ actionType, notificationTime: ['1-hour-ago'], schedules })).toBe(
      '1 hour before you come on call in Nights and a deleted schedule: mail at once.',
    );
  });

  test('Their conditions have no effect, so the sentence has none.', () => {
    expect(text({ actionType: 'schedule-end', notificationTime: ['1-day-ago'], criteria: ofPriorities('P1') })).toBe(
      '1 day before you go off call: mail at once.',
    );
  });
});

describe('the steps of a rule', () => {
  const of = (steps: readonly Rule['steps'][number][], contacts = CONTACTS) => text({ steps: [...steps] }, contacts);

  test.each<[readonly Rule['steps'][number][], string]>([
    [[], 'nothing is sent'],
    [[step('email', 0, MAIL, false)], 'nothing is sent (1 step is disabled)'],
    [[mail, step('sms', 5, PHONE, false), step('voice', 5, PHONE, false)], 'mail at once (2 steps are disabled)'],
    [
      [step('voice', 10, PHONE), step('sms', 5, PHONE), mail],
      'mail at once, text message after 5 minutes, call after 10 minutes',
    ],
    [[mail, step('mobile', 0, 'topic-1'), step('sms', 1, PHONE)], 'mail and push at once, text message after 1 minute'],
    [
      [step('email', 60), step('sms', 120, PHONE), step('voice', 1_440, PHONE)],
      'mail after 1 hour, text message after 2 hours, call after 1 day',
    ],
    [[step('email', 90), step('sms', 2_880, PHONE)], 'mail after 90 minutes, text message after 2 days'],
    [[step('mobile', 0, 'topic-of-a-stranger')], 'push to an unknown contact (not sent) at once'],
  ])('%j: %s', (steps, words) => {
    expect(of(steps)).toBe(`All new alerts: ${words}.`);
  });

  test('Of several contacts of a method it says which one; of a device its name.', () => {
    const tablet = contact('mobile', 'topic-2', { device: { name: 'Tablet', kind: 'ntfy', verified: true } });
    const contacts = [...CONTACTS, contact('email', 'home@example.com'), tablet];

    expect(of([mail, step('mobile', 3, 'topic-2')], contacts)).toBe(
      `All new alerts: mail to ${MAIL} at once, push to Tablet after 3 minutes.`,
    );
  });

  test('What is not sent says why.', () => {
    const unverified = { enabled: true, disabledReason: 'Contact is not verified yet.' };
    const disabled = { enabled: false, disabledReason: 'Contact is disabled.' };
    const contacts = [
      contact('email', MAIL),
      contact('sms', PHONE, { status: unverified }),
      contact('voice', PHONE, { status: disabled }),
    ];

    expect(of([mail, step('sms', 0, PHONE), step('voice', 5, PHONE)], contacts)).toBe(
      'All new alerts: mail and text message (not verified, so not sent) at once, call (disabled, so not sent) after 5 minutes.',
    );
  });
});

describe('the repetition of a rule', () => {
  const repeat = { enabled: true, loopAfter: 10 };
  const AGAIN = 'then again every 10 minutes';

  test('It is said where the steps are repeated.', () => {
    expect(text({ repeat })).toContain(AGAIN);
    expect(text({ repeat: { ...repeat, enabled: false } })).not.toContain('again');
    expect(text({ repeat, steps: [] })).not.toContain('again');
  });

  test('Status updates and notices of shifts are sent once, so theirs has no effect.', () => {
    const types = Object.keys(ACTION_NAMES) as readonly ActionType[];
    const repeated = types.filter((actionType) => text({ actionType, repeat }).includes(AGAIN));

    expect(repeated).toEqual(types.filter(isRepeatable));
    expect(types.filter(isOfShifts).some(isRepeatable)).toBe(false);
    expect(repeated).toEqual(['create-alert', 'renotified-alert', 'incoming-call-routing']);
  });
});

describe('a list of words', () => {
  test.each([
    [[], ''],
    [['a'], 'a'],
    [['a', 'b'], 'a and b'],
    [['a', 'b', 'c'], 'a, b and c'],
  ])('%j: "%s"', (items, words) => {
    expect(listText(items)).toBe(words);
  });
});
