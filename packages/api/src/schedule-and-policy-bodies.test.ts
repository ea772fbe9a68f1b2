import { describe, expect, it } from '@jest/globals';
import { EvaluatePoliciesBody } from './bodies/policy-evaluation.ts';
import { CreateEscalationBody } from './resources/escalations.ts';
import { CreateForwardingRuleBody } from './resources/forwarding-rules.ts';
import { MaintenanceBody } from './resources/maintenance.ts';
import { TimelineQuery } from './resources/on-calls.ts';
import { CreateOverrideBody } from './resources/overrides.ts';
import { CreatePolicyBody, CreatePolicyV2Body, MovePolicyBody } from './resources/policy-bodies.ts';
import { UpdateRotationBody } from './resources/rotations.ts';
import { CreateScheduleBody, ListSchedulesQuery, UpdateScheduleBody } from './resources/schedules.ts';
import { validator } from './testing/described.ts';
import { describeJsonSchemas, type ReadSchemas } from './testing/json-schemas.ts';

const dates = { startDate: '2026-01-31T08:00:00Z', endDate: '2026-01-31T09:00:00Z' };
const user = { type: 'user', id: 'ada' };
const override = (fields: object) => ({ alias: 'a', user, ...dates, ...fields });
const escalation = (fields: object, rule: object = {}) => ({
  name: 'a',
  rules: [{ recipient: user, delay: 5, ...rule }],
  ...fields,
});
const rotation = { startDate: dates.startDate, type: 'daily', participants: [user] };
const rule = (type: string, fields: object) => ({ entity: { type, id: 'a' }, ...fields });
const window = (fields: object) => ({ time: { type: 'indefinitely' }, rules: [rule('integration', {})], ...fields });
const schedule = { type: 'schedule', ...dates };
const modify = (fields: object) => ({ type: 'modify', name: 'a', enabled: true, message: 'm', ...fields });
const delay = (fields: object) => ({ type: 'notification-delay', name: 'a', enabled: true, ...fields });
const deduplicate = (fields: object) => ({
  type: 'notification',
  name: 'a',
  deduplicationAction: { count: 2, ...fields },
});
const hour = { timeAmount: 1, timeUnit: 'hours' };

/** Values that a body or query takes, and values that it refuses. */
const READ: ReadSchemas = {
  'a new schedule': [
    CreateScheduleBody,
    [{ name: 'a' }, { name: 'a', timezone: '', enabled: 'true', rotations: [{ ...rotation, length: null }] }],
    [{}, { name: '' }, { name: 'a'.repeat(101) }, { name: 'a', timezone: 'Mars' }, { name: 'a', rotations: [{}] }],
  ],
  'a changed schedule': [
    UpdateScheduleBody,
    [{}, { name: '', rotations: null }, { name: 'a'.repeat(100), rotations: [{ ...rotation, id: 'r', name: '' }] }],
    [null, [], { enabled: 'no' }, { rotations: [{ name: 'a' }] }],
  ],
  'a changed rotation': [
    UpdateRotationBody,
    [
      {},
      { name: '', startDate: null, endDate: null, type: null, length: null, participants: null },
      rotation,
      { participants: [{ type: 'team' }, user] },
    ],
    [
      null,
      { startDate: '' },
      { type: 'monthly' },
      { length: 0 },
      { participants: [] },
      { participants: [{ type: 'team' }] },
      { timeRestriction: 'a' },
    ],
  ],
  'a list of schedules': [ListSchedulesQuery, [{}, { expand: 'rotation' }, { expand: '' }], [{ expand: 'override' }]],
  'a timeline': [
    TimelineQuery,
    [{}, { expand: ['base', 'override'] }, { interval: '', intervalUnit: '', date: '' }, { intervalUnit: 'days' }],
    [{ expand: ['final'] }, { intervalUnit: 'years' }, { date: 'now' }, { interval: 0 }],
  ],
  'an override': [
    CreateOverrideBody,
    [
      override({}),
      override({ user: { type: 'none' }, rotations: [] }),
      override({ rotations: [{}, { name: 'a' }] }),
      override({ user: { type: 'user', id: '', username: 'ada' }, rotations: [{ name: 'a' }] }),
    ],
    [
      override({ alias: ' ' }),
      override({ user: { type: 'user' } }),
      override({ user: { type: 'user', name: 'ada' } }),
      override({ user: { type: 'team', id: 'a' } }),
      override({ rotations: [{}] }),
      override({ endDate: null }),
    ],
  ],
  'a forwarding rule': [
    CreateForwardingRuleBody,
    [{ fromUser: { id: 'a' }, toUser: { username: 'b' }, ...dates, alias: '' }],
    [
      { fromUser: {}, toUser: { username: 'b' }, ...dates },
      { fromUser: { id: 'a' }, toUser: { name: 'b' }, ...dates },
      { fromUser: { id: 'a' }, toUser: { id: 'b' } },
      { fromUser: { id: 'a' }, toUser: { id: 'b' }, ...dates, alias: 'a'.repeat(513) },
    ],
  ],
  'an escalation': [
    CreateEscalationBody,
    [
      escalation({ repeat: {} }, { notifyType: 'default', condition: null }),
      escalation({ repeat: { count: 0, closeAlertAfterAll: 'false' } }, { notifyType: null }),
      escalation(
        { repeat: { waitInterval: 5, count: 20 } },
        { recipient: { type: 'team', id: 'a' }, notifyType: 'all' },
      ),
      escalation({ repeat: null }, { recipient: { type: 'schedule', name: 'a' }, notifyType: 'previous' }),
    ],
    [
      escalation({ repeat: { count: 1 } }),
      escalation({ repeat: { resetRecipientStates: true } }),
      escalation({ repeat: { waitInterval: 5, count: 21 } }),
      escalation({}, { notifyType: 'next' }),
      escalation({}, { recipient: { type: 'schedule', name: 'a' }, notifyType: 'all' }),
      escalation({}, { delay: null }),
    ],
  ],
  'a maintenance window': [
    MaintenanceBody,
    [
      window({ time: schedule }),
      window({ time: { type: 'for-5-minutes', startDate: '', endDate: 5 } }),
      window({ rules: [rule('integration', { state: '' }), rule('policy', { state: 'enabled' })], description: null }),
    ],
    [
      window({ time: { type: 'schedule', startDate: dates.startDate } }),
      window({ time: { ...schedule, startDate: '' } }),
      window({ time: { type: 'for-2-hours' } }),
      window({ time: 'indefinitely' }),
      window({ rules: [] }),
      window({ rules: [rule('integration', { state: 'enabled' })] }),
      window({ rules: [rule('policy', {})] }),
      window({ rules: [rule('policy', { state: '' })] }),
      window({ rules: [rule('team', { state: 'disabled' })] }),
    ],
  ],
  'a modify policy of version 1': [
    CreatePolicyBody,
    [
      modify({}),
      modify({ details: { host: 1, up: true, gone: null }, tags: ['{{source}}'], priority: '', alias: '' }),
      modify({ details: ['a', 5, null, { key: 'b', value: 'c' }, { key: 'd' }], recipients: [{ type: 'all' }] }),
    ],
    [
      modify({ name: ' ' }),
      modify({ message: '' }),
      modify({ enabled: null }),
      modify({ type: 'alert' }),
      modify({ details: { host: [] } }),
      modify({ details: [{ value: 'c' }] }),
      modify({ details: { 'a\0': 'b' } }),
      modify({ details: 'a' }),
      modify({ recipients: [{ type: 'user', email: 'a' }] }),
      modify({ tags: Array.from({ length: 21 }, () => 'a') }),
    ],
  ],
  'a delay of version 1': [
    CreatePolicyBody,
    [
      delay({ delayOption: 'next-time', untilHour: 8, untilMinute: '0' }),
      delay({ delayOption: 'for-duration', duration: hour }),
      delay({ delayOption: 'for-duration', duration: 5 }),
    ],
    [
      delay({}),
      delay({ delayOption: 'for-duration' }),
      delay({ delayOption: 'for-duration', duration: null }),
      delay({ delayOption: 'next-time', untilHour: 24, untilMinute: 0 }),
      delay({ delayOption: 'next-time', untilHour: 8 }),
    ],
  ],
  'a deduplication of version 2': [
    CreatePolicyV2Body,
    [
      deduplicate({ deduplicationActionType: 'value-based' }),
      deduplicate({ deduplicationType: 'value-based', deduplicationActionType: null }),
      deduplicate({ deduplicationType: 'frequency-based', duration: hour }),
      deduplicate({ deduplicationActionType: 'frequency-based', deduplicationType: 'value-based', duration: hour }),
    ],
    [
      deduplicate({}),
      deduplicate({ deduplicationActionType: 'frequency-based' }),
      deduplicate({ deduplicationActionType: 'frequency-based', deduplicationType: 'value-based' }),
      deduplicate({ deduplicationType: 'frequency-based', duration: null }),
      deduplicate({ deduplicationActionType: 'value-based', count: 1 }),
    ],
  ],
  'a place of a policy': [MovePolicyBody, [{}, { targetIndex: null }, { targetIndex: 3 }], [{ targetIndex: -1 }, null]],
  'an evaluation': [
    EvaluatePoliciesBody,
    [
      { message: 'a' },
      { message: 'a', alertId: '', identifier: null, at: '', integrationId: 'b' },
      { alertId: 'a', message: '', tags: 5 },
      { identifier: '7', identifierType: 'tiny', at: dates.startDate },
    ],
    [null, {}, { message: '' }, { alertId: 'a', at: 'now' }, { identifier: '' }, { alertId: 5, message: 'a' }],
  ],
};

describeJsonSchemas(READ);

describe('the JSON Schema of a changed schedule', () => {
  it('takes no new name that its owner would refuse, though the default schedule of a team may keep one', () => {
    const body = { name: 'a'.repeat(101) };
    expect(UpdateScheduleBody.safeParse(body).success).toBe(true);
    expect(validator(UpdateScheduleBody)(body)).toBe(false);
  });
});
