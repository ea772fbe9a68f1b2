import { describe, expect, test } from '@jest/globals';
import { savedViews, stateText } from './alert-state.ts';

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
    expect(savedViews('ada@example.com')).toEqual([
      { name: 'Open', query: 'status:open' },
      { name: 'Mine', query: 'status:open AND owner:"ada@example.com"' },
      { name: 'All', query: '' },
    ]);
  });
});
