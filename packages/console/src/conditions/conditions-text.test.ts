import { describe, expect, test } from '@jest/globals';
import {
  type Condition,
  conditionFaults,
  conditionOf,
  conditionsText,
  conditionText,
  fieldOptions,
  FIELDS,
  formOf,
  matchTypeOf,
  NEW_CONDITION,
  sentConditions,
  verbOfForm,
  verbOptions,
  withMatchType,
  withPlace,
  withVerb,
} from './conditions-text.ts';

const onTags: Condition = { field: 'tags', not: true, operation: 'contains', expectedValue: 'backup' };

describe('a condition in words', () => {
  test.each<[Condition, string]>([
    [onTags, 'tags do not contain “backup”'],
    [{ field: 'message', operation: 'equals', expectedValue: 'Disk full' }, 'message is “Disk full”'],
    [{ field: 'priority', isNot: true, operation: 'equals', expectedValue: 'P5' }, 'priority is not “P5”'],
    [{ field: 'details', operation: 'is-empty', expectedValue: '' }, 'details are empty'],
    [
      { field: 'details', key: 'load', operation: 'greater-than', expectedValue: '9' },
      '“load” of the details is greater than “9”',
    ],
    [{ field: 'details', operation: 'contains-key', expectedValue: 'load' }, 'details have the key “load”'],
  ])('%j: %s', (condition, text) => {
    expect(conditionText(condition)).toBe(text);
  });

  test('Every spelling that the API takes has the same words, and what the page does not know stays as written.', () => {
    const spelled = { field: 'Extra_Properties', key: 'a', not: false, operation: 'Starts With', expectedValue: 'x' };
    const prefixed = { field: 'extra_properties_key_prefix-a', operation: 'startsWith', expectedValue: 'x' };

    expect(conditionText(spelled)).toBe('“a” of the extra properties starts with “x”');
    expect(conditionText(prefixed)).toBe(conditionText(spelled));
    expect(conditionText({ field: 'colour', not: true, operation: 'resembles', expectedValue: 'red' })).toBe(
      'colour not resembles “red”',
    );
  });

  test('A set says what it holds for.', () => {
    const conditions = [onTags, { field: 'source', operation: 'is-empty', expectedValue: '' }];

    expect(conditionsText(undefined)).toBe('every alert');
    expect(conditionsText({})).toBe('every alert');
    expect(conditionsText({ type: 'match-all' })).toBe('every alert');
    expect(conditionsText({ type: 'match-all-conditions', conditions })).toBe(
      'alerts whose tags do not contain “backup” and source is empty',
    );
    expect(conditionsText({ conditionMatchType: 'Match Any Condition', conditions })).toBe(
      'alerts whose tags do not contain “backup” or source is empty',
    );
    expect(conditionsText({ type: 'some', conditions })).toBe('alerts of the conditions “some”');
  });
});

describe('the form of a condition', () => {
  test('Each operation has words.', () => {
    const names = Object.keys(FIELDS).flatMap((field) =>
      verbOptions(formOf({ field, operation: 'is-empty', expectedValue: '' })),
    );

    expect(names.filter(({ name }) => name.startsWith('not '))).toEqual([]);
  });

  test('It offers the operations of its kind of field, each with its negation.', () => {
    const names = (condition: Condition) => verbOptions(formOf(condition)).map(({ name }) => name);

    expect(names(onTags)).toEqual(['contain', 'do not contain', 'are empty', 'are not empty']);
    expect(names({ ...NEW_CONDITION, field: 'details' })).toContain('have the key');
    expect(names({ ...NEW_CONDITION, field: 'details', key: 'load' })).toContain('is less than');
    expect(names(NEW_CONDITION)).not.toContain('is less than');
  });

  test('An operation that the form does not know is offered, so that it stays.', () => {
    const form = formOf({ ...NEW_CONDITION, operation: 'resembles' });

    expect(verbOptions(form).map(({ value }) => value)).toContain(verbOfForm(form));
    expect(conditionOf(form).operation).toBe('resembles');
  });

  test('A field of another kind takes the first of its operations, where it does not take the present one.', () => {
    const matches = formOf({ ...NEW_CONDITION, operation: 'matches' });

    expect(withPlace(matches, { field: 'alias' }).operation).toBe('matches');
    expect(withPlace(matches, { field: 'tags' }).operation).toBe('contains');
    expect(
      withPlace(formOf({ field: 'details', key: 'a', operation: 'less-than', expectedValue: '1' }), { key: '' }),
    ).toEqual({ field: 'details', key: '', not: false, operation: 'contains-key', expectedValue: '1' });
  });

  test('A condition keeps its place, and has a key and a value only where they count.', () => {
    const was = { ...onTags, order: 3 };
    const empty = withVerb(formOf(was), 'not is-empty');

    expect(conditionOf(empty, was)).toEqual({
      field: 'tags',
      not: true,
      operation: 'is-empty',
      expectedValue: '',
      order: 3,
    });
    expect(conditionOf({ ...formOf(onTags), key: 'left' })).not.toHaveProperty('key');
  });

  test('A mail has more fields than an alert.', () => {
    const names = (of: 'alert' | 'mail') => fieldOptions(of).map(({ value }) => value);

    expect(names('mail')).toEqual([
      ...names('alert'),
      'from-address',
      'from-name',
      'subject',
      'conversation-subject',
      'messages',
    ]);
  });
});

describe('the form of a set', () => {
  test('A set that holds for everything keeps its conditions in the form, and is sent without.', () => {
    const some = { type: 'match-all-conditions', conditions: [onTags] };
    const every = withMatchType(some, 'match-all');

    expect(withMatchType(every, 'match-any-condition')).toEqual({ ...some, type: 'match-any-condition' });
    expect(sentConditions(every)).toEqual({ type: 'match-all' });
    expect(sentConditions(some)).toBe(some);
  });

  test('The first condition comes with the type that needs one.', () => {
    expect(withMatchType({}, 'match-all-conditions').conditions).toEqual([NEW_CONDITION]);
    expect(matchTypeOf({ type: 'some' })).toBeUndefined();
  });

  test('What the server refuses stands at its condition and field.', () => {
    const faults = conditionFaults(
      {
        'criteria.conditions[1].expectedValue': 'should be a number',
        'criteria.conditions[0].not': 'should be true or false',
        'criteria.conditions': 'Conditions can not be empty.',
        name: 'should be text',
      },
      'criteria',
    );

    expect(faults.set).toBe('Conditions can not be empty.');
    expect(faults.at(0)).toEqual({ operation: 'This should be true or false.' });
    expect(faults.at(1)).toEqual({ expectedValue: 'This should be a number.' });
    expect(faults.at(2)).toEqual({});
  });
});
