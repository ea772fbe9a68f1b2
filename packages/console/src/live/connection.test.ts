import { describe, expect, test } from '@jest/globals';
import { CallError } from '../api/call-error.ts';
import { outageOf } from './connection.ts';

const refused = (status: number) => new CallError({ status, message: 'No.' });

describe('what a call says of the connection', () => {
  test('A call without an answer, and one that a service behind the gateway does not answer, are outages.', () => {
    expect(outageOf(refused(0))).toBe('offline');
    for (const status of [502, 503, 504]) expect(outageOf(refused(status))).toBe('away');
  });

  test('An answer, also a refusal, ends an outage.', () => {
    expect(outageOf(undefined)).toBe('none');
    for (const status of [401, 403, 404, 422, 429, 500]) expect(outageOf(refused(status))).toBe('none');
  });

  test('A fault of the page says nothing of the connection.', () => {
    expect(outageOf(new TypeError('x is undefined'))).toBe('unknown');
  });
});
