import { describe, expect, it } from '@jest/globals';
import { ChangeRoutingRuleOrderBody, CreateRoutingRuleBody, UpdateRoutingRuleBody } from './routing-rules.ts';

const none = { notify: { type: 'none' } };
const problems = (schema: { safeParse: typeof CreateRoutingRuleBody.safeParse }, body: unknown) =>
  schema.safeParse(body).error?.issues.map(({ path, message }) => [path.join('.'), message]);

describe('the body that creates a routing rule', () => {
  it('needs nothing but whom to notify', () => {
    expect(CreateRoutingRuleBody.parse({ ...none, name: null, order: null, criteria: null, unknown: 1 })).toEqual(none);
    expect(problems(CreateRoutingRuleBody, {})).toEqual([['notify', 'should be an object with type and id or name']]);
  });

  it.each([
    [
      { type: 'Schedule', id: 's1' },
      { type: 'schedule', id: 's1', name: undefined },
    ],
    [
      { type: 'escalation', id: '', name: 'Night' },
      { type: 'escalation', id: undefined, name: 'Night' },
    ],
    [{ type: 'NONE', id: 'ignored' }, { type: 'none' }],
  ])('reads %j as whom to notify', (notify, expected) => {
    expect(CreateRoutingRuleBody.parse({ notify })).toEqual({ notify: expected });
  });

  it.each([
    [{ type: 'schedule' }, ['notify', 'id or name should be provided']],
    [{ type: 'escalation', id: '', name: '' }, ['notify', 'id or name should be provided']],
    [{ id: 's1' }, ['notify.type', 'should be one of [ schedule, escalation, none ]']],
    [{ type: 'team', id: 't1' }, ['notify.type', 'should be one of [ schedule, escalation, none ]']],
    ['s1', ['notify', 'should be an object with type and id or name']],
  ])('refuses %j as whom to notify', (notify, problem) => {
    expect(problems(CreateRoutingRuleBody, { notify })).toEqual([problem]);
  });

  it.each([
    ['name', 'a'.repeat(1_000), 'a'.repeat(1_001), 'should be at most 1000 characters'],
    ['order', 0, -1, 'should be a whole number of at least 0'],
    ['order', 5, 1.5, 'should be a whole number of at least 0'],
    ['timezone', 'Asia/Tokyo', 'Asia/Atlantis', 'should be a time zone such as Europe/Rome'],
  ])('takes as %s what is within bounds and refuses what is not', (field, good, bad, message) => {
    expect(CreateRoutingRuleBody.parse({ ...none, [field]: good })).toEqual({ ...none, [field]: good });
    expect(problems(CreateRoutingRuleBody, { ...none, [field]: bad })).toEqual([[field, message]]);
  });

  it('lets a name be empty, and takes an empty zone or restriction for none', () => {
    const body = { ...none, name: '', timezone: '', timeRestriction: {} };
    expect(CreateRoutingRuleBody.parse(body)).toEqual({ ...none, name: '' });
  });
});

describe('the body that changes a routing rule', () => {
  it('needs nothing, and changes nothing by an empty name', () => {
    expect(UpdateRoutingRuleBody.parse({})).toEqual({});
    expect(UpdateRoutingRuleBody.parse({ name: '', timezone: null, notify: null, timeRestriction: {} })).toEqual({});
  });
});

describe('the body that moves a routing rule', () => {
  it('means the first place where it names none', () => {
    expect(ChangeRoutingRuleOrderBody.parse({})).toEqual({ order: 0 });
    expect(ChangeRoutingRuleOrderBody.parse({ order: null })).toEqual({ order: 0 });
    expect(ChangeRoutingRuleOrderBody.parse({ order: 3 })).toEqual({ order: 3 });
  });

  it.each([-1, 0.5, '-1'])('refuses the place %j', (order) => {
    expect(ChangeRoutingRuleOrderBody.safeParse({ order }).error?.issues[0]?.path).toEqual(['order']);
  });
});
