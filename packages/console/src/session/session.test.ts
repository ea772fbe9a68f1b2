import { describe, expect, test } from '@jest/globals';
import { compareSession, type CurrentSession } from './session.ts';

const sessionOf = (id: string, more: Partial<CurrentSession['user']> = {}) =>
  ({ user: { id, username: `${id}@example.com`, fullName: id, ...more } }) as CurrentSession;

describe('the session of a page that was shown to one person', () => {
  test('That of another person is no reason to show them what the page has.', () => {
    expect(compareSession(sessionOf('ada'), sessionOf('grace'))).toEqual({ kind: 'other' });
  });

  test('The page takes the facts about the person from their new session.', () => {
    const now = sessionOf('ada', { fullName: 'Ada Lovelace' });

    expect(compareSession(sessionOf('ada'), now)).toEqual({ kind: 'same', session: now });
  });

  test('Without a session it has ended.', () => {
    expect(compareSession(sessionOf('ada'), null)).toEqual({ kind: 'ended' });
  });
});
