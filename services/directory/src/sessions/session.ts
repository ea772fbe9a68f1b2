import { nextVersion, type SessionState, type StateMessage, type Version } from '@tocsin/events';

/** How long a session lasts without a request, in milliseconds (K21). */
export const IDLE_LIMIT_MS = 7 * 86_400_000;
/** The longest life of a session, in milliseconds. */
export const AGE_LIMIT_MS = 30 * 86_400_000;
/** The most sessions of one person: a further sign-in ends the one that was not used for the longest time. */
export const MAX_SESSIONS = 20;

/** A person who is signed in with one browser (K21). */
export interface UserSession {
  readonly id: string;
  readonly userId: string;
  /** SHA-256 of the token that the browser has, lower-case hex. */
  readonly tokenHash: string;
  readonly createdAt: Date;
  /** The gateway reports a use when it is ten minutes after this, so it may be that much too early. */
  readonly lastUsedAt: Date;
  /** From which the person signed in. */
  readonly address: string;
  /** With which the person signed in, for people to read. */
  readonly browser: string;
  readonly version: Version;
}

/** The first instant at which a session has ended. */
export function sessionEnd({ createdAt, lastUsedAt }: Pick<UserSession, 'createdAt' | 'lastUsedAt'>): Date {
  return new Date(Math.min(createdAt.getTime() + AGE_LIMIT_MS, lastUsedAt.getTime() + IDLE_LIMIT_MS));
}

export const hasEnded = (session: UserSession, now: Date): boolean => sessionEnd(session).getTime() <= now.getTime();

/** The session after a use at `usedAt`; the very same where it has ended, or was used later. */
export function withUse(session: UserSession, usedAt: Date, now: Date): UserSession {
  const lastUsedAt = new Date(Math.min(usedAt.getTime(), now.getTime()));
  if (hasEnded(session, now) || lastUsedAt.getTime() <= session.lastUsedAt.getTime()) return session;
  return { ...session, lastUsedAt, version: nextVersion(session.version) };
}

/** The sessions of a person that end at a further sign-in: the least recently used ones over the limit. */
export function surplus(sessions: readonly UserSession[]): readonly UserSession[] {
  const byUse = sessions.toSorted((a, b) => b.lastUsedAt.getTime() - a.lastUsedAt.getTime());
  return byUse.slice(MAX_SESSIONS - 1);
}

/** The state of a session on `sessions.v1`. */
export function sessionMessage(session: UserSession): StateMessage<SessionState> {
  const { id, userId, tokenHash, lastUsedAt, version } = session;
  return {
    id,
    version,
    deleted: false,
    state: {
      id,
      userId,
      tokenHash,
      lastUsedAt: lastUsedAt.toISOString(),
      expiresAt: sessionEnd(session).toISOString(),
    },
  };
}

/** The first that matches counts: each of them also names those below it. */
const BROWSERS: readonly (readonly [RegExp, string])[] = [
  [/\bEdgA?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:Chrome|CriOS)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
];
const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/\b(?:iPhone|iPad)\b/, 'iOS'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
];

/** How much of a header `User-Agent` is read. */
const MAX_USER_AGENT_LENGTH = 512;

/** The browser of a header `User-Agent` for people to read, such as `Firefox on Linux`: no text of the header, but one of a few names. */
export function browserOf(userAgent = ''): string {
  const head = userAgent.slice(0, MAX_USER_AGENT_LENGTH);
  const nameIn = (known: readonly (readonly [RegExp, string])[]) => known.find(([pattern]) => pattern.test(head))?.[1];
  const [browser = 'Unknown browser', system] = [nameIn(BROWSERS), nameIn(SYSTEMS)];
  return system === undefined ? browser : `${browser} on ${system}`;
}
