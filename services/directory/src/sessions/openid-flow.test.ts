import { describe, expect, it } from '@jest/globals';
import { personProblem } from './openid-flow.ts';

const problemOf = (email: string | undefined, isVerified = true) =>
  personProblem({ email, isVerified }, ['example.com', 'café.example']);

describe('a person whom an OpenID provider has authenticated (K25)', () => {
  it.each(['ada@example.com', 'Ada.Lovelace+ops@EXAMPLE.com', `${'a'.repeat(88)}@example.com`])(
    'may sign in with the address %s',
    (email) => {
      expect(problemOf(email)).toBeUndefined();
    },
  );

  it.each([
    ['a letter that lower case makes another one of', '\u212Aate@example.com'],
    ['a letter that looks like another one', '\u0430da@example.com'],
    ['such a domain, even one that is allowed', 'ada@café.example'],
    ['a line break', 'ada\n@example.com'],
    ['text that is written from right to left', 'ada\u202e@example.com'],
    ['more characters than a user name has', `${'a'.repeat(89)}@example.com`],
    ['no character', ''],
  ])('may not sign in with an address of %s, and no answer repeats it', (_, email) => {
    for (const isVerified of [true, false])
      expect(problemOf(email, isVerified)).toBe(
        'The OpenID provider gave a mail address that can not sign in here: it has to have 1 to 100 characters, all of them ASCII.',
      );
  });
});
