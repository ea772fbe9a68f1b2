import { describe, expect, test } from '@jest/globals';
import { CallError } from './call-error.ts';
import { NewVersionError } from '../shell/new-version.ts';
import { fieldText, problemText } from './problem-text.ts';

const refused = (status: number, more: Partial<ConstructorParameters<typeof CallError>[0]> = {}) =>
  problemText(new CallError({ status, message: 'No.', requestId: 'r-7', ...more }));

describe('the text of a field', () => {
  test.each([
    ['should be an IANA zone', 'Time zone should be an IANA zone.'],
    ['Name can not be empty.', 'Name can not be empty.'],
  ])('%j is %j', (fault, text) => {
    expect(fieldText('Time zone', fault)).toBe(text);
  });
});

describe('what a person reads of a failure', () => {
  test.each([0, 400, 401, 403, 404, 409, 422, 428, 429, 500, 502, 503, 504])(
    'A call with the status %p says what happened, what to do, and its request id.',
    (status) => {
      const { advice, requestId, what } = refused(status);

      expect([what, advice]).toEqual([expect.stringMatching(/^[A-Z].*[.]$/), expect.stringMatching(/^[A-Z].*[.]$/)]);
      expect(requestId).toBe('r-7');
    },
  );

  test.each([0, 500, 502, 504])(
    'Where a call with the status %p can have been accepted, it is not to be repeated.',
    (status) => {
      expect(refused(status, { mayBeAccepted: true })).toMatchObject({
        advice: 'It may have been accepted. Look at the log before you repeat it.',
        requestId: 'r-7',
      });
      expect(refused(status).advice).toMatch(/try again/i);
    },
  );

  test('A refusal for its rate has the wait.', () => {
    expect(refused(429, { retryAfterSeconds: 75 }).advice).toBe('Try again in 1 min 15 s.');
    expect(refused(429).advice).toBe('Try again later.');
  });

  test.each([408, 409, 413])('A refusal with the status %p has the words of the server.', (status) => {
    expect(refused(status, { message: 'The body is too large.' }).what).toBe('The body is too large.');
  });

  test('Refused input names each field.', () => {
    const { what } = refused(422, { message: 'The request is not valid.', fields: { note: 'is too long' } });

    expect(what).toBe('The request is not valid. note is too long.');
  });

  test('A page that is older than the server is to be reloaded, once what was typed is safe.', () => {
    expect(problemText(new NewVersionError('There is a newer version of this page.'))).toMatchObject({
      what: 'There is a newer version of this page.',
      advice: 'Save what you typed, then reload.',
    });
  });

  test('A fault of the page shows no stack and no request id.', () => {
    expect(problemText(new TypeError('x is undefined'))).toEqual({
      what: 'This part of the page failed.',
      advice: 'Try again. If it fails again, reload the page.',
      requestId: undefined,
    });
  });
});
