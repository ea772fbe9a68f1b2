import { describe, expect, test } from '@jest/globals';
import { CallError } from '../api/call-error.ts';
import { noUsersText, outcomeText, partsOf, userFault } from './explanation.ts';

describe('why a user was paged, or not', () => {
  test('A sentence says what became of the alert for them.', () => {
    const user = { id: 'u1', username: 'ada' };
    const outcomes = ['notified', 'pending', 'failed', 'not-sent', 'not-paged', 'incomplete'] as const;

    expect(outcomes.map((outcome) => outcomeText({ user, outcome }))).toEqual([
      'ada was notified.',
      'A message to ada is still due.',
      'No message to ada could be delivered.',
      'The alert paged ada, but no message was sent.',
      'The alert did not page ada.',
      'The explanation of ada is incomplete.',
    ]);
  });

  test('Without users it says that no user was paged only where the whole log was read.', () => {
    expect([false, true].map((truncated) => noUsersText({ truncated }))).toEqual([
      'The alert has paged no user. The steps say why.',
      'The part of the log that was read does not show that the alert paged a user.',
    ]);
  });
});

describe('the texts of the server', () => {
  test('Their instants are parts of their own, and all else stays as it is.', () => {
    expect(partsOf('ada is notified by email at 2026-01-05T08:00:00.000Z by rule [night].')).toEqual([
      { kind: 'words', text: 'ada is notified by email at ' },
      { kind: 'instant', at: '2026-01-05T08:00:00.000Z' },
      { kind: 'words', text: ' by rule [night].' },
    ]);
    expect(partsOf('2026-01-05T08:00:00Z')).toEqual([{ kind: 'instant', at: '2026-01-05T08:00:00Z' }]);
    expect(partsOf('Paged on 2026-01-05.')).toEqual([{ kind: 'words', text: 'Paged on 2026-01-05.' }]);
    expect(partsOf('')).toEqual([]);
  });
});

describe('a refused question', () => {
  const refused = (status: number, fields = {}) => new CallError({ status, message: 'User does not exist', fields });

  test('What is wrong with the name is said at its field.', () => {
    expect(userFault(refused(422, { user: 'should have at most 100 characters' }))).toBe(
      'The user name should have at most 100 characters.',
    );
    expect(userFault(refused(404))).toBe('User does not exist.');
  });

  test('Other failures are not faults of the name.', () => {
    for (const error of [null, new Error('broken'), refused(0), refused(503), refused(403)])
      expect(userFault(error)).toBeUndefined();
  });
});
