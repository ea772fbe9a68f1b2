import fc from 'fast-check';
import { CreatePolicyV2Body, durationMs, type Duration } from '@tocsin/api';
import type { TimeRestriction } from '@tocsin/events';
import {
  DELAY_OPTIONS,
  type Delay,
  type DelayDay,
  type Deduplication,
  type Modification,
  type NotificationEffects,
  type Policy,
  type PolicyEffects,
  type PolicyRecipient,
} from '../policies/policy.ts';

const WORDS = [
  '',
  'x',
  '{{alias}}',
  '{{details.host.toLowerCase()}} down',
  '{{message.extract(/a+(b)/, 1)}}',
  'Größe 😀',
];
const words = fc.constantFrom(...WORDS);
const template = fc.constantFrom(...WORDS.slice(1));

const duration: fc.Arbitrary<Duration> = fc.record({
  timeAmount: fc.integer({ min: 1, max: 365 }),
  timeUnit: fc.constantFrom('days', 'hours', 'minutes', 'seconds', 'milliseconds'),
});

const delay: fc.Arbitrary<Delay> = fc.oneof(
  fc.record({ option: fc.constant('for-duration' as const), duration }),
  fc.record({
    option: fc.constantFrom(...DELAY_OPTIONS.filter((option): option is DelayDay => option !== 'for-duration')),
    untilHour: fc.integer({ min: 0, max: 23 }),
    untilMinute: fc.integer({ min: 0, max: 59 }),
  }),
);

const count = fc.integer({ min: 2, max: 100 });
const deduplication: fc.Arbitrary<Deduplication> = fc.oneof(
  fc.record({ type: fc.constant('value-based' as const), count }),
  fc.record({ type: fc.constant('frequency-based' as const), count, duration }),
);

const isAMinute = (lasting: Duration): boolean => durationMs(lasting) >= 60_000;

const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });

const notificationEffects: fc.Arbitrary<NotificationEffects> = fc.record({
  kind: fc.constant('notification' as const),
  suppress: fc.boolean(),
  delay: maybe(delay),
  deduplication: maybe(deduplication),
  autoClose: maybe(fc.record({ duration })),
  autoRestart: maybe(
    fc.record({ duration: duration.filter(isAMinute), maxRepeatCount: fc.integer({ min: 0, max: 20 }) }),
  ),
});

const recipient: fc.Arbitrary<PolicyRecipient> = fc.oneof(
  fc.record({ type: fc.constantFrom('user', 'team', 'schedule', 'escalation'), id: fc.uuid() }),
  fc.record({ type: fc.constantFrom('all', 'none') }),
);

const flag = fc.boolean();
const modify: fc.Arbitrary<Modification> = fc.record({
  continue: flag,
  message: template,
  alias: template,
  description: template,
  entity: template,
  source: fc.constantFrom('{{source}}', 'monitoring'),
  ignoreOriginalActions: flag,
  ignoreOriginalDetails: flag,
  ignoreOriginalRecipients: flag,
  ignoreOriginalTeams: flag,
  ignoreOriginalTags: flag,
  actions: fc.array(words, { maxLength: 5 }),
  details: fc
    .dictionary(fc.constantFrom('host', 'a.b', '$c', '7', 'constructor', ''), words)
    .map((map) => Object.entries({ ...map })),
  recipients: fc.array(recipient, { maxLength: 4 }),
  tags: fc.array(words, { maxLength: 5 }),
  priority: maybe(fc.constantFrom('P1', 'P3', 'P5')),
});

const effects: fc.Arbitrary<PolicyEffects> = fc.oneof(
  fc.record({ kind: fc.constant('alert' as const), modify }),
  notificationEffects,
);

const time = (max: number) => fc.integer({ min: 0, max });
const times = { startHour: time(23), startMin: time(59), endHour: time(23), endMin: time(59) };
const day = fc.constantFrom('monday', 'wednesday', 'sunday');
const timeRestriction: fc.Arbitrary<TimeRestriction> = fc.oneof(
  fc.record({ type: fc.constant('time-of-day' as const), restriction: fc.record(times) }),
  fc.record({
    type: fc.constant('weekday-and-time-of-day' as const),
    restrictions: fc.array(fc.record({ startDay: day, endDay: day, ...times }), { minLength: 1, maxLength: 3 }),
  }),
);

/** Filters in every spelling, parsed like those of a body. */
const filter = fc
  .constantFrom<unknown>(
    undefined,
    {},
    { type: 'Match All' },
    {
      conditionMatchType: 'match-any-condition',
      conditions: [{ field: 'Tags', operation: 'Contains', expectedValue: 'db', isNot: true }],
    },
    {
      type: 'match-all-conditions',
      conditions: [
        { field: 'message', operation: 'matches', expectedValue: '.*disk.*', order: 3 },
        { field: 'extra-properties', key: 'cpu', operation: 'greater-than', expectedValue: '90', not: true },
        { field: 'priority', operation: 'is-empty', order: 0 },
      ],
    },
  )
  .map((written) => CreatePolicyV2Body.parse({ type: 'notification', name: 'p', filter: written }).filter);

/** Stored policies of any scope, kind and combination of effects. */
export const anyPolicy: fc.Arbitrary<Policy> = fc.record({
  id: fc.uuid(),
  createdAt: fc.constant(new Date('2026-01-01T00:00:00Z')),
  name: fc.constantFrom('Nights', 'Größe 😀', 'n'.repeat(512)),
  description: words,
  enabled: flag,
  teamId: maybe(fc.constantFrom('t1', 't2')),
  order: fc.nat(20),
  filter,
  timeRestriction: maybe(timeRestriction),
  effects,
});
