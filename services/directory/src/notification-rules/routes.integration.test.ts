import { describe, expect, it } from '@jest/globals';
import { accountKey } from '../testing/app-fixture.ts';
import { ADA, mailStep, nights, RULES, rulesApp } from '../testing/notification-rule-fixture.ts';

const readOnlyKey = { ...accountKey, mayWrite: false };
const teamKey = { ...accountKey, teamId: 'team' };

const criteria = {
  conditionMatchType: 'Match All Conditions',
  conditions: [
    { field: 'message', isNot: true, operation: 'Contains', expectedValue: 'disk', order: 0 },
    { field: 'extra-properties', key: 'host', not: false, operation: 'equals', expectedValue: 'db1' },
  ],
};
const timeRestriction = {
  type: 'time-of-day',
  restriction: { startHour: 22, startMin: 15, endHour: 6, endMin: 45 },
};

describe('POST /v2/users/{userIdentifier}/notification-rules', () => {
  it('answers 201 with the rule, the last of its type', async () => {
    const { post, places } = await rulesApp();
    const { status, body } = await post(RULES, nights);
    expect(status).toBe(201);
    expect(body).toMatchObject({
      result: 'Created',
      data: { id: expect.any(String), name: 'Nights', actionType: 'create-alert', order: 1, enabled: true },
    });
    expect(await places('create-alert')).toEqual([
      ['New Alert', 0],
      ['Nights', 1],
    ]);
  });

  it.each([
    [0, ['Nights', 'New Alert', 'Days']],
    [1, ['New Alert', 'Nights', 'Days']],
    [99, ['New Alert', 'Days', 'Nights']],
  ])('puts the rule at place %i of its type', async (order, names) => {
    const { rule, places } = await rulesApp();
    await rule({ ...nights, name: 'Days' });
    await rule({ ...nights, order });
    expect(await places('create-alert')).toEqual(names.map((name, place) => [name, place]));
  });

  it('takes the user by id too', async () => {
    const { post, adaId } = await rulesApp();
    expect((await post(`/v2/users/${adaId}/notification-rules`, nights)).status).toBe(201);
  });

  it('publishes the conditions in the form that other services use', async () => {
    const { rule, directory } = await rulesApp();
    const id = await rule({ ...nights, criteria });
    const { notificationRules } = await directory.users.get(ADA);
    expect(notificationRules.find((each) => each.id === id)?.criteria.set).toMatchObject({
      type: 'match-all-conditions',
      conditions: [{ not: true, operation: 'contains' }, { key: 'host' }],
    });
  });

  it('ignores lead times and schedules of a rule that is not about shifts', async () => {
    const { rule, read } = await rulesApp();
    const id = await rule({ ...nights, notificationTime: ['just-before'], schedules: [{ name: 'none such' }] });
    const data = await read(`${RULES}/${id}`);
    expect(data).not.toHaveProperty('notificationTime');
    expect(data).not.toHaveProperty('schedules');
  });

  it.each(['create-alert', 'assigned-alert'])(
    'demands of each step of a %s rule when it is sent',
    async (actionType) => {
      const { post, version } = await rulesApp();
      const { status, body } = await post(RULES, {
        ...nights,
        actionType,
        steps: [mailStep, { ...mailStep, sendAfter: null }],
      });
      expect(status).toBe(422);
      expect(body).toMatchObject({ errors: { 'steps[1].sendAfter': 'should be provided' } });
      expect(await version()).toBe(1);
    },
  );

  it('answers 404 that names the contact which the user does not have', async () => {
    const { post, version } = await rulesApp();
    const steps = [{ ...mailStep, contact: { method: 'sms', to: '39-333' } }];
    const { status, body } = await post(RULES, { ...nights, steps });
    expect(status).toBe(404);
    expect(body).toMatchObject({ message: 'Contact does not exist with method: sms and to: 39-333' });
    expect(await version()).toBe(1);
  });

  it.each([
    ['name', { name: '' }, 'Rule name can not be empty.'],
    ['enabled', { enabled: undefined }, 'should be true or false'],
    ['order', { order: -1 }, 'should be a whole number of at least 0'],
    ['repeat.loopAfter', { repeat: { loopAfter: 0 } }, 'should be at least 1'],
    ['criteria.conditions', { criteria: { type: 'match-any-condition' } }, 'Conditions can not be empty.'],
    ['steps[0].contact.to', { steps: [{ ...mailStep, contact: { method: 'sms' } }] }, 'Address can not be empty.'],
    [
      'timeRestriction.restriction.startHour',
      { timeRestriction: { ...timeRestriction, restriction: { ...timeRestriction.restriction, startHour: 24 } } },
      'should be a whole number from 0 to 23',
    ],
  ])('answers 422 that names %s, and creates nothing', async (field, change, sentence) => {
    const { post, version } = await rulesApp();
    const { status, body } = await post(RULES, { ...nights, ...change });
    expect(status).toBe(422);
    expect(body).toMatchObject({ errors: { [field]: sentence } });
    expect(await version()).toBe(1);
  });

  it('answers 422 for more rules than a user may have', async () => {
    const { post } = await rulesApp();
    const steps = Array.from({ length: 1_000 }, () => mailStep);
    const answers = [];
    for (let n = 0; n < 5; n += 1) answers.push(await post(RULES, { ...nights, steps }));
    expect(answers.map(({ status }) => status)).toContain(422);
    expect(answers.at(-1)?.body).toMatchObject({
      message: 'The notification rules of a user are too long together. Please leave out some conditions or steps.',
    });
  });

  it('answers 404 for an unknown user, 403 to a key that may not write and to that of a team', async () => {
    const { post } = await rulesApp();
    const { status, body } = await post('/v2/users/unknown@example.com/notification-rules', nights);
    expect(status).toBe(404);
    expect(body).toMatchObject({ message: 'User does not exist with id or username: unknown@example.com' });
    expect((await post(RULES, nights, readOnlyKey)).status).toBe(403);
    expect((await post(RULES, nights, teamKey)).status).toBe(403);
  });
});

describe('GET /v2/users/{userIdentifier}/notification-rules', () => {
  it('lists by type in the order of their description, then by place', async () => {
    const { rule, read } = await rulesApp();
    await rule({ ...nights, actionType: 'renotified-alert', name: 'Again' });
    await rule({ ...nights, order: 0 });
    const listed = (await read(RULES)) as readonly { name: string }[];
    expect(listed.map(({ name }) => name)).toEqual([
      'Nights',
      'New Alert',
      'Acknowledged Alert',
      'Closed Alert',
      'Assigned Alert',
      'Add Note',
      'Schedule Start',
      'Schedule End',
      'Again',
    ]);
    expect(Object.keys(listed[0] ?? {})).toEqual(['id', 'name', 'actionType', 'order', 'enabled']);
  });

  it('answers 404 for an unknown user', async () => {
    const { get } = await rulesApp();
    expect((await get('/v2/users/unknown@example.com/notification-rules')).status).toBe(404);
  });
});

describe('GET /v2/users/{userIdentifier}/notification-rules/{ruleId}', () => {
  it('answers with all that was written', async () => {
    const { rule, read } = await rulesApp();
    const repeat = { loopAfter: 2, enabled: false };
    const id = await rule({ ...nights, enabled: false, criteria, timeRestriction, repeat, steps: [mailStep] });
    expect(await read(`${RULES}/${id}`)).toEqual({
      id,
      name: 'Nights',
      actionType: 'create-alert',
      order: 1,
      enabled: false,
      criteria: {
        ...criteria,
        conditions: criteria.conditions.map((condition) => expect.objectContaining(condition) as unknown),
      },
      timeRestriction,
      steps: [{ ...mailStep, id: expect.any(String), sendAfter: { timeAmount: 5, timeUnit: 'minutes' } }],
      repeat,
    });
  });

  it('leaves out what was not written', async () => {
    const { rule, read } = await rulesApp();
    const id = await rule({ ...nights, repeat: {}, timeRestriction: { restriction: {} } });
    const { enabled, name, actionType } = nights;
    const defaults = { criteria: { type: 'match-all' }, steps: [] };
    expect(await read(`${RULES}/${id}`)).toEqual({ id, name, actionType, order: 1, enabled, ...defaults });
  });

  it('answers 404 that names the rule which does not exist', async () => {
    const { get } = await rulesApp();
    const { status, body } = await get(`${RULES}/none`);
    expect(status).toBe(404);
    expect(body).toMatchObject({ message: 'Notification rule does not exist with id: none' });
  });
});
