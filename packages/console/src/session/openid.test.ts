// cspell:ignore Flogin
import { describe, expect, test } from '@jest/globals';
import { providerAnswer } from './openid.ts';

describe('the answer of an OpenID provider', () => {
  test('It has the code and the state, and the issuer where the provider names it.', () => {
    expect(providerAnswer('?code=a%2Bb&state=s&iss=https%3A%2F%2Flogin.example.com')).toEqual({
      kind: 'signed-in',
      code: 'a+b',
      state: 's',
      iss: 'https://login.example.com',
    });
    expect(providerAnswer('?code=a&state=s')).toEqual({ kind: 'signed-in', code: 'a', state: 's' });
  });

  test('A refusal has the words of the provider, or its code.', () => {
    expect(providerAnswer('?error=access_denied&error_description=Not+today&state=s')).toEqual({
      kind: 'refused',
      reason: 'Not today',
    });
    expect(providerAnswer('?error=access_denied')).toEqual({ kind: 'refused', reason: 'access_denied' });
  });

  test.each(['', '?code=a', '?state=s', '?code=&state=s'])('%p is no answer.', (search) => {
    expect(providerAnswer(search)).toEqual({ kind: 'none' });
  });
});
