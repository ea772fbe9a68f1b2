import { describe, expect, test } from '@jest/globals';
import { CallError } from '../api/call-error.ts';
import { bodyOf, changeOf, changesBetween, faultsOf, formOf, newForm, refusedFields } from './form.ts';
import type { Heartbeat } from './queries.ts';

const stored: Heartbeat = {
  name: 'backup',
  description: '',
  interval: 25,
  intervalUnit: 'hours',
  enabled: true,
  expired: false,
  ownerTeam: { id: 't1', name: 'Database' },
  alertMessage: 'No backup',
  alertTags: ['backup', 'night'],
  alertPriority: 'P2',
};
const form = formOf(stored);

describe('the body of a new heartbeat', () => {
  test('It has what was typed, without the blanks around it.', () => {
    expect(bodyOf({ ...newForm('t1'), name: ' backup ', interval: '5', alertTags: 'a, b,,' })).toEqual({
      name: 'backup',
      description: '',
      interval: 5,
      intervalUnit: 'minutes',
      ownerTeam: { id: 't1' },
      alertTags: ['a', 'b'],
      alertPriority: 'P3',
    });
  });

  test('It names no team and no message where there is none.', () => {
    const body = bodyOf({ ...newForm(''), name: 'backup', alertMessage: '  ' });

    expect(body).not.toHaveProperty('ownerTeam');
    expect(body).not.toHaveProperty('alertMessage');
  });
});

describe('a change of a heartbeat', () => {
  test('It has the fields alone that were changed, so that the interval does not begin again.', () => {
    expect(changeOf(form, stored)).toEqual({});
    expect(changeOf({ ...form, alertTags: 'backup,night', alertPriority: 'P1' }, stored)).toEqual({
      alertPriority: 'P1',
    });
  });

  test('The interval goes with its unit.', () => {
    expect(changeOf({ ...form, intervalUnit: 'days' }, stored)).toEqual({ interval: 25, intervalUnit: 'days' });
  });
});

describe('what is wrong with a form', () => {
  test('It is said before it is sent.', () => {
    expect(Object.keys(faultsOf({ ...form, name: ' ', interval: '1.5' }))).toEqual(['name', 'interval']);
    expect(faultsOf(form, stored)).toEqual({});
  });

  test('A message cannot be removed by a change: the API keeps it.', () => {
    const { alertMessage: _, ...silent } = stored;

    expect(faultsOf({ ...form, alertMessage: '' }, stored)).toHaveProperty('alertMessage');
    expect(faultsOf({ ...form, alertMessage: '' }, silent)).toEqual({});
  });

  test('What the server refuses is at its field.', () => {
    const fields = { interval: 'should be at most 100000', 'ownerTeam.id': 'should be a text', other: 'is odd' };

    expect(refusedFields(new CallError({ status: 422, message: 'No.', fields }))).toEqual({
      interval: 'Interval should be at most 100000.',
      ownerTeam: 'Team should be a text.',
    });
    expect(refusedFields(new CallError({ status: 409, message: 'Taken' }))).toEqual({ name: 'Taken' });
    expect(refusedFields(new CallError({ status: 404, message: 'Team with id [x] does not exist.' }))).toEqual({
      ownerTeam: 'Team with id [x] does not exist.',
    });
    expect(refusedFields(new Error('other'))).toEqual({});
  });
});

describe('what another person changed', () => {
  test('Each field is a sentence with both values, and pings are none.', () => {
    const now: Heartbeat = {
      ...stored,
      interval: 2,
      intervalUnit: 'days',
      enabled: false,
      lastPingTime: '2026-01-05T12:00:00Z',
    };

    expect(changesBetween(stored, now)).toEqual([
      'It is disabled now. It was enabled.',
      'Its interval is every 2 days now. It was every 25 hours.',
    ]);
    expect(changesBetween(stored, { ...stored, expired: true, lastPingTime: '2026-01-05T12:00:00Z' })).toEqual([]);
  });
});
