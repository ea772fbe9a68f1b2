/** How long a code can be used, in milliseconds (U3). */
export const CODE_LIFETIME_MS = 600_000;
/** How many guesses one code allows. */
export const MAX_TRIES = 5;
/** The least time between two codes for one address, in milliseconds. */
export const SENDING_PAUSE_MS = 60_000;
/** The most codes for one address in any hour. */
export const MAX_CODES_AN_HOUR = 5;
/** The most codes for all addresses of one user in any hour: a user's contacts may be deleted and added again. */
export const MAX_CODES_OF_USER = 20;

const HOUR_MS = 3_600_000;

/** A code that was sent, without the code. */
export interface SentCode {
  /** Makes equal codes have different hashes. */
  readonly salt: string;
  /** Lower-case hex. */
  readonly hash: string;
  /** The first instant at which it is not valid. */
  readonly expiresAt: Date;
  readonly triesLeft: number;
}

/** The state of a contact that is not verified: the latest code that was sent to it. */
export interface Verification {
  readonly code?: SentCode;
}

/** A code that was sent, as the rate limit counts it. */
export interface CodeSending {
  /** The method and the address. */
  readonly address: string;
  readonly at: Date;
}

/** Whether another code may go out: if so, what went out in the last hour, it included; if not, when to ask again. */
export type Sending =
  { readonly kind: 'allowed'; readonly codesSent: readonly CodeSending[] } | ({ readonly kind: 'too-soon' } & TooSoon);

/** When to ask again, and the period of the limit that is used up. */
export interface TooSoon {
  readonly retryAfterSeconds: number;
  readonly periodSeconds: number;
}

/** Counts a code for `address` at `now` among what went out before; an hour ends exactly 60 minutes after it began. */
export function withSending(codesSent: readonly CodeSending[], address: string, now: Date): Sending {
  const recent = codesSent.filter(({ at }) => at.getTime() + HOUR_MS > now.getTime());
  const own = recent.filter((sending) => sending.address === address);
  const pauseEndsAt = endOf(own.at(-1), SENDING_PAUSE_MS);
  const hourEndsAt = Math.max(
    endOf(own.at(-MAX_CODES_AN_HOUR), HOUR_MS),
    endOf(recent.at(-MAX_CODES_OF_USER), HOUR_MS),
  );
  const waitMs = Math.max(pauseEndsAt, hourEndsAt) - now.getTime();
  if (waitMs > 0) {
    const periodMs = hourEndsAt > pauseEndsAt ? HOUR_MS : SENDING_PAUSE_MS;
    return { kind: 'too-soon', retryAfterSeconds: Math.ceil(waitMs / 1_000), periodSeconds: periodMs / 1_000 };
  }
  return { kind: 'allowed', codesSent: [...recent, { address, at: now }] };
}

const endOf = (sending: CodeSending | undefined, lengthMs: number): number =>
  sending === undefined ? 0 : sending.at.getTime() + lengthMs;

/** A code that may be guessed at. */
type GuessedCode = Pick<SentCode, 'expiresAt' | 'triesLeft'>;

/** The result of a guess. A wrong one leaves the code with a try less. */
export type Guess<Code extends GuessedCode = SentCode> =
  | { readonly kind: 'right' }
  | { readonly kind: 'wrong'; readonly code: Code }
  | { readonly kind: 'none-sent' | 'expired' | 'used-up' };

/** Checks one guess. `fits`, which says whether it is the code, is called only while the code can be used. */
export function checkGuess<Code extends GuessedCode>(
  { code }: { readonly code?: Code },
  fits: (code: Code) => boolean,
  now: Date,
): Guess<Code> {
  if (code === undefined) return { kind: 'none-sent' };
  if (code.triesLeft === 0) return { kind: 'used-up' };
  if (code.expiresAt.getTime() <= now.getTime()) return { kind: 'expired' };
  return fits(code) ? { kind: 'right' } : { kind: 'wrong', code: { ...code, triesLeft: code.triesLeft - 1 } };
}
