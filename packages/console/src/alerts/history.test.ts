import { describe, expect, test } from '@jest/globals';
import { historyOf } from './history.ts';

const second = (number: number) => new Date(number * 1_000).toISOString();
const logged = (at: number, log: string, type: 'alertAction' | 'system' = 'system') => ({
  log,
  type,
  owner: 'ada@example.com',
  createdAt: second(at),
  offset: `${at}_0`,
});
const note = (at: number, text: string) => ({
  note: text,
  owner: 'grace@example.com',
  createdAt: second(at),
  offset: `${at}_0`,
});

describe('what happened to an alert', () => {
  test('Log and notes are one list, newest first, each with a key of its own.', () => {
    const history = historyOf([logged(9, 'closed'), logged(5, 'paged'), logged(2, 'created')], [note(5, 'Why?')]);

    expect(history.map(({ text }) => text)).toEqual(['closed', 'paged', 'Why?', 'created']);
    expect(new Set(history.map(({ key }) => key)).size).toBe(4);
  });

  test('Actions and notes name who did them, what the system did names no user.', () => {
    const history = historyOf([logged(3, 'acknowledged', 'alertAction'), logged(2, 'paged')], [note(1, 'Hm.')]);

    expect(history.map(({ by }) => by)).toEqual(['ada@example.com', undefined, 'grace@example.com']);
  });
});
