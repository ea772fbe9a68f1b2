import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  type CodeRequest,
  MAX_OF_ADDRESS,
  MAX_OF_STRANGERS,
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
const strangers = (count: number, addressOf = (index: number) => `address-${index}`): CodeRequest[] =>
  Array.from({ length: count }, (_, index) => ({ address: addressOf(index), isKnown: false }));

describe('the requests for codes in a minute (K20)', () => {
  it('begin with the minute of the clock', () => {
    expect(minuteAt(now)).toEqual(startsAt);
  });

  it('are never more than the total, the part of strangers and the share of an address allow', () => {
    const request = fc.record({ address: fc.constantFrom('a', 'b', 'c', 'd', 'e'), isKnown: fc.boolean() });
    fc.assert(
      fc.property(fc.array(request, { maxLength: 150 }), (sent) => {
        const { requests } = filled(sent);
        const ofStrangers = requests.filter(({ isKnown }) => !isKnown);
        expect(requests.length).toBeLessThanOrEqual(MAX_REQUESTS);
        expect(ofStrangers.length).toBeLessThanOrEqual(MAX_OF_STRANGERS);
        for (const address of ['a', 'b', 'c', 'd', 'e'])
          expect(ofStrangers.filter((each) => each.address === address).length).toBeLessThanOrEqual(MAX_OF_ADDRESS);
      }),
    );
  });

  it('of one address leave those of another', () => {
    const minute = filled(strangers(200, () => 'flood'));
    expect(minute.requests).toHaveLength(MAX_OF_ADDRESS);
    expect(withRequest(minute, { address: 'other', isKnown: false }, now).kind).toBe('counted');
  });

  it('of strangers leave a part to browsers that are known, of whatever address', () => {
    const minute = filled(strangers(200));
    expect(withRequest(minute, { address: 'new', isKnown: false }, now)).toEqual({
      kind: 'too-soon',
      retryAfterSeconds: 40,
      periodSeconds: 60,
    });
    expect(withRequest(minute, { address: 'address-1', isKnown: true }, now).kind).toBe('counted');
  });
});
