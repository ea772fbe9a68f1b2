import { checkGuess, CODE_LIFETIME_MS, type Guess, MAX_TRIES, type TooSoon } from '../contacts/verification-code.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** The most codes in a period that ends now, for each quota of a user name (K20). */
const CODE_LIMITS = [
  { count: 5, periodMs: HOUR_MS },
  { count: 20, periodMs: DAY_MS },
] as const;
/** The most browsers that have a quota of their own. Further ones share that of strangers: no quota is forgotten while it counts. */
export const MAX_BROWSERS = 20;

/** Eight digits: one guess in a hundred million is right. */
export const CODE_DIGITS = 8;

/** A code that was sent, without the code. */
export interface SignInCode {
  /** SHA-256 of the token of the browser that asked for it, lower-case hex. */
  readonly flowHash: string;
  /** Keyed hash of the code and the flow, lower-case hex. */
  readonly hash: string;
  /** The first instant at which it is not valid. */
  readonly expiresAt: Date;
  readonly triesLeft: number;
}

/** A code of 256 bits that an operator asked for. Any browser can redeem it (K23). */
export interface OperatorCode {
  /** SHA-256, lower-case hex. */
  readonly hash: string;
  readonly expiresAt: Date;
}

/** When a browser in which a session of the user name has begun asked for codes in the last day. */
interface BrowserRequests {
  readonly id: string;
  /** Oldest first. */
  readonly askedAt: readonly Date[];
}

/** The attempts to sign in with one user name, whether or not there is such a user (K20). */
export interface SignIn {
  readonly username: string;
  /** When all other browsers asked for codes in the last day, oldest first. */
  readonly askedAt: readonly Date[];
  /** At most {@link MAX_BROWSERS}; the one whose last request is the oldest first. */
  readonly browsers: readonly BrowserRequests[];
  /** The codes that were not redeemed, oldest first. A request ends none but those that have expired. */
  readonly codes: readonly SignInCode[];
  readonly operatorCode?: OperatorCode;
  /**
   * The last session that began without a code. A redemption removes its code, so each beginning of a session changes the sign-in:
   * concurrent ones conflict, and each sees the sessions of the others.
   */
  readonly lastSessionId?: string;
}

export const noSignIn = (username: string): SignIn => ({ username, askedAt: [], browsers: [], codes: [] });

/** The instant from which it has no effect. */
export function removableAt({ askedAt, browsers, operatorCode }: SignIn): Date {
  const asked = [...askedAt, ...browsers.flatMap((browser) => browser.askedAt)];
  const ends = asked.map((at) => at.getTime() + DAY_MS);
  return new Date(Math.max(0, ...ends, operatorCode?.expiresAt.getTime() ?? 0));
}

/** A code that is asked for, and the id of its browser where a session of the user name has begun in that. */
export interface NewSignInCode extends Pick<SignInCode, 'flowHash' | 'hash'> {
  readonly browserId?: string | undefined;
}

export type CodeResult =
  | {
      readonly kind: 'asked';
      readonly signIn: SignIn;
      readonly expiresAt: Date;
      /** Whether it counts against a quota of its own browser. */
      readonly isKnown: boolean;
    }
  | ({ readonly kind: 'too-soon' } & TooSoon);

/**
 * The sign-in with one more code, or when to ask again. Up to 20 browsers in which a session of the user has begun have a quota each, and
 * all others share one, so strangers use nothing of it. A period ends exactly its length after it began.
 */
export function withCode(signIn: SignIn, { browserId, flowHash, hash }: NewSignInCode, now: Date): CodeResult {
  const present = signIn.browsers.filter((browser) => recent(browser.askedAt, now).length > 0);
  const own = present.find(({ id }) => id === browserId);
  const isKnown = browserId !== undefined && (own !== undefined || present.length < MAX_BROWSERS);
  const askedAt = recent(isKnown ? (own?.askedAt ?? []) : signIn.askedAt, now);
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
  const codes = signIn.codes.filter((code) => code.expiresAt.getTime() > now.getTime());
  const next = { ...signIn, browsers: present, codes: [...codes, { flowHash, hash, expiresAt, triesLeft: MAX_TRIES }] };
  const counted = [...askedAt, now];
  if (!isKnown) return { kind: 'asked', signIn: { ...next, askedAt: counted }, expiresAt, isKnown };
  const browsers = [...present.filter((browser) => browser !== own), { id: browserId, askedAt: counted }];
  return { kind: 'asked', signIn: { ...next, browsers }, expiresAt, isKnown };
}

const recent = (askedAt: readonly Date[], now: Date): readonly Date[] =>
  askedAt.filter((at) => at.getTime() + DAY_MS > now.getTime());

/** The sign-in with a new code of an operator in the place of any older one. It counts against no limit. */
export function withOperatorCode(
  signIn: SignIn,
  hash: string,
  now: Date,
): SignIn & { readonly operatorCode: OperatorCode } {
  return { ...signIn, operatorCode: { hash, expiresAt: new Date(now.getTime() + CODE_LIFETIME_MS) } };
}

/** The sign-in after one guess. */
export type Redemption =
  | { readonly kind: 'right'; readonly signIn: SignIn }
  | { readonly kind: 'wrong'; readonly signIn: SignIn; readonly triesLeft: number }
  | Exclude<Guess, { readonly kind: 'right' | 'wrong' }>;

/**
 * Checks a guess at the code of one flow. A right one cannot be used again. `fits` says whether it is the code of a user who may sign in, and
 * is called only while the code can be used.
 */
export function withGuess(
  signIn: SignIn,
  flowHash: string,
  fits: (code: SignInCode) => boolean,
  now: Date,
): Redemption {
  const code = signIn.codes.find((each) => each.flowHash === flowHash);
  if (code === undefined) return { kind: 'none-sent' };
  const guess = checkGuess({ code }, fits, now);
  const others = signIn.codes.filter((each) => each !== code);
  switch (guess.kind) {
    case 'right':
      return { kind: 'right', signIn: { ...signIn, codes: others } };
    case 'wrong': {
      const codes = signIn.codes.map((each) => (each === code ? guess.code : each));
      return { kind: 'wrong', signIn: { ...signIn, codes }, triesLeft: guess.code.triesLeft };
    }
    case 'none-sent':
    case 'expired':
    case 'used-up':
      return guess;
  }
}

/** Redeems the code of an operator, which was found by its hash. */
export function withoutOperatorCode({ operatorCode, ...rest }: SignIn, now: Date): Redemption {
  if (operatorCode === undefined) return { kind: 'none-sent' };
  return operatorCode.expiresAt.getTime() <= now.getTime() ? { kind: 'expired' } : { kind: 'right', signIn: rest };
}
