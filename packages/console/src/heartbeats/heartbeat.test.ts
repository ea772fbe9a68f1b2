import { describe, expect, test } from '@jest/globals';
import { expiryOf, found, inOrder, intervalText, pingCommand, stateOf, stateText } from './heartbeat.ts';
import type { Heartbeat } from './queries.ts';

const NOW = Date.UTC(2026, 0, 5, 12);
const MINUTE = 60_000;

/** One that was pinged some minutes ago. */
const heartbeat = (name: string, minutesAgo: number | undefined, over: Partial<Heartbeat> = {}): Heartbeat => ({
  name,
  description: '',
  interval: 10,
  intervalUnit: 'minutes',
  enabled: true,
  expired: false,
  lastPingTime: minutesAgo === undefined ? undefined : new Date(NOW - minutesAgo * MINUTE).toISOString(),
  alertTags: [],
  ...over,
});

describe('the state of a heartbeat', () => {
  test.each([
    ['active', heartbeat('a', 3), 'Expires in 7 min.'],
    [
      'overdue',
      heartbeat('a', 10),
      'Its time is over. It expires now, or after an outage of Tocsin one interval later.',
    ],
    ['expired', heartbeat('a', 75, { expired: true }), 'Expired: no ping for 1 h 15 min.'],
    ['new', heartbeat('a', undefined), 'No ping yet: it does not expire before its first ping.'],
    ['disabled', heartbeat('a', 3, { enabled: false }), 'Disabled: it does not expire.'],
  ] as const)('It is %s.', (state, of, text) => {
    expect(stateOf(of, NOW)).toBe(state);
    expect(stateText(of, NOW)).toBe(text);
  });

  test('It is counted down to the second.', () => {
    expect(stateText(heartbeat('a', 3), NOW + 6 * MINUTE + 15_000)).toBe('Expires in 45 s.');
  });

  test('It expires one interval after the last ping, in each unit.', () => {
    const after = (interval: number, intervalUnit: Heartbeat['intervalUnit']) =>
      (expiryOf(heartbeat('a', 0, { interval, intervalUnit })) ?? 0) - NOW;

    expect(after(2, 'minutes')).toBe(2 * MINUTE);
    expect(after(2, 'hours')).toBe(120 * MINUTE);
    expect(after(2, 'days')).toBe(48 * 60 * MINUTE);
  });
});

describe('the list of heartbeats', () => {
  test('Expired ones are first, then those that expire next; new and disabled ones are last.', () => {
    const list = [
      heartbeat('off', 3, { enabled: false }),
      heartbeat('new', undefined),
      heartbeat('later', 1),
      heartbeat('soon', 9),
      heartbeat('silent-b', 60, { expired: true }),
      heartbeat('over', 11),
      heartbeat('silent-a', 30, { expired: true }),
    ];

    expect(inOrder(list, NOW).map(({ name }) => name)).toEqual([
      'silent-a',
      'silent-b',
      'over',
      'soon',
      'later',
      'new',
      'off',
    ]);
  });

  test('One is found by a part of its name or team, in any case.', () => {
    const list = [heartbeat('backup', 1, { ownerTeam: { id: 't1', name: 'Database' } }), heartbeat('cron', 1)];

    expect(found(list, ' BACK ').map(({ name }) => name)).toEqual(['backup']);
    expect(found(list, 'data').map(({ name }) => name)).toEqual(['backup']);
    expect(found(list, '')).toHaveLength(2);
  });
});

describe('the texts of a heartbeat', () => {
  test('An interval of one has no number.', () => {
    expect(intervalText({ interval: 1, intervalUnit: 'days' })).toBe('every day');
    expect(intervalText({ interval: 25, intervalUnit: 'hours' })).toBe('every 25 hours');
  });

  test('The command is one shell word for each part, whatever the name.', () => {
    expect(pingCommand('https://t.example', "it's a/b")).toBe(
      "curl -X POST 'https://t.example/v2/heartbeats/it%27s%20a%2Fb/ping' \\\n  -H 'Authorization: GenieKey YOUR-KEY'",
    );
  });
});
