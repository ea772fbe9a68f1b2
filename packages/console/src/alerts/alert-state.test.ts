// cspell:ignore prioity
import { describe, expect, test } from '@jest/globals';
import { CallError } from '../api/call-error.ts';
import { fixedSearches, shownQuery, stateText } from './alert-state.ts';

const OPEN = { status: 'open', acknowledged: false, snoozed: false } as const;

describe('the state of an alert', () => {
  test('A closed alert is closed, whatever it was before.', () => {
    expect(stateText({ ...OPEN, status: 'closed', acknowledged: true }, 0)).toBe('closed');
  });

  test('A snoozed alert says for how long.', () => {
    const alert = { ...OPEN, acknowledged: true, snoozed: true, snoozedUntil: '1970-01-01T01:00:00Z' };

    expect(stateText(alert, 30 * 60_000)).toBe('snoozed for 30 min');
  });

  test('Others are acknowledged or open.', () => {
    expect(stateText({ ...OPEN, acknowledged: true }, 0)).toBe('acknowledged');
    expect(stateText(OPEN, 0)).toBe('open');
  });
});

describe('the searches of the page', () => {
  test('The alerts of a person are found by their user name.', () => {
    expect(fixedSearches('ada@example.com')).toEqual([
      { name: 'Open', query: 'status:open' },
      { name: 'Mine', query: 'status:open AND owner:"ada@example.com"' },
      { name: 'All', query: '' },
    ]);
  });
});

describe('the search whose alerts are shown', () => {
  const refused = (status: number, fields = {}) => new CallError({ status, message: 'No.', fields });

  test('While a search is read, or its read failed, no alerts of the search before are shown.', () => {
    for (const error of [null, refused(0), refused(500), refused(429), refused(422, { offset: 'is too large' })])
      expect(shownQuery('priority:P1', error, 'status:open')).toBe('priority:P1');
  });

  test('A search with a mistake in it leaves the one before in place.', () => {
    const mistake = refused(422, { query: 'at position 3' });

    expect(shownQuery('prioity:P1', mistake, 'status:open')).toBe('status:open');
  });
});
