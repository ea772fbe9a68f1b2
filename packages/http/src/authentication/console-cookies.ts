import { ForbiddenError } from '@tocsin/core';

/** The cookies of people who sign in (K20, K21), as the scheme of the installation allows. */
export interface ConsoleCookies {
  /** The name of the cookie with the token of a session. */
  readonly session: string;
  /** The name of the cookie with the token of the browser that asked for a code. */
  readonly flow: string;
  /** The name of the cookie of a browser in which a session of a person has begun. */
  readonly browser: string;
  /** How both are set: no script reads them, and no request that begins on another site has them. */
  readonly attributes: string;
}

/** Browsers take a cookie with the prefix `__Host-` only over https, for the whole host and without a domain. */
const SECURE: ConsoleCookies = {
  session: '__Host-tocsin-session',
  flow: '__Host-tocsin-flow',
  browser: '__Host-tocsin-browser',
  attributes: 'Path=/; HttpOnly; Secure; SameSite=Strict',
};
const LOOPBACK: ConsoleCookies = {
  session: 'tocsin-session',
  flow: 'tocsin-flow',
  browser: 'tocsin-browser',
  attributes: 'Path=/; HttpOnly; SameSite=Strict',
};

/**
 * The cookies of an installation that people reach at `url` (K22). Undefined where they reach it over plain http elsewhere than on
 * loopback: other machines on the way could read them there.
 */
export function consoleCookies(url: string): ConsoleCookies | undefined {
  const parsed = URL.parse(url);
  if (parsed?.protocol === 'https:') return SECURE;
  return parsed?.protocol === 'http:' && isLoopback(parsed.hostname) ? LOOPBACK : undefined;
}

/** Whether a host name as in a URL is always this machine. */
export function isLoopback(hostname: string): boolean {
  return /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/.test(hostname);
}

/**
 * The value of a cookie in the header `Cookie`. Undefined where the name occurs twice: another host of the domain may have set one
 * of them, and nothing says which. Only spaces and tabs may stand before a name: a browser that sees another character there does
 * not see the prefix `__Host-`.
 */
export function cookieValue(header: string | undefined, name: string): string | undefined {
  const values: string[] = [];
  for (const pair of header?.split(';') ?? []) {
    const equals = pair.indexOf('=');
    if (equals >= 0 && pair.slice(0, equals).replace(/^[ \t]+/, '') === name) values.push(pair.slice(equals + 1));
  }
  return values.length === 1 ? values[0] : undefined;
}

/** The error where an installation has no cookies for people: it names the setting that is missing (K22). */
export function signInNeedsHttps(): ForbiddenError {
  return new ForbiddenError(
    'People can sign in over https only, or on the machine itself without a proxy or container between. Set PUBLIC_URL to the address of the installation, which begins with https://, or with http://127.0.0.1 where people are on its machine alone.',
  );
}
