import { describe, expect, test } from '@jest/globals';
import { CallError, hidesData, refusalOf } from './call-error.ts';
import { queryText } from './call.ts';

const headers = (given: Readonly<Record<string, string>>) => (name: string) => given[name] ?? null;

describe('a refused call', () => {
  test('A refusal has the message, the request, the wait and what is wrong with each field.', () => {
    const error = refusalOf(422, headers({ 'X-Request-ID': 'r-1', 'Retry-After': '7' }), {
      message: 'The request is not valid.',
      errors: { code: 'is not the code that was sent', depth: 3 },
    });

    expect(error).toMatchObject({
      failure: 'invalid',
      message: 'The request is not valid.',
      requestId: 'r-1',
      retryAfterSeconds: 7,
      fields: { code: 'is not the code that was sent' },
    });
  });

  test.each([undefined, null, '<html>', [], { message: 4 }])('An answer of a proxy, %p, names its status.', (body) => {
    expect(refusalOf(502, headers({}), body)).toMatchObject({
      failure: 'unavailable',
      message: 'The server answered with status 502.',
      requestId: undefined,
      retryAfterSeconds: undefined,
      fields: {},
    });
  });
});

describe('what was read before a read fails', () => {
  test('It stays, but for a refusal of what is deleted or not allowed any more.', () => {
    const hiding = [0, 401, 403, 404, 422, 429, 500, 503].filter((status) =>
      hidesData(new CallError({ status, message: 'No.' })),
    );

    expect(hiding).toEqual([403, 404]);
    expect([hidesData(null), hidesData(new TypeError('x is undefined'))]).toEqual([false, false]);
  });
});

describe('the query of a URL', () => {
  test('Values are encoded, and what is undefined is left out.', () => {
    expect(queryText({ query: 'tag:a&b', offset: 0, order: undefined })).toBe('?query=tag%3Aa%26b&offset=0');
    expect(queryText({ order: undefined })).toBe('');
  });
});
