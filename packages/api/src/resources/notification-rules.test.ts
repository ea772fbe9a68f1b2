import { describe, expect, it } from '@jest/globals';
import { ActionType } from '@tocsin/events';
import type { z } from 'zod';
import {
  ChangeNotificationRuleOrderBody,
  CopyNotificationRulesBody,
  CreateNotificationRuleBody,
  CreateNotificationStepBody,
  UpdateNotificationRuleBody,
  UpdateNotificationStepBody,
} from './notification-rule-bodies.ts';

const rule = { name: 'Nights', actionType: 'create-alert', enabled: true };
const step = { contact: { method: 'email', to: 'ada@example.com' }, enabled: true };
const many = (count: number, item: unknown) => Array.from({ length: count }, () => item);

const refusal = (schema: z.ZodType, value: unknown) =>
  (schema.safeParse(value).error?.issues ?? []).map(({ path, message }) => `${path.join('.')}: ${message}`);

describe('CreateNotificationRuleBody', () => {
  it('needs a name, an action type and whether the rule is enabled', () => {
    expect(CreateNotificationRuleBody.parse(rule)).toEqual(rule);
    expect(refusal(CreateNotificationRuleBody, {})).toEqual([
      'name: Rule name can not be empty.',
      `actionType: should be one of [ ${ActionType.options.join(', ')} ]`,
      'enabled: should be true or false',
    ]);
  });

  it.each(ActionType.options)('takes the action type %s in any letter case', (actionType) => {
    const body = CreateNotificationRuleBody.parse({ ...rule, actionType: actionType.toUpperCase() });
    expect(body.actionType).toBe(actionType);
  });

  it('takes what clients leave empty as absent', () => {
    const empty = {
      criteria: null,
      notificationTime: null,
      timeRestriction: {},
      schedules: null,
      order: null,
      steps: null,
      repeat: {},
    };
    expect(CreateNotificationRuleBody.parse({ ...rule, ...empty, _parent: 1 })).toEqual(rule);
  });

  it('folds lead times that are said twice, in any letter case', () => {
    const notificationTime = ['1-Hour-Ago', 'just-before', '1-hour-ago'];
    const body = CreateNotificationRuleBody.parse({ ...rule, notificationTime });
    expect(body.notificationTime).toEqual(['1-hour-ago', 'just-before']);
  });

  it.each([
    [{ loopAfter: 1 }, { enabled: true, loopAfterMinutes: 1 }],
    [
      { loopAfter: 1_000_000, enabled: 'false' },
      { enabled: false, loopAfterMinutes: 1_000_000 },
    ],
    [{ enabled: false }, 'never'],
    [null, undefined],
    [{ loopAfter: null }, undefined],
  ])('reads the repeat %j', (repeat, meant) => {
    expect(CreateNotificationRuleBody.parse({ ...rule, repeat }).repeat).toEqual(meant);
  });

  it.each([
    ['name: Rule name can not be empty.', { name: ' ' }],
    ['name: should be at most 1000 characters', { name: 'é'.repeat(1_001) }],
    ['enabled: should be true or false', { enabled: 'perhaps' }],
    [
      'criteria.type: should be one of [ match-all, match-any-condition, match-all-conditions ]',
      { criteria: { type: 'some' } },
    ],
    [
      'notificationTime.0: should be one of [ just-before, 15-minutes-ago, 1-hour-ago, 1-day-ago ]',
      { notificationTime: ['2-hours-ago'] },
    ],
    ['notificationTime: should be a list', { notificationTime: 'just-before' }],
    ['schedules.0.type: should be one of [ schedule ]', { schedules: [{ type: 'team', name: 'Ops' }] }],
    ['schedules.0: id or name should be provided', { schedules: [{ type: 'schedule', name: '' }] }],
    ['notificationTime: should have at most 1000 items', { notificationTime: many(1_001, 'just-before') }],
    ['schedules: should have at most 1000 items', { schedules: many(1_001, { name: 'Ops' }) }],
    ['order: should be a whole number of at least 0', { order: -1 }],
    ['order: should be a whole number of at least 0', { order: 0.5 }],
    ['repeat.loopAfter: should be provided', { repeat: { enabled: true } }],
    ['repeat.loopAfter: should be at least 1', { repeat: { loopAfter: 0 } }],
    ['repeat.loopAfter: should be at most 1000000', { repeat: { loopAfter: 1_000_001 } }],
    ['repeat.loopAfter: should be a whole number of minutes', { repeat: { loopAfter: 1.5 } }],
    ['repeat: should be an object with loopAfter', { repeat: 5 }],
    ['steps: should have at most 1000 items', { steps: many(1_001, step) }],
    ['steps.0.enabled: should be true or false', { steps: [{ ...step, enabled: undefined }] }],
    [
      'steps.0.contact.method: should be one of [ email, sms, voice, mobile ]',
      { steps: [{ ...step, contact: { method: 'fax', to: '1' } }] },
    ],
    ['steps.0.contact.to: Address can not be empty.', { steps: [{ ...step, contact: { method: 'sms', to: '' } }] }],
  ])('refuses with the words “%s”', (sentence, change) => {
    expect(refusal(CreateNotificationRuleBody, { ...rule, ...change })).toEqual([sentence]);
  });

  it('takes each list up to its limit', () => {
    const body = CreateNotificationRuleBody.parse({
      ...rule,
      name: 'é'.repeat(1_000),
      steps: many(1_000, step),
      schedules: many(1_000, { name: 'Ops' }),
    });
    expect([body.steps?.length, body.schedules?.length]).toEqual([1_000, 1_000]);
  });
});

describe('UpdateNotificationRuleBody', () => {
  it('needs nothing, and an empty name says nothing', () => {
    expect(UpdateNotificationRuleBody.parse({})).toEqual({});
    expect(UpdateNotificationRuleBody.parse({ name: '', enabled: null })).toEqual({});
  });
});

describe('the bodies of steps', () => {
  it.each([
    [undefined, undefined],
    [{}, 0],
    [{ timeUnit: 'minute' }, 0],
    [{ timeAmount: 1_000_000 }, 1_000_000],
    [5, 5],
  ])('read sendAfter %j as %s minutes', (sendAfter, minutes) => {
    expect(CreateNotificationStepBody.parse({ ...step, sendAfter }).sendAfter).toBe(minutes);
  });

  it.each(['email', 'sms', 'voice', 'mobile'])('take the method %s in any letter case', (method) => {
    const contact = { method: method.toUpperCase(), to: ' 1-5 ' };
    expect(UpdateNotificationStepBody.parse({ contact }).contact).toEqual({ method, to: '1-5' });
  });

  it('take an address up to its limit', () => {
    const to = 'é'.repeat(1_000);
    expect(UpdateNotificationStepBody.parse({ contact: { method: 'mobile', to } }).contact?.to).toBe(to);
    expect(refusal(UpdateNotificationStepBody, { contact: { method: 'mobile', to: `${to}é` } })).toEqual([
      'contact.to: should be at most 1000 characters',
    ]);
  });

  it('refuse what is missing or too much', () => {
    expect(refusal(CreateNotificationStepBody, { sendAfter: { timeAmount: 1_000_001 } })).toEqual([
      'contact: should be an object with method and to',
      'sendAfter.timeAmount: should be at most 1000000 minutes',
      'enabled: should be true or false',
    ]);
    expect(refusal(UpdateNotificationStepBody, { sendAfter: { timeAmount: -1 } })).toEqual([
      'sendAfter.timeAmount: should be at least 0 minutes',
    ]);
  });
});

describe('ChangeNotificationRuleOrderBody', () => {
  it('takes an absent order for the first place (P8)', () => {
    expect(ChangeNotificationRuleOrderBody.parse({})).toEqual({ order: 0 });
    expect(ChangeNotificationRuleOrderBody.parse({ order: 3 })).toEqual({ order: 3 });
    expect(refusal(ChangeNotificationRuleOrderBody, { order: -1 })).toEqual([
      'order: should be a whole number of at least 0',
    ]);
  });
});

describe('CopyNotificationRulesBody', () => {
  const body = { toUsers: ['bob@example.com'], ruleTypes: ['new-alert'] };

  it.each([
    [['new-alert'], ['create-alert']],
    [['CREATE-ALERT', 'new-alert'], ['create-alert']],
    [
      ['schedule-start', 'add-note'],
      ['schedule-start', 'add-note'],
    ],
    [
      ['add-note', 'all'],
      ['add-note', ...ActionType.options.filter((type) => type !== 'add-note')],
    ],
    ['closed-alert', ['closed-alert']],
  ])('reads the types %j', (ruleTypes, actionTypes) => {
    expect(CopyNotificationRulesBody.parse({ ...body, ruleTypes }).actionTypes).toEqual(actionTypes);
  });

  it.each(ActionType.options)('takes %s for itself', (actionType) => {
    const ruleTypes = [actionType.toUpperCase()];
    expect(CopyNotificationRulesBody.parse({ ...body, ruleTypes }).actionTypes).toEqual([actionType]);
  });

  it('takes as many users as a list may have', () => {
    expect(CopyNotificationRulesBody.parse({ ...body, toUsers: many(1_000, 'a') }).toUsers).toHaveLength(1_000);
  });

  it('reads the types under either name', () => {
    const { ruleTypes: ruleType, toUsers } = body;
    expect(CopyNotificationRulesBody.parse({ toUsers, ruleType }).actionTypes).toEqual(['create-alert']);
  });

  it.each([[['ALL']], ['all'], [['bob@example.com', 'all']]])('takes %j for everybody', (toUsers) => {
    expect(CopyNotificationRulesBody.parse({ ...body, toUsers }).toUsers).toBe('everybody');
  });

  it.each([
    ['toUsers: Users can not be empty.', { toUsers: [] }],
    ['toUsers: Users can not be empty.', { toUsers: null }],
    ['toUsers.0: User can not be empty.', { toUsers: [7] }],
    ['toUsers: should have at most 1000 items', { toUsers: many(1_001, 'a') }],
    ['ruleTypes: Rule types can not be empty.', { ruleTypes: [] }],
    [
      `ruleTypes.0: should be one of [ all, new-alert, ${ActionType.options.join(', ')} ]`,
      { ruleTypes: ['escalated'] },
    ],
  ])('refuses with the words “%s”', (sentence, change) => {
    expect(refusal(CopyNotificationRulesBody, { ...body, ...change })).toEqual([sentence]);
  });
});
