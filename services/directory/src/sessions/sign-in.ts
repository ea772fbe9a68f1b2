import { checkGuess, CODE_LIFETIME_MS, type Guess, MAX_TRIES, type TooSoon } from '../contacts/verification-code.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** The most codes for one user name in a period that ends now (K20). */
const CODE_LIMITS = [
  { count: 5, periodMs: HOUR_MS },
  { count: 20, periodMs: DAY_MS },
] as const;

/** A code that was sent, without the code. */
export interface SignInCode {
  /** SHA-256 of the token of the browser that asked for it, lower-case hex. */
  readonly flowHash: string;
  /** Keyed hash of the code and the flow, lower-case hex. */
  readonly hash: string;
  /** The first instant at which it is of no use. */
  readonly expiresAt: Date;
  readonly triesLeft: number;
}

/** A code of 256 bits that an operator asked for. Any browser can redeem it (K23). */
export interface OperatorCode {
  /** SHA-256, lower-case hex. */
  readonly hash: string;
  readonly expiresAt: Date;
}

/** What is known of the attempts to sign in with one user name, whether or not there is such a user (K20). */
export interface SignIn {
  readonly username: string;
  /** When codes were asked for in the last day, oldest first. */
  readonly askedAt: readonly Date[];
  /** The latest code; absent once it was redeemed. */
  readonly code?: SignInCode;
  readonly operatorCode?: OperatorCode;
}

export const noSignIn = (username: string): SignIn => ({ username, askedAt: [] });

/** From which instant on nothing of it matters any more. */
export function removableAt({ askedAt, operatorCode }: SignIn): Date {
  const asked = (askedAt.at(-1)?.getTime() ?? 0) + DAY_MS;
  return new Date(Math.max(asked, operatorCode?.expiresAt.getTime() ?? 0));
}

export type Asked =
  | { readonly kind: 'asked'; readonly signIn: SignIn; readonly expiresAt: Date }
  | ({ readonly kind: 'too-soon' } & TooSoon);

/** The sign-in with a new code in the place of any older one, or when to ask again. A period ends exactly so long after it began. */
export function withCode(signIn: SignIn, code: Pick<SignInCode, 'flowHash' | 'hash'>, now: Date): Asked {
  const askedAt = signIn.askedAt.filter((at) => at.getTime() + DAY_MS > now.getTime());
  const waits = CODE_LIMITS.map(({ count, periodMs }) => {
    const freeAt = (askedAt.at(-count)?.getTime() ?? -Infinity) + periodMs;
    return { waitMs: freeAt - now.getTime(), periodSeconds: periodMs / 1_000 };
  });
  const longest = waits.reduce((one, other) => (other.waitMs > one.waitMs ? other : one));
  if (longest.waitMs > 0) {
    const { periodSeconds, waitMs } = longest;
    return { kind: 'too-soon', retryAfterSeconds: Math.ceil(waitMs / 1_000), periodSeconds };
  }
  const expiresAt = new Date(now.getTime() + CODE_LIFETIME_MS);
  return {
    kind: 'asked',
    signIn: { ...signIn, askedAt: [...askedAt, now], code: { ...code, expiresAt, triesLeft: MAX_TRIES } },
    expiresAt,
  };
}

/** The sign-in with a new code of an operator in the place of any older one. It counts against no limit. */
export function withOperatorCode(
  signIn: SignIn,
  hash: string,
  now: Date,
): SignIn & { readonly operatorCode: OperatorCode } {
  return { ...signIn, operatorCode: { hash, expiresAt: new Date(now.getTime() + CODE_LIFETIME_MS) } };
}

/** What one guess makes of a sign-in. */
export type Redemption =
  | { readonly kind: 'right'; readonly signIn: SignIn }
  | { readonly kind: 'wrong'; readonly signIn: SignIn; readonly triesLeft: number }
  | Exclude<Guess, { readonly kind: 'right' | 'wrong' }>;

/**
 * Checks a guess at the code of a mail. A right one cannot be used again. `fits` says whether it is the code of a user who may sign in, and is called only while the
 * code can be used.
 */
export function withGuess(signIn: SignIn, fits: (code: SignInCode) => boolean, now: Date): Redemption {
  const guess = checkGuess(signIn, fits, now);
  switch (guess.kind) {
    case 'right':
      return { kind: 'right', signIn: withoutCode(signIn) };
    case 'wrong':
      return { kind: 'wrong', signIn: { ...signIn, code: guess.code }, triesLeft: guess.code.triesLeft };
    case 'none-sent':
    case 'expired':
    case 'used-up':
      return guess;
  }
}

function withoutCode({ code: _, ...rest }: SignIn): SignIn {
  return rest;
}

/** Redeems the code of an operator, which was found by its hash. */
export function withoutOperatorCode({ operatorCode, ...rest }: SignIn, now: Date): Redemption {
  if (operatorCode === undefined) return { kind: 'none-sent' };
  return operatorCode.expiresAt.getTime() <= now.getTime() ? { kind: 'expired' } : { kind: 'right', signIn: rest };
}
