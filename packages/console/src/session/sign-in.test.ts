import { describe, expect, test } from '@jest/globals';
import { CallError } from '../api/call-error.ts';
import { codeOfFragment, sentCode } from './sign-in-code.ts';
import { signInProblem } from './sign-in-problem.ts';

describe('the code to sign in', () => {
  test.each(['31415926', ' 3141 5926 ', '3141-5926', '31-41-59-26'])('%p is sent as its digits.', (typed) => {
    expect(sentCode(typed)).toBe('31415926');
  });

  test('The code of an operator keeps its hyphens.', () => {
    expect(sentCode(' a-b_c-1 ')).toBe('a-b_c-1');
  });

  test('The link of a mail carries it in the fragment.', () => {
    expect(codeOfFragment('#code=31415926')).toBe('31415926');
    for (const fragment of ['', '#', '#code=', '#other=1']) expect(codeOfFragment(fragment)).toBeUndefined();
  });
});

const refused = (status: number, more: Partial<ConstructorParameters<typeof CallError>[0]> = {}) =>
  signInProblem(new CallError({ status, message: 'The request is not valid.', ...more }));

describe('a refused sign-in', () => {
  test('A wrong code stands at its field with the tries that are left.', () => {
    expect(refused(422, { fields: { code: 'is not the code that was sent; tries left: 3' } })).toEqual({
      field: 'code',
      text: 'The code is not the code that was sent; tries left: 3.',
      needsNewCode: false,
    });
  });

  test.each([
    'cannot be used: it was used, replaced by a newer one, or asked for in another browser; ask for a new one',
    'has expired; ask for a new one',
    'was guessed at too often; ask for a new one',
  ])('A code that %s offers a new one.', (code) => {
    expect(refused(422, { fields: { code } })).toEqual({
      field: 'code',
      text: `The code ${code}.`,
      needsNewCode: true,
    });
  });

  test('A user name that can be none stands at its field.', () => {
    expect(refused(422, { fields: { username: 'should be a mail address' } })).toMatchObject({
      field: 'username',
      text: 'The user name should be a mail address.',
    });
  });

  test('An installation without https names the setting and who can change it.', () => {
    const message = 'People can sign in over https only. Set PUBLIC_URL to the https:// address of the installation.';

    expect(refused(403, { message })).toEqual({
      field: undefined,
      text: `${message} Ask the operator of this installation to do this.`,
      needsNewCode: false,
    });
  });

  test('Too many requests name the wait.', () => {
    const { text } = refused(429, { message: 'Too many codes were asked for lately.', retryAfterSeconds: 720 });

    expect(text).toBe('Too many codes were asked for lately. Try again in 12 min. What you typed stays here.');
  });

  test.each([0, 503])('An outage, status %p, says that the input stays.', (status) => {
    expect(refused(status)).toMatchObject({
      field: undefined,
      text: expect.stringMatching(/What you typed stays here[.]$/),
    });
  });
});
