// cspell:ignore Flogin
import { describe, expect, test } from '@jest/globals';
import { providerAnswer } from './openid.ts';

describe('the answer of an OpenID provider', () => {
  test('It has the code and the state, and the issuer where the provider names it.', () => {
    expect(providerAnswer('?code=a%2Bb&state=s&iss=https%3A%2F%2Flogin.example.com', undefined)).toEqual({
      kind: 'signed-in',
      code: 'a+b',
      state: 's',
      iss: 'https://login.example.com',
    });
    expect(providerAnswer('?code=a&state=s', 's')).toEqual({ kind: 'signed-in', code: 'a', state: 's' });
  });

  test('A refusal has the words of the provider, or its code.', () => {
    const refused = (query: string) => providerAnswer(`?error=access_denied&state=s${query}`, 's');
    expect(refused('&error_description=Not+today')).toEqual({ kind: 'refused', reason: 'Not today' });
    expect(refused('')).toEqual({ kind: 'refused', reason: 'access_denied' });
  });

  test('A refusal is one bounded line, without characters that turn or hide text.', () => {
    const words = encodeURIComponent(`No\r\n\u202e\u200bway ${'x'.repeat(1_000)}`);
    expect(providerAnswer(`?error=e&error_description=${words}&state=s`, 's')).toEqual({
      kind: 'refused',
      reason: `No way ${'x'.repeat(193)}`,
    });
  });

  test.each(['', '&state=', '&state=another'])(
    'A refusal with the state %p is not of a sign-in of this tab.',
    (state) => {
      const search = `?error=access_denied&error_description=Call+this+number${state}`;
      for (const begun of ['s', '', undefined]) expect(providerAnswer(search, begun)).toEqual({ kind: 'none' });
    },
  );

  test.each(['', '?code=a', '?state=s', '?code=&state=s'])('%p is no answer.', (search) => {
    expect(providerAnswer(search, 's')).toEqual({ kind: 'none' });
  });
});
