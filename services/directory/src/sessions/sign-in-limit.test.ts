import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  type CodeRequest,
  MAX_OF_NETWORK,
  MAX_OF_STRANGERS,
  MAX_OF_USER,
  MAX_REQUESTS,
  minuteAt,
  type SignInMinute,
  withRequest,
} from './sign-in-limit.ts';

const now = new Date('2026-01-01T00:00:20.500Z');
const startsAt = new Date('2026-01-01T00:00:00Z');

function filled(requests: readonly CodeRequest[]): SignInMinute {
  let minute: SignInMinute = { startsAt, requests: [] };
  for (const request of requests) {
    const counted = withRequest(minute, request, now);
    if (counted.kind === 'counted') ({ minute } = counted);
  }
  return minute;
}
const requestsOf = (count: number, isKnown: boolean, holderOf: (index: number) => string): CodeRequest[] =>
  Array.from({ length: count }, (_, index) => ({ isKnown, holder: holderOf(index) }));

describe('the requests for codes in a minute (K20)', () => {
  it('begin with the minute of the clock', () => {
    expect(minuteAt(now)).toEqual(startsAt);
  });

  it('never exceed the total, the part of strangers and the share of a holder', () => {
    const holders = Array.from({ length: 20 }, (_, index) => `holder ${index}`);
    const request = fc.record({ isKnown: fc.boolean(), holder: fc.constantFrom(...holders) });
    fc.assert(
      fc.property(fc.array(request, { maxLength: 300 }), (sent) => {
        const { requests } = filled(sent);
        const countOf = (known: boolean, holder?: string) =>
          requests.filter((each) => each.isKnown === known && (holder === undefined || each.holder === holder)).length;
        expect(requests.length).toBeLessThanOrEqual(MAX_REQUESTS);
        expect(countOf(false)).toBeLessThanOrEqual(MAX_OF_STRANGERS);
        for (const holder of holders) {
          expect(countOf(false, holder)).toBeLessThanOrEqual(MAX_OF_NETWORK);
          expect(countOf(true, holder)).toBeLessThanOrEqual(MAX_OF_USER);
        }
      }),
    );
  });

  it('of one address leave those of another', () => {
    const minute = filled(requestsOf(200, false, () => 'flood'));
    expect(minute.requests).toHaveLength(MAX_OF_NETWORK);
    expect(withRequest(minute, { isKnown: false, holder: 'other' }, now).kind).toBe('counted');
  });

  it('of the known browsers of one user name leave those of another user name, and of strangers', () => {
    const minute = filled(requestsOf(200, true, () => 'mallory@example.com'));
    expect(minute.requests).toHaveLength(MAX_OF_USER);
    expect(withRequest(minute, { isKnown: true, holder: 'ada@example.com' }, now).kind).toBe('counted');
    expect(withRequest(minute, { isKnown: false, holder: '192.0.2.7' }, now).kind).toBe('counted');
  });

  it('of strangers leave a part to browsers that are known', () => {
    const minute = filled(requestsOf(200, false, (index) => `address-${index}`));
    expect(withRequest(minute, { isKnown: false, holder: 'new' }, now)).toEqual({
      kind: 'too-soon',
      retryAfterSeconds: 40,
      periodSeconds: 60,
    });
    expect(withRequest(minute, { isKnown: true, holder: 'ada@example.com' }, now).kind).toBe('counted');
  });
});
