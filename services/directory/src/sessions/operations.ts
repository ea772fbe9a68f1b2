import { type Clock, InvalidError, NotFoundError, ThrottledError, UnauthenticatedError } from '@tocsin/core';
import { firstVersion, type SignInNotice } from '@tocsin/events';
import {
  type CodeHasher,
  type CodeSealer,
  hashSessionToken,
  isSessionToken,
  networkHolder,
  NOT_AUTHENTICATED,
} from '@tocsin/http';
import type { TooSoon } from '../contacts/verification-code.ts';
import type { User } from '../users/user.ts';
import type { KnownBrowsers } from './known-browser.ts';
import { browserOf, hasEnded, surplus, type UserSession } from './session.ts';
import { noSignIn, type Redemption, withCode, withGuess, withOperatorCode, withoutOperatorCode } from './sign-in.ts';
import { minuteAt, withRequest } from './sign-in-limit.ts';
import type { SessionStore, SessionUse, SignInChange } from './store.ts';

export interface SignInDependencies {
  readonly sessions: SessionStore;
  readonly clock: Clock;
  readonly newId: () => string;
  /** Eight random digits. */
  readonly newSignInCode: () => string;
  /** 256 random bits. */
  readonly newToken: () => string;
  readonly codeHasher: CodeHasher;
  readonly codeSealer: Pick<CodeSealer, 'seal'>;
  readonly knownBrowsers: KnownBrowsers;
  readonly log: { info(fields: Readonly<Record<string, unknown>>, message: string): void };
}

/** A code that was asked for, and the token of the browser that can redeem it. */
export interface AskedCode {
  readonly flow: string;
  readonly expiresAt: Date;
}

/** The request of a browser for a code. */
export interface SignInRequest {
  readonly username: string;
  readonly address: string;
  /** The cookie of a known browser, where it has one. */
  readonly browser: string | undefined;
  readonly userAgent: string | undefined;
}

/** The request of a browser to sign in. */
export interface RedemptionRequest {
  /** The eight digits of a mail, or the code of an operator. */
  readonly code: string;
  /** The token of the browser, where it has one. */
  readonly flow: string | undefined;
  /** The cookie of a known browser, where it has one. */
  readonly browser: string | undefined;
  readonly address: string;
  readonly userAgent: string | undefined;
}

/** A new session, with the token that only its browser has. */
export interface BegunSession {
  readonly session: UserSession;
  readonly token: string;
  /** The cookie by which the browser is known from now on. */
  readonly browser: string;
}

type Refused = Exclude<Redemption, { readonly kind: 'right' }>;

/** Signs people in by codes (K20, K23). */
export class SignIns {
  readonly #ports: SignInDependencies;

  constructor(ports: SignInDependencies) {
    this.#ports = ports;
  }

  /**
   * Sends a code to the user of that name, where there is one who is not blocked. Without such a user the answer, the reads and the
   * writes are the same. Codes of other browsers stay.
   *
   * @throws ThrottledError when too many codes were requested lately, with this user name or by all, whether or not there is such a
   *   user.
   */
  async ask({ address, browser, userAgent, username }: SignInRequest): Promise<AskedCode> {
    const { clock, codeHasher, codeSealer, newId, newSignInCode, newToken, sessions } = this.#ports;
    const [flow, code, noticeId] = [newToken(), newSignInCode(), newId()];
    const flowHash = hashSessionToken(flow);
    const sealed = codeSealer.seal(noticeId, code);
    const hash = codeHasher.hash(flowHash, code);
    const now = clock.now();
    const key = { username, minute: minuteAt(now) };
    return sessions.changeSignIn(key, ({ minute, signIn = noSignIn(username), user }) => {
      const asked = withCode(signIn, { flowHash, hash, browserId: this.#knownIdOf(user, browser, now) }, now);
      if (asked.kind === 'too-soon') throw tooSoon(asked, 'USER');
      const { expiresAt, isKnown } = asked;
      const request = { isKnown, holder: isKnown ? username : networkHolder(address) };
      const counted = withRequest(minute ?? { startsAt: key.minute, requests: [] }, request, now);
      if (counted.kind === 'too-soon') throw tooSoon(counted, isKnown ? 'USER' : 'ADDRESS');
      const isSent = mayBegin(user);
      const sent = { noticeId, code: sealed, browser: browserOf(userAgent), address, now, expiresAt };
      const command = noticeFor(isSent ? user : { id: noticeId, username }, sent);
      const notice = { command, isSent };
      return { signIn: asked.signIn, minute: counted.minute, notice, answer: { flow, expiresAt } };
    });
  }

  /**
   * Makes a code of 256 bits for a user, which any browser can redeem once, within ten minutes (K23).
   *
   * @throws NotFoundError where there is no such user, or they are blocked.
   */
  async codeForOperator(username: string): Promise<{ readonly code: string; readonly expiresAt: Date }> {
    const { clock, log, newToken, sessions } = this.#ports;
    const code = newToken();
    const made = await sessions.changeSignIn({ username }, ({ signIn = noSignIn(username), user }) => {
      if (user === undefined) throw new NotFoundError(`There is no user with username [${username}].`);
      if (user.blocked) throw new NotFoundError(`The user [${username}] is blocked, and cannot sign in.`);
      const next = withOperatorCode(signIn, hashSessionToken(code), clock.now());
      return { signIn: next, answer: { userId: user.id, expiresAt: next.operatorCode.expiresAt } };
    });
    log.info({ userId: made.userId }, 'An operator made a code to sign in.');
    return { code, expiresAt: made.expiresAt };
  }

  /**
   * Begins a session by a code. Every wrong guess counts, also of many at once. Of several redemptions of one code, one begins a session.
   *
   * @throws InvalidError when the guess is wrong, or no code can be used in this browser.
   */
  async redeem({ address, browser, code, flow, userAgent }: RedemptionRequest): Promise<BegunSession> {
    const { clock, codeHasher, newId, newToken, sessions } = this.#ports;
    const [token, id] = [newToken(), newId()];
    const isOfOperator = isSessionToken(code);
    if (!isOfOperator && (flow === undefined || !isSessionToken(flow))) throw refusal({ kind: 'none-sent' });
    const flowHash = hashSessionToken(flow ?? '');
    const outcome = await sessions.changeSignIn(
      isOfOperator ? { operatorCodeHash: hashSessionToken(code) } : { flowHash },
      ({ signIn, user }): SignInChange<UserSession | Refused> => {
        if (signIn === undefined) return { answer: { kind: 'none-sent' } };
        const now = clock.now();
        const fits = ({ hash }: { hash: string }) => codeHasher.fits(flowHash, code, hash) && mayBegin(user);
        const redemption = isOfOperator ? withoutOperatorCode(signIn, now) : withGuess(signIn, flowHash, fits, now);
        if (redemption.kind === 'wrong') return { signIn: redemption.signIn, answer: redemption };
        if (redemption.kind !== 'right') return { answer: redemption };
        if (!mayBegin(user)) return { signIn: redemption.signIn, answer: { kind: 'none-sent' } };
        const begun = newSession({ id, token, user, now, address, userAgent });
        return { signIn: redemption.signIn, begun, answer: begun };
      },
      surplus,
    );
    if ('kind' in outcome) throw refusal(outcome);
    return { session: outcome, token, browser: this.#cookieOf(outcome, browser) };
  }

  /** The id of a browser that is known for a user who may sign in. The same work is done for a user name that is of none. */
  #knownIdOf(user: User | undefined, browser: string | undefined, now: Date): string | undefined {
    const browserId = this.#ports.knownBrowsers.idOf(user?.id ?? '', browser, now);
    return mayBegin(user) ? browserId : undefined;
  }

  /** A browser that is known keeps its id, and so its quota. */
  #cookieOf({ createdAt: now, userId }: UserSession, browser: string | undefined): string {
    const { knownBrowsers, newToken } = this.#ports;
    return knownBrowsers.cookieOf(userId, knownBrowsers.idOf(userId, browser, now) ?? newToken(), now);
  }

  /** Begins a session of the user of that name, whom the caller has authenticated. Undefined where there is none, or they are blocked. */
  async begin(
    username: string,
    { address, browser, userAgent }: Pick<RedemptionRequest, 'address' | 'browser' | 'userAgent'>,
  ): Promise<BegunSession | undefined> {
    const { clock, newId, newToken, sessions } = this.#ports;
    const [token, id] = [newToken(), newId()];
    const session = await sessions.changeSignIn(
      { username },
      ({ signIn = noSignIn(username), user }): SignInChange<UserSession | undefined> => {
        if (!mayBegin(user)) return { answer: undefined };
        const begun = newSession({ id, token, user, now: clock.now(), address, userAgent });
        return { signIn: { ...signIn, lastSessionId: id }, begun, answer: begun };
      },
      surplus,
    );
    return session && { session, token, browser: this.#cookieOf(session, browser) };
  }
}

interface NewSession extends Pick<RedemptionRequest, 'address' | 'userAgent'> {
  readonly id: string;
  readonly token: string;
  readonly user: User;
  readonly now: Date;
}

function newSession({ address, id, now, token, user, userAgent }: NewSession): UserSession {
  return {
    id,
    userId: user.id,
    tokenHash: hashSessionToken(token),
    createdAt: now,
    lastUsedAt: now,
    address,
    browser: browserOf(userAgent),
    version: firstVersion(now),
  };
}

const mayBegin = (user: User | undefined): user is User => user !== undefined && !user.blocked;

function noticeFor(
  { id: userId, username }: Pick<User, 'id' | 'username'>,
  {
    expiresAt,
    now,
    ...sent
  }: Pick<SignInNotice, 'noticeId' | 'code' | 'browser' | 'address'> & { now: Date; expiresAt: Date },
): SignInNotice {
  return {
    kind: 'sign-in',
    ...sent,
    userId,
    username,
    at: now.toISOString(),
    to: username,
    expiresAt: expiresAt.toISOString(),
  };
}

function refusal(refused: Refused): InvalidError {
  return InvalidError.ofFields({ code: faultOf(refused) });
}

function faultOf(refused: Refused): string {
  switch (refused.kind) {
    case 'wrong':
      return `is not the code that was sent; tries left: ${refused.triesLeft}`;
    case 'none-sent':
      return 'cannot be used: it was used, or asked for in another browser or before the last one; ask for a new one';
    case 'expired':
      return 'has expired; ask for a new one';
    case 'used-up':
      return 'was guessed at too often; ask for a new one';
  }
}

const tooSoon = ({ periodSeconds, retryAfterSeconds }: TooSoon, reason: 'USER' | 'ADDRESS') =>
  new ThrottledError(`Too many codes were asked for lately. Ask again in ${retryAfterSeconds} s.`, {
    reason,
    periodSeconds,
    retryAfterSeconds,
  });

/** A person with the session of their request. */
export interface SignedIn {
  readonly session: UserSession;
  readonly user: User;
  readonly teams: Awaited<ReturnType<SessionStore['teamsOf']>>;
}

/** Reads and ends the sessions of people (K21). */
export class UserSessions {
  readonly #sessions: SessionStore;
  readonly #clock: Clock;

  constructor({ clock, sessions }: Pick<SignInDependencies, 'clock' | 'sessions'>) {
    this.#sessions = sessions;
    this.#clock = clock;
  }

  /**
   * The session of a token.
   *
   * @throws UnauthenticatedError where there is none, or it has ended.
   */
  async current(token: string | undefined): Promise<UserSession> {
    const found =
      token !== undefined && isSessionToken(token)
        ? await this.#sessions.findByTokenHash(hashSessionToken(token))
        : undefined;
    if (found === undefined || hasEnded(found, this.#clock.now())) throw new UnauthenticatedError(NOT_AUTHENTICATED);
    return found;
  }

  /** @throws UnauthenticatedError as {@link current}, and where the user is gone or blocked. */
  async signedIn(token: string | undefined): Promise<SignedIn> {
    const session = await this.current(token);
    const [user, teams] = await Promise.all([
      this.#sessions.findUser(session.userId),
      this.#sessions.teamsOf(session.userId),
    ]);
    if (!mayBegin(user)) throw new UnauthenticatedError(NOT_AUTHENTICATED);
    return { session, user, teams };
  }

  /** The sessions of the user of `session` that have not ended, by creation. */
  async list({ userId }: UserSession): Promise<readonly UserSession[]> {
    const now = this.#clock.now();
    return (await this.#sessions.ofUser(userId)).filter((each) => !hasEnded(each, now));
  }

  /**
   * Ends a session of the user of `session`.
   *
   * @throws NotFoundError where they have no such session.
   */
  async end({ userId }: UserSession, id: string): Promise<void> {
    if (!(await this.#sessions.end(userId, id))) throw new NotFoundError(`Session does not exist with id: ${id}`);
  }

  noteUses(uses: readonly SessionUse[]): Promise<void> {
    return this.#sessions.noteUses(uses, this.#clock.now());
  }
}
