import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  MAX_BROWSERS,
  noSignIn,
  removableAt,
  type NewSignInCode,
  type SignIn,
  withCode,
  withGuess,
  withOperatorCode,
  withoutOperatorCode,
} from './sign-in.ts';

const start = new Date('2026-01-01T00:00:00Z');
const after = (milliseconds: number): Date => new Date(start.getTime() + milliseconds);
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const ada = noSignIn('ada@example.com');
const code = { flowHash: 'flow', hash: 'hash' };

function asked(signIn: SignIn, now: Date, wanted: NewSignInCode = code): SignIn {
  const result = withCode(signIn, wanted, now);
  if (result.kind !== 'asked') throw new Error('It was too soon.');
  return result.signIn;
}
const right = () => true;
const wrong = () => false;

describe('the codes for one user name (K20)', () => {
  it('are at most five in any hour and twenty in any day, whenever they are asked for', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 2 * HOUR }), { maxLength: 60 }), (pauses) => {
        let [now, signIn] = [0, ada];
        const sent: number[] = [];
        for (const pause of pauses) {
          now += pause;
          const result = withCode(signIn, code, after(now));
          const within = (periodMs: number) => sent.filter((at) => at + periodMs > now).length;
          expect(result.kind).toBe(within(HOUR) < 5 && within(24 * HOUR) < 20 ? 'asked' : 'too-soon');
          if (result.kind === 'too-soon') continue;
          signIn = result.signIn;
          sent.push(now);
        }
      }),
    );
  });

  it('are sent again once the time is over that a refusal names', () => {
    let signIn = ada;
    for (let count = 0; count < 5; count += 1) signIn = asked(signIn, after(count * MINUTE));
    expect(withCode(signIn, code, after(10 * MINUTE))).toEqual({
      kind: 'too-soon',
      retryAfterSeconds: 50 * 60,
      periodSeconds: 3_600,
    });
    expect(withCode(signIn, code, after(60 * MINUTE)).kind).toBe('asked');
  });

  it('end none of another browser, however many there are', () => {
    let signIn = asked(ada, start, { flowHash: 'first', hash: 'first' });
    for (let count = 1; count < 5; count += 1) signIn = asked(signIn, after(count), { flowHash: `${count}`, hash: '' });
    expect(withGuess(signIn, 'first', right, after(10 * MINUTE - 1)).kind).toBe('right');
  });

  it('leave a browser that is known a quota of its own, and those that are not known theirs', () => {
    let signIn = ada;
    for (let count = 0; count < 5; count += 1) signIn = asked(signIn, after(count));
    expect(withCode(signIn, code, after(5)).kind).toBe('too-soon');
    for (const browserId of ['laptop', 'phone'])
      for (let count = 0; count < 5; count += 1) signIn = asked(signIn, after(10 + count), { ...code, browserId });
    expect(withCode(signIn, { ...code, browserId: 'laptop' }, after(20)).kind).toBe('too-soon');
    expect(withCode(signIn, code, after(HOUR)).kind).toBe('asked');
  });

  it('are no more where a user has more browsers than quotas: further ones share the quota of strangers', () => {
    let [signIn, sent, shared] = [ada, 0, 0];
    for (let round = 0; round < 6; round += 1)
      for (let browser = 0; browser < 2 * MAX_BROWSERS; browser += 1) {
        const result = withCode(signIn, { ...code, browserId: `browser ${browser}` }, after(sent));
        if (result.kind !== 'asked') continue;
        ({ signIn } = result);
        sent += 1;
        if (!result.isKnown) shared += 1;
      }
    expect([sent, shared]).toEqual([5 * MAX_BROWSERS + 5, 5]);
    expect(withCode(signIn, { ...code, browserId: 'browser 0' }, after(HOUR)).kind).toBe('asked');
  });

  it('have quotas for a bounded number of browsers, however many ask', () => {
    const browser = fc.option(
      fc.integer({ min: 0, max: 2 * MAX_BROWSERS }).map((id) => `browser ${id}`),
      { nil: undefined },
    );
    fc.assert(
      fc.property(fc.array(fc.tuple(browser, fc.nat(HOUR)), { maxLength: 200 }), (requests) => {
        let [now, signIn] = [0, ada];
        for (const [browserId, pause] of requests) {
          now += pause;
          const result = withCode(signIn, { ...code, browserId }, after(now));
          if (result.kind === 'asked') ({ signIn } = result);
          expect(signIn.browsers.length).toBeLessThanOrEqual(MAX_BROWSERS);
        }
      }),
    );
  });
});

describe('a code (K20)', () => {
  it('signs in once', () => {
    const redeemed = withGuess(asked(ada, start), 'flow', right, after(10 * MINUTE - 1));
    expect(redeemed).toEqual({ kind: 'right', signIn: { ...ada, askedAt: [start] } });
    expect(withGuess('signIn' in redeemed ? redeemed.signIn : ada, 'flow', right, after(1))).toEqual({
      kind: 'none-sent',
    });
  });

  it('is not valid from ten minutes after it was asked for', () => {
    expect(withGuess(asked(ada, start), 'flow', right, after(10 * MINUTE))).toEqual({ kind: 'expired' });
  });

  it('is not valid after five wrong guesses, not even the right one', () => {
    let signIn = asked(ada, start);
    for (const triesLeft of [4, 3, 2, 1, 0]) {
      const guess = withGuess(signIn, 'flow', wrong, after(1));
      expect(guess).toMatchObject({ kind: 'wrong', triesLeft });
      if (guess.kind === 'wrong') ({ signIn } = guess);
    }
    expect(withGuess(signIn, 'flow', right, after(1))).toEqual({ kind: 'used-up' });
  });
});

describe('a code of an operator (K23)', () => {
  it('signs in once, within ten minutes, and does not change the code of a mail', () => {
    const made = withOperatorCode(asked(ada, start), 'long', start);
    expect(withoutOperatorCode(made, after(10 * MINUTE - 1))).toEqual({ kind: 'right', signIn: asked(ada, start) });
    expect(withoutOperatorCode(made, after(10 * MINUTE))).toEqual({ kind: 'expired' });
    expect(withoutOperatorCode(ada, start)).toEqual({ kind: 'none-sent' });
  });
});

describe('the stored state of a user name', () => {
  it('is removed a day after the last code, when no limit counts it any more', () => {
    expect(removableAt(asked(ada, start))).toEqual(after(24 * HOUR));
    expect(removableAt(withOperatorCode(ada, 'long', start))).toEqual(after(10 * MINUTE));
  });
});
