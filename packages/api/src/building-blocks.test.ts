import { describe, expect, it } from '@jest/globals';
import {
  blankIsAbsent,
  flexibleBoolean,
  instant,
  listOf,
  mapOf,
  oneOf,
  optional,
  optionalReference,
  requiredText,
  text,
  timeZone,
} from '@tocsin/events';
import { z } from 'zod';
import { CriteriaBody, FilterBody } from './bodies/conditions.ts';
import { DurationBody, minutesBody } from './bodies/durations.ts';
import { RoleQuery } from './bodies/roles.ts';
import { SnappedTimeRestrictionBody, TimeRestrictionBody } from './bodies/time-restrictions.ts';
import { CreateEscalationBody, EscalationRuleBody } from './resources/escalations.ts';
import { CreateHeartbeatBody } from './resources/heartbeats.ts';
import { TeamLogQuery } from './resources/teams.ts';
import { described, validator } from './testing/described.ts';

const daily = { startHour: 9, startMin: 0, endHour: 17, endMin: 30 };
const spans = (count: number) =>
  Array.from({ length: count }, () => ({ startDay: 'monday', endDay: 'friday', ...daily }));
const condition = { field: 'message', operation: 'contains', expectedValue: 'disk' };
const any = (alone: object) => ({ type: 'match-any-condition', conditions: [alone] });
const rule = (changes: object) => ({ recipient: { type: 'user', username: 'ada@example.com' }, delay: 5, ...changes });
const { ownerTeam, rules } = CreateEscalationBody.shape;
const { alertPriority, enabled, interval } = CreateHeartbeatBody.shape;

/** Values that a block takes, and values that it refuses. */
const BLOCKS: Readonly<Record<string, readonly [z.ZodType, readonly unknown[], readonly unknown[]]>> = {
  text: [text(2), ['', '😀😀', ' '], ['abc', 1, null, undefined, {}]],
  requiredText: [requiredText('Name', 3), ['a', ' b '], ['', ' ', '\n\t', 'abcd', null, 5]],
  listOf: [listOf(text(1), 2), [[], ['a', 'b']], [['a', 'b', 'c'], ['ab'], 'a', null]],
  mapOf: [
    mapOf(text(1), 'should be a map'),
    [{}, { a: 'b' }, { '': '' }],
    [{ a: 'bc' }, { 'a\0': 'b' }, [], 'a', null],
  ],
  optional: [z.object({ a: optional(text(2)) }), [{}, { a: null }, { a: 'b' }], [{ a: 'abc' }, { a: 1 }]],
  optionalReference: [z.object({ a: optionalReference(2) }), [{}, { a: null }, { a: '' }], [{ a: 'abc' }, { a: 1 }]],
  blankIsAbsent: [
    z.object({ a: blankIsAbsent(oneOf(['x', 'y'])), b: blankIsAbsent(requiredText('B')) }),
    [{}, { a: '', b: null }, { a: null, b: '' }, { a: 'x', b: 'z' }],
    [{ a: 'z' }, { b: ' ' }, { a: 1 }],
  ],
  flexibleBoolean: [flexibleBoolean, [true, false, 'true', 'false'], ['yes', '', 0, 1, null]],
  oneOf: [oneOf(['id', 'tiny']), ['id', 'tiny'], ['', 'name', null, 1]],
  instant: [instant, ['2026-01-31T08:00:00Z', '2026-01-31T08:00:00.123456+05:30'], ['', '2026-01-31', 'now', 5, null]],
  timeZone: [timeZone, ['Europe/Rome', 'UTC', 'US/Pacific'], ['', '+01:00', 'Mars/Base', null]],
  reference: [
    ownerTeam,
    [
      null,
      { id: 'a' },
      { name: 'b' },
      { id: null, name: 'b' },
      { id: '', name: 'b', more: 1 },
      {},
      { id: null, name: '' },
    ],
    [{ id: 1 }, 'a', []],
  ],
  'reference of a kind': [
    EscalationRuleBody,
    [rule({}), rule({ recipient: { type: 'team', name: 'a' } }), rule({ recipient: { type: 'user', id: 'a' } })],
    [
      rule({ recipient: { type: 'team', username: 'a' } }),
      rule({ recipient: { type: 'user' } }),
      rule({ recipient: { type: 'user', username: '' } }),
      rule({ recipient: { type: 'bot', id: 'a' } }),
      rule({ recipient: { id: 'a' } }),
    ],
  ],
  minutes: [
    minutesBody({ min: 1, max: 60 }),
    [
      1,
      60,
      '5',
      '060',
      { timeAmount: 1 },
      { timeAmount: '5' },
      { timeAmount: 60, timeUnit: 'minutes' },
      { timeAmount: 1, timeUnit: null },
    ],
    [0, 61, '61', 1.5, '5.5', null, { timeAmount: '0' }, { timeAmount: '61' }, { timeAmount: 5, timeUnit: 'weeks' }],
  ],
  'minutes in other units': [
    minutesBody({ min: 0, max: 60 }),
    [{}, { timeUnit: 'days' }, { timeAmount: 1, timeUnit: 'hours' }, { timeAmount: 3_600_000, timeUnit: 'millis' }],
    [
      { timeAmount: 1, timeUnit: 'days' },
      { timeAmount: 2, timeUnit: 'hours' },
      { timeAmount: 61, timeUnit: '' },
      { timeAmount: 90, timeUnit: 'seconds' },
      { timeAmount: 3_600_001, timeUnit: 'milliseconds' },
    ],
  ],
  duration: [
    DurationBody,
    [1, 525_600, { timeAmount: 365, timeUnit: 'days' }, { timeAmount: 1, timeUnit: '' }],
    [0, 525_601, { timeAmount: 0 }, {}, { timeUnit: 'days' }, null, { timeAmount: 366, timeUnit: 'days' }],
  ],
  'condition set': [
    CriteriaBody,
    [
      {},
      { type: 'match-all' },
      { type: '', conditionMatchType: null, conditions: null },
      { conditionMatchType: 'match-any-condition', conditions: [condition] },
      { type: 'match-all-conditions', conditions: [{ ...condition, not: 'true', order: 0, key: '' }] },
      { type: 'match-all-conditions', conditions: [{ ...condition, field: 'extra_properties_key_prefix-host' }] },
      any({ field: 'details', operation: 'contains-key', expectedValue: 'host' }),
      any({ field: 'details', key: 'load', operation: 'greater-than', expectedValue: '1.5' }),
      any({ field: 'tags', operation: 'is-empty' }),
      any({ ...condition, operation: 'matches', expectedValue: 'disk|cpu' }),
    ],
    [
      { type: 'match-none' },
      { conditions: [condition] },
      { type: 'match-any-condition', conditions: [] },
      { type: '', conditionMatchType: 'match-all-conditions' },
      any({ ...condition, field: 'tags', operation: 'equals' }),
      any({ field: 'details', operation: 'greater-than', expectedValue: '1' }),
      any({ field: 'details', key: 'load', operation: 'greater-than', expectedValue: 'much' }),
      any({ field: 'details', key: 'load', operation: 'less-than' }),
      any({ ...condition, operation: 'matches', expectedValue: '(' }),
      { type: 'match-any-condition', conditions: [{ ...condition, field: 'from-address' }] },
      { type: 'match-any-condition', conditions: [{ ...condition, operation: 'is' }] },
      { type: 'match-any-condition', conditions: [{ field: 'message' }] },
      { type: 'match-any-condition', conditions: Array.from({ length: 1001 }, () => condition) },
      null,
    ],
  ],
  filter: [FilterBody, [{ type: 'match-any-condition', conditions: [{ ...condition, field: 'from-address' }] }], [[]]],
  'time restriction': [
    TimeRestrictionBody,
    [
      null,
      '',
      {},
      { type: 'time-of-day', restriction: daily },
      { type: 'weekday-and-time-of-day', restrictions: spans(15) },
    ],
    [
      { type: 'time-of-day' },
      { type: 'time-of-day', restriction: { ...daily, startHour: 24 } },
      { type: 'weekday-and-time-of-day', restrictions: [] },
      { type: 'weekday-and-time-of-day', restrictions: spans(16) },
      { restriction: daily },
      5,
    ],
  ],
  'snapped time restriction': [SnappedTimeRestrictionBody, [{ type: 'time-of-day', restriction: daily }], ['daily']],
  'a list of rules': [rules, [[rule({})]], [[], [rule({ delay: -1 })], null]],
  interval: [interval, [1, 100_000, '5', '99999', '100000'], [0, 100_001, 1.5, '0', '100001', '-5', '5 ']],
  'an optional boolean': [z.object({ enabled }), [{}, { enabled: null }, { enabled: 'false' }], [{ enabled: 'no' }]],
  priority: [z.object({ alertPriority }), [{ alertPriority: '' }, { alertPriority: 'P5' }], [{ alertPriority: 'P6' }]],
};

describe('the JSON Schema of a building block', () => {
  it.each(Object.entries(BLOCKS))('takes and refuses what %s takes and refuses', (_, [schema, taken, refused]) => {
    const validates = validator(schema);
    const values = [...taken, ...refused];
    const expected = values.map((_each, index) => index < taken.length);
    expect(values.map((value) => schema.safeParse(value).success)).toEqual(expected);
    expect(values.map((value) => validates(value))).toEqual(expected);
  });

  it('shows limits, null and the empty string as they are', () => {
    const { schema } = described(
      z.object({ name: requiredText('Name', 5), a: optionalReference(9), b: blankIsAbsent(oneOf(['x'])) }),
    );
    expect(schema).toEqual({
      type: 'object',
      properties: {
        name: { type: 'string', minLength: 1, maxLength: 5, pattern: '\\S' },
        a: { anyOf: [{ type: 'string', maxLength: 9 }, { type: 'null' }] },
        b: { anyOf: [{ type: 'string', enum: ['x'] }, { type: 'null' }, { const: '' }] },
      },
      required: ['name'],
    });
  });

  it('shows a duration as an object or its bare amount', () => {
    expect(described(minutesBody({ min: 0, max: 60 })).schema).toMatchObject({
      type: ['object', 'integer', 'string'],
      minimum: 0,
      maximum: 60,
    });
  });

  it('shows query values as what their text stands for, and what they are when absent', () => {
    expect(described(TeamLogQuery).schema).toMatchObject({
      properties: {
        limit: { default: 20, anyOf: [{ type: 'integer', minimum: 1, maximum: 100 }, { const: '' }] },
        order: { default: 'desc', anyOf: [{ type: 'string', enum: ['desc', 'asc'] }, { const: '' }] },
        identifierType: { default: 'id', anyOf: [{ type: 'string', enum: ['id', 'name'] }, { const: '' }] },
      },
    });
    expect(described(TeamLogQuery).schema).not.toHaveProperty('required');
    expect(described(RoleQuery).schema).not.toHaveProperty('required');
  });
});
