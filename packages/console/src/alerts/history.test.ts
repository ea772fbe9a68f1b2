import { describe, expect, test } from '@jest/globals';
import { hashKey } from '@tanstack/react-query';
import { CallError } from '../api/call-error.ts';
import { logQuery, notesQuery } from './queries.ts';
import { historyOf, missingTexts } from './history.ts';

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

describe('what is missing of the history', () => {
  const all = { paging: {} };
  const cut = { paging: { next: '/v2/alerts/a/notes?offset=1' } };

  test('A history that has all says nothing.', () => {
    expect(missingTexts(all, { data: all, error: null })).toEqual([]);
  });

  test('Older notes and older entries that are not shown are named.', () => {
    expect(missingTexts(cut, { data: cut, error: null })).toEqual([
      'Older notes are not shown. The API has all of them.',
      'Older log entries are not shown. The API has all of them.',
    ]);
  });

  test('It says that the notes could not be loaded, also where earlier ones are shown.', () => {
    const error = new CallError({ status: 503, message: 'No.' });

    expect(missingTexts(all, { data: undefined, error })).toEqual(['Notes could not be loaded.']);
    expect(missingTexts(all, { data: all, error })).toEqual(['Notes could not be loaded.']);
  });

  test('A history without its notes does not look complete while they are loaded.', () => {
    expect(missingTexts(all, { data: undefined, error: null })).toEqual(['Notes are loading.']);
  });
});

describe('log and notes', () => {
  test('They are read again with each change and each repetition of their alert.', () => {
    const alert = { id: 'alert-1', count: 1, updatedAt: second(1) };

    for (const query of [logQuery, notesQuery]) {
      const keys = [alert, { ...alert, updatedAt: second(2) }, { ...alert, count: 2 }, { ...alert }].map((each) =>
        hashKey(query(each).queryKey),
      );

      expect(new Set(keys).size).toBe(3);
    }
  });
});
