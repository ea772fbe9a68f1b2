import { describe, expect, it } from '@jest/globals';
import { DELAY_OPTIONS } from '../bodies/policy-effects.ts';
import {
  COMMON,
  DEDUPLICATION,
  DELAY,
  HOUR,
  modify,
  NO_CHANGE,
  NO_EFFECT,
  problems,
  v1,
} from '../testing/policy-bodies.ts';
import { CreatePolicyBody, CreatePolicyV2Body, POLICY_V1_TYPES, UpdatePolicyBody } from './policy-bodies.ts';

const RESTRICTION = {
  type: 'time-of-day',
  restriction: { startHour: 22, startMin: 0, endHour: 6, endMin: 15 },
};

/** A body of each type with nothing that may be left out. */
const LEAST_V1 = {
  'auto-restart-notifications': v1('auto-restart-notifications', { duration: HOUR, maxRepeatCount: 3 }),
  'auto-close': v1('auto-close', { duration: HOUR }),
  'notification-suppress': v1('notification-suppress'),
  'notification-deduplication': v1('notification-deduplication', DEDUPLICATION),
  'notification-delay': v1('notification-delay', DELAY),
  modify: modify(),
} as const;

describe('the body of a policy by version 1', () => {
  it.each([
    ['auto-restart-notifications', { ...NO_EFFECT, autoRestart: { duration: HOUR, maxRepeatCount: 3 } }],
    ['auto-close', { ...NO_EFFECT, autoClose: { duration: HOUR } }],
    ['notification-suppress', { ...NO_EFFECT, suppress: true }],
    ['notification-deduplication', { ...NO_EFFECT, deduplication: { type: 'value-based', count: 2 } }],
    ['notification-delay', { ...NO_EFFECT, delay: { option: 'next-time', untilHour: 8, untilMinute: 30 } }],
    ['modify', { kind: 'alert', modify: NO_CHANGE }],
  ] as const)('of type %s is that effect, in any letter case', (type, effects) => {
    expect(CreatePolicyBody.parse(LEAST_V1[type])).toEqual({ ...COMMON, effects });
    expect(UpdatePolicyBody.parse({ ...LEAST_V1[type], type: ` ${type.toUpperCase()} ` })).toEqual({
      ...COMMON,
      effects,
    });
  });

  it.each(['notification-renotify', 'alert', '', undefined, 7])('refuses the type %s, naming it (P17)', (type) => {
    const message = `should be one of [ ${POLICY_V1_TYPES.join(', ')} ]`;
    expect(problems(CreatePolicyBody, { ...modify(), type })).toEqual([['type', message]]);
  });

  it.each([null, undefined, [], 'modify', 7])('refuses %j, which is no object', (body) => {
    expect(problems(CreatePolicyBody, body)).toEqual([['', 'should be an object']]);
    expect(problems(CreatePolicyV2Body, body)).toEqual([['', 'should be an object']]);
  });

  it.each([
    ['name', 'Name can not be empty.', POLICY_V1_TYPES],
    ['enabled', 'should be true or false', POLICY_V1_TYPES],
    ['message', 'Message can not be empty.', ['modify']],
    ['duration', 'should be an object with timeAmount and timeUnit', ['auto-close', 'auto-restart-notifications']],
    ['deduplicationActionType', 'should be provided', ['notification-deduplication']],
    ['count', 'should be a whole number from 2 to 100', ['notification-deduplication']],
    ['delayOption', `should be one of [ ${DELAY_OPTIONS.join(', ')} ]`, ['notification-delay']],
  ] as const)('needs %s', (field, message, types) => {
    for (const type of types) {
      const body = { ...LEAST_V1[type], [field]: undefined };
      expect([type, problems(CreatePolicyBody, body)]).toEqual([type, [[field, message]]]);
    }
  });

  it.each([
    [{ timeRestrictions: RESTRICTION }, 'timeRestriction', RESTRICTION],
    [{ timeRestriction: RESTRICTION }, 'timeRestriction', RESTRICTION],
    [{ timeRestrictions: {} }, 'timeRestriction', undefined],
    [{ policyDescription: 'why' }, 'description', 'why'],
    [{ policyDescription: null }, 'description', ''],
    [{ enabled: 'False' }, 'enabled', false],
  ])('reads %j, of every type', (fields, name, expected) => {
    for (const type of POLICY_V1_TYPES)
      expect(CreatePolicyBody.parse({ ...LEAST_V1[type], ...fields })).toHaveProperty([name], expected);
  });

  it('takes alertActions and actions for the same, the documented name first', () => {
    const actionsOf = (fields: object) => CreatePolicyBody.parse(modify(fields)).effects;
    expect(actionsOf({ alertActions: ['a'] })).toHaveProperty('modify.actions', ['a']);
    expect(actionsOf({ actions: ['b'] })).toHaveProperty('modify.actions', ['b']);
    expect(actionsOf({ alertActions: ['a'], actions: ['b'] })).toHaveProperty('modify.actions', ['a']);
  });

  it.each([
    ['continue', 'continue'],
    ['ignoreOriginalAlertActions', 'ignoreOriginalActions'],
    ['ignoreOriginalDetails', 'ignoreOriginalDetails'],
    ['ignoreOriginalRecipients', 'ignoreOriginalRecipients'],
    ['ignoreOriginalTags', 'ignoreOriginalTags'],
    ['ignoreOriginalTeams', 'ignoreOriginalTeams'],
  ])('reads the flag %s by itself, and refuses what is none', (field, name) => {
    const { effects } = CreatePolicyBody.parse(modify({ [field]: 'true' }));
    expect(effects).toEqual({ kind: 'alert', modify: { ...NO_CHANGE, [name]: true } });
    expect(problems(CreatePolicyBody, modify({ [field]: 'yes' }))).toEqual([[field, 'should be true or false']]);
  });

  it.each([
    ['auto-restart-notifications', { duration: HOUR, maxRepeatCount: 0 }, ['duration', 'maxRepeatCount']],
    ['notification-delay', { delayOption: 'next-time', untilHour: 0, untilMinute: 0 }, ['untilHour', 'untilMinute']],
  ])('of type %s needs what part 1, 2.8 requires, also where it is 0', (type, fields, required) => {
    expect(problems(CreatePolicyBody, v1(type, fields))).toEqual([]);
    for (const name of required)
      for (const value of [undefined, null])
        expect(problems(CreatePolicyBody, v1(type, { ...fields, [name]: value })).map(([path]) => path)).toEqual([
          name,
        ]);
  });

  it('of type notification-delay needs no time of day for a duration', () => {
    const delay = v1('notification-delay', { delayOption: 'for-duration', duration: HOUR });
    expect(problems(CreatePolicyBody, delay)).toEqual([]);
  });
});
