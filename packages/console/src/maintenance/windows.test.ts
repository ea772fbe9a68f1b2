import { describe, expect, test } from '@jest/globals';
import type { WholeWindow, Window } from './queries.ts';
import { changesBetween, inOrder, isSameRules, newestFirst, whenText } from './windows.ts';

const NOW = Date.UTC(2026, 0, 5, 12);
const HOUR = 3_600_000;
const iso = (hours: number) => new Date(NOW + hours * HOUR).toISOString();

const scheduled = (from: number, until: number): Window['time'] => ({
  type: 'schedule',
  startDate: iso(from),
  endDate: iso(until),
});
const window = (id: string, status: Window['status'], time: Window['time']): Window => ({
  id,
  status,
  time,
  description: '',
});

describe('when a window is', () => {
  const text = (status: Window['status'], time: Window['time']) => whenText({ status, time }, 'UTC', NOW);

  test('One that is on says until when, in its zone.', () => {
    const said = text('active', scheduled(-1, 2));

    expect(said).toMatch(/^On until .*14:00, for 2 h more\. It began .*11:00\.$/);
  });

  test('A planned one says in how long it begins, and one that is over does not.', () => {
    expect(text('planned', scheduled(3, 4))).toContain(', in 3 h until ');
    expect(text('past', scheduled(-4, -3))).not.toContain(', in ');
  });

  test('One that was started for a length of time says that alone: the API has no more of it.', () => {
    expect(text('active', { type: 'for-1-hour' })).toBe('For 1 hour from its start.');
    expect(text('active', { type: 'indefinitely' })).toBe('Until it is ended.');
  });
});

describe('the order of windows', () => {
  test('Those that are on are first, by their end, then the planned ones by their start.', () => {
    const windows = [
      window('later', 'planned', scheduled(5, 6)),
      window('open', 'active', { type: 'indefinitely' }),
      window('soon', 'planned', scheduled(3, 30)),
      window('long', 'active', scheduled(-1, 9)),
      window('short', 'active', scheduled(-3, 1)),
    ];

    expect(inOrder(windows).map(({ id }) => id)).toEqual(['short', 'long', 'open', 'soon', 'later']);
  });

  test('Past ones have the newest first.', () => {
    const windows = [window('old', 'past', scheduled(-9, -8)), window('new', 'cancelled', scheduled(-3, -2))];

    expect(newestFirst(windows).map(({ id }) => id)).toEqual(['new', 'old']);
  });
});

describe('what another person changed of a window', () => {
  const entity = { type: 'integration' as const, id: 'i1' };
  const other = { type: 'policy' as const, id: 'p1' };
  const before: WholeWindow = {
    ...window('w1', 'planned', scheduled(3, 4)),
    rules: [{ entity, state: 'disabled' }],
  };
  const changes = (now: WholeWindow) => changesBetween(before, now, { entities: [], zone: 'UTC' });

  test('There is none where it says the same.', () => {
    expect(changes({ ...before })).toEqual([]);
  });

  test('Times, description, status and each rule are a sentence.', () => {
    const now: WholeWindow = {
      ...before,
      status: 'active',
      description: 'Upgrade',
      rules: [{ entity: other, state: 'enabled' }],
    };

    expect(changes(now)).toEqual([
      'It is active now.',
      'Its description is “Upgrade” now.',
      'Policy: p1 is enabled now.',
      'It said that Integration: i1 is disabled, and does not now.',
    ]);
    expect(changes({ ...before, time: scheduled(3, 5) })).toHaveLength(1);
  });

  test('The order of rules says nothing.', () => {
    const rules = [
      { entity, state: 'disabled' as const },
      { entity: other, state: 'enabled' as const },
    ];

    expect(isSameRules(rules, rules.toReversed())).toBe(true);
    expect(isSameRules(rules, rules.slice(1))).toBe(false);
    expect(
      isSameRules(rules, [
        { entity, state: 'disabled' },
        { entity: other, state: 'disabled' },
      ]),
    ).toBe(false);
  });
});
