import { describe, expect, it } from '@jest/globals';
import { MATCH_ALL } from '@tocsin/events';
import type { z } from 'zod';
import { policiesTakeTooLong } from '../bodies/policy-patterns.ts';
import { alert, modify, notification, problems, v1 } from '../testing/policy-bodies.ts';
import {
  CreatePolicyBody,
  CreatePolicyV2Body,
  MovePolicyBody,
  UpdatePolicyBody,
  UpdatePolicyV2Body,
} from './policy-bodies.ts';

describe('both bodies of a policy', () => {
  const schemas = [
    [CreatePolicyBody, v1('notification-suppress')],
    [UpdatePolicyV2Body, notification()],
  ] as const;

  it('keep conditions with their orders, and their places where these have none', () => {
    const condition = { field: 'message', operation: 'contains', expectedValue: 'x' };
    const filter = {
      type: 'match-any-condition',
      conditions: [{ ...condition, order: 5 }, condition, { ...condition, order: 0 }],
    };
    for (const [schema, least] of schemas) {
      const read = schema.parse({ ...least, filter }).filter;
      expect(read.written.conditions?.map(({ order }) => order)).toEqual([5, 1, 0]);
      expect(read.set.conditions.map(({ order }) => order)).toEqual([5, 1, 0]);
      expect(schema.parse({ ...least, filter: read.written }).filter).toEqual(read);
    }
  });

  it('take an empty filter for match-all, and none for none (E12)', () => {
    for (const [schema, least] of schemas) {
      expect(schema.parse({ ...least, filter: {} }).filter).toEqual({ set: MATCH_ALL, written: { type: 'match-all' } });
      expect(schema.parse({ ...least, filter: null }).filter).toEqual({ set: MATCH_ALL, written: {} });
    }
  });

  it.each([
    ['filter', { type: 'match-all-conditions' }, 'filter.conditions', 'Conditions can not be empty.'],
    ['filter', 'all', 'filter', 'should be an object with type and conditions'],
    [
      'timeRestrictions',
      { type: 'daily' },
      'timeRestrictions.type',
      'should be one of [ time-of-day, weekday-and-time-of-day ]',
    ],
    ['policyDescription', 5, 'policyDescription', 'should be a string'],
  ])('refuse as %s %j', (field, value, path, message) => {
    for (const [schema, least] of schemas)
      expect(problems(schema, { ...least, [field]: value })).toEqual([[path, message]]);
  });
});

describe('the patterns of a policy', () => {
  const matching = (expectedValue: string, times = 1) => ({
    type: 'match-all-conditions',
    conditions: Array.from({ length: times }, () => ({ field: 'message', operation: 'matches', expectedValue })),
  });
  /** Each of the two is within the bound alone. */
  const filter = matching('([a-z]+[0-9]+){40}', 8);
  const message = '{{description.extract(/([a-z]+[0-9]+){10}/)}}';

  it('are refused where they do not compile, each by its field', () => {
    const broken = {
      filter: matching('('),
      message: '{{message.extract(/(/)}}',
      tags: ['x', '{{message.extract(/a/, 2)}}'],
      actions: ['{{message.extract(/(/)}}'],
      details: { host: '{{message.extract(/(/)}}' },
    };
    const fields = (schema: z.ZodType, body: unknown) => problems(schema, body).map(([path]) => path);
    const others = ['filter.conditions.0.expectedValue', 'message'];
    expect(fields(CreatePolicyBody, modify(broken))).toEqual([...others, 'alertActions.0', 'tags.1', 'details.host']);
    expect(fields(CreatePolicyV2Body, alert(broken))).toEqual([...others, 'actions.0', 'tags.1', 'details.host']);
  });

  it('count together, those of the filter and those of templates', () => {
    expect(problems(CreatePolicyBody, modify({ filter }))).toEqual([]);
    expect(problems(CreatePolicyBody, modify({ message }))).toEqual([]);
    const refusal = 'takes too long, with the patterns and templates before it: use fewer or plainer ones';
    expect(problems(CreatePolicyBody, modify({ filter, message }))).toEqual([['message', refusal]]);
    expect(problems(UpdatePolicyV2Body, alert({ filter, message }))).toEqual([['message', refusal]]);
  });

  it('of a field under two names are refused too, where the second says something else', () => {
    const [first, second] = ['{{message.extract(/(a)/)}}', '{{message.extract(/(/)}}'];
    const refused = (field: string) => [[field, 'should be a valid regular expression']];
    const described = alert({ alertDescription: first, description: second });
    expect(problems(UpdatePolicyV2Body, described)).toEqual(refused('description'));
    const acting = modify({ alertActions: [first], actions: [second] });
    expect(problems(UpdatePolicyBody, acting)).toEqual(refused('actions.0'));
  });

  it.each([
    ['description', { description: `{{description${'.substring(0)'.repeat(20)}}}`.repeat(10) }],
    ['message', { message: `{{message.replace("a","${'b'.repeat(200)}")${'.toUpperCase()'.repeat(19)}}}` }],
    ['tags.0', { tags: [`{{note${'.toLowerCase()'.repeat(20)}}}`.repeat(2)] }],
    ['details.b', { details: { a: 'x', b: `{{description${'.substring(0)'.repeat(20)}}}`.repeat(3) } }],
  ])('are as bounded as the calls of templates are, here of %s', (path, content) => {
    const refusal = 'takes too long, with the patterns and templates before it: use fewer or plainer ones';
    expect(problems(CreatePolicyV2Body, alert(content))).toEqual([[path, refusal]]);
  });

  it('leave room for 800 policies that change all fields plainly', () => {
    const plain = CreatePolicyV2Body.parse(
      alert({
        message: '{{message}}',
        alias: '{{alias}}',
        description: '{{description}}',
        entity: '{{entity}}',
        source: '{{source}}',
        tags: ['web'],
        details: { host: '{{entity.toLowerCase()}}' },
      }),
    );
    expect(policiesTakeTooLong(Array.from({ length: 800 }, () => plain))).toBe(false);
  });

  it('of several policies count together', () => {
    const filtering = CreatePolicyBody.parse(v1('notification-suppress', { filter }));
    const modifying = CreatePolicyBody.parse(modify({ message }));
    expect(policiesTakeTooLong([filtering])).toBe(false);
    expect(policiesTakeTooLong([modifying])).toBe(false);
    expect(policiesTakeTooLong([filtering, modifying])).toBe(true);
  });
});

describe('the body that moves a policy', () => {
  it('counts places from 0, which clients leave out (P8)', () => {
    expect(MovePolicyBody.parse({})).toEqual({ targetIndex: 0 });
    expect(MovePolicyBody.parse({ targetIndex: 7, Type: 'alert' })).toEqual({ targetIndex: 7 });
    expect(problems(MovePolicyBody, { targetIndex: -1 })).toEqual([
      ['targetIndex', 'should be a whole number of at least 0'],
    ]);
  });
});
