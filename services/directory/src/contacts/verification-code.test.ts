import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  checkGuess,
  CODE_LIFETIME_MS,
  type CodeSending,
  MAX_CODES_AN_HOUR,
  MAX_CODES_OF_USER,
  MAX_TRIES,
  SENDING_PAUSE_MS,
  type SentCode,
  withSending,
} from './verification-code.ts';

const HOUR_MS = 3_600_000;
const start = new Date('2026-01-01T00:00:00Z');
const after = (ms: number) => new Date(start.getTime() + ms);

/** The messages that are sent when codes are requested at these instants, in order. */
function codesOf(asked: readonly { readonly address: string; readonly ms: number }[]): readonly CodeSending[] {
  return asked.reduce<readonly CodeSending[]>((out, { address, ms }) => {
    const sending = withSending(out, address, after(ms));
    return sending.kind === 'allowed' ? [...out, { address, at: after(ms) }] : out;
  }, []);
}

describe('the rate limit of codes', () => {
  it('lets one code for an address out in a minute, the next exactly at its end', () => {
    const sent = [{ address: 'sms:1-1', at: start }];
    const soon = withSending(sent, 'sms:1-1', after(SENDING_PAUSE_MS - 1));
    expect(soon).toEqual({ kind: 'too-soon', retryAfterSeconds: 1, periodSeconds: 60 });
    expect(withSending(sent, 'sms:1-1', start)).toMatchObject({ kind: 'too-soon', retryAfterSeconds: 60 });
    expect(withSending(sent, 'sms:1-1', after(SENDING_PAUSE_MS)).kind).toBe('allowed');
    expect(withSending(sent, 'sms:1-2', start).kind).toBe('allowed');
  });

  it('lets five codes for an address out in an hour, the next when the first is an hour old', () => {
    const sent = codesOf(Array.from({ length: 9 }, (_, n) => ({ address: 'sms:1-1', ms: n * SENDING_PAUSE_MS })));
    expect(sent).toHaveLength(MAX_CODES_AN_HOUR);
    expect(withSending(sent, 'sms:1-1', after(10 * SENDING_PAUSE_MS))).toEqual({
      kind: 'too-soon',
      retryAfterSeconds: 3_000,
      periodSeconds: 3_600,
    });
    expect(withSending(sent, 'sms:1-1', after(HOUR_MS - 1)).kind).toBe('too-soon');
    expect(withSending(sent, 'sms:1-1', after(HOUR_MS)).kind).toBe('allowed');
  });

  it('lets twenty codes of one user out in an hour, whatever the addresses', () => {
    const asked = Array.from({ length: 30 }, (_, n) => ({ address: `sms:1-${n}`, ms: n }));
    expect(codesOf(asked)).toHaveLength(MAX_CODES_OF_USER);
  });

  it('remembers no more than it needs', () => {
    const old = Array.from({ length: 20 }, (_, n) => ({ address: `sms:1-${n}`, at: start }));
    const sending = withSending(old, 'sms:1-1', after(HOUR_MS));
    expect(sending).toEqual({ kind: 'allowed', codesSent: [{ address: 'sms:1-1', at: after(HOUR_MS) }] });
  });

  it('is valid for every hour, and a refused code is allowed at the given time', () => {
    const asked = fc.array(
      fc.record({ address: fc.constantFrom('sms:1-1', 'voice:1-1', 'sms:1-2'), waitMs: fc.nat(900_000) }),
      { maxLength: 60 },
    );
    fc.assert(
      fc.property(asked, (waits) => {
        let sent: readonly CodeSending[] = [];
        const all: CodeSending[] = [];
        const again: string[] = [];
        let ms = 0;
        for (const { address, waitMs } of waits) {
          ms += waitMs;
          const sending = withSending(sent, address, after(ms));
          if (sending.kind === 'too-soon') {
            again.push(withSending(sent, address, after(ms + sending.retryAfterSeconds * 1_000)).kind);
          } else {
            sent = sending.codesSent;
            all.push({ address, at: after(ms) });
          }
        }
        expect(again).toEqual(again.map(() => 'allowed'));
        for (const { at } of all) {
          const hour = all.filter((other) => other.at >= at && other.at.getTime() < at.getTime() + HOUR_MS);
          expect(hour.length).toBeLessThanOrEqual(MAX_CODES_OF_USER);
          for (const address of new Set(hour.map((one) => one.address)))
            expect(hour.filter((one) => one.address === address).length).toBeLessThanOrEqual(MAX_CODES_AN_HOUR);
        }
      }),
      { numRuns: 200 },
    );
  });
});

describe('a guess', () => {
  const code: SentCode = { salt: 's', hash: 'h', expiresAt: after(CODE_LIFETIME_MS), triesLeft: MAX_TRIES };
  const yes = () => true;
  const no = () => false;
  const never = () => {
    throw new Error('asked');
  };

  it('is right until the instant at which the code expires', () => {
    expect(checkGuess({ code }, yes, after(CODE_LIFETIME_MS - 1))).toEqual({ kind: 'right' });
    expect(checkGuess({ code }, never, after(CODE_LIFETIME_MS))).toEqual({ kind: 'expired' });
  });

  it('costs a try when it is wrong, and the sixth is not judged any more', () => {
    let left = code;
    for (let n = 1; n <= MAX_TRIES; n += 1) {
      const guess = checkGuess({ code: left }, no, start);
      if (guess.kind !== 'wrong') throw new Error(guess.kind);
      expect(guess.code).toEqual({ ...code, triesLeft: MAX_TRIES - n });
      left = guess.code;
    }
    expect(checkGuess({ code: left }, never, start)).toEqual({ kind: 'used-up' });
  });

  it('is nothing where no code was sent', () => {
    expect(checkGuess({}, never, start)).toEqual({ kind: 'none-sent' });
  });
});
