import { InvalidError } from '@tocsin/core';

/** How long a person has between the begin of a sign-in by OpenID Connect and its end. */
export const OPENID_FLOW_LIFETIME_MS = 600_000;

/** A sign-in by OpenID Connect that has begun in a browser (K25). */
export interface OpenIdFlow {
  /** SHA-256 of the token of the browser, lower-case hex. */
  readonly flowHash: string;
  /** The first instant at which it is not valid. */
  readonly expiresAt: Date;
}

/** The claims of the provider about a person whom it has authenticated. */
export interface OpenIdPerson {
  readonly email: string | undefined;
  /** Whether the provider says that the address belongs to the person. */
  readonly isVerified: boolean;
}

/**
 * An address that can be compared with user names and repeated in an answer. Of other letters, lower case can make ASCII ones: the Kelvin
 * sign becomes a `k`.
 */
const PLAIN_ADDRESS = /^[!-~]{1,100}$/;

/** Why a person whom the provider knows may not sign in; undefined where their address is verified and of one of `domains`, in lower case. */
export function personProblem({ email, isVerified }: OpenIdPerson, domains: readonly string[]): string | undefined {
  if (email === undefined) return 'The OpenID provider gave no mail address.';
  if (!PLAIN_ADDRESS.test(email))
    return 'The OpenID provider gave a mail address that can not sign in here: it has to have 1 to 100 characters, all of them ASCII.';
  if (!isVerified) return `The OpenID provider has not verified the mail address ${email}.`;
  const domain = email.slice(email.lastIndexOf('@') + 1).toLowerCase();
  return domains.includes(domain) ? undefined : `Mail addresses of ${domain} can not sign in here.`;
}

/** The error of a sign-in that this browser has not begun, or that is over. */
export const flowIsOver = (): InvalidError =>
  InvalidError.ofFields({
    state: 'does not belong to a sign-in that this browser has begun and that is not over; sign in again',
  });

/** The error of a code, or of what the provider gave for it, that does not fit. */
export const codeIsRefused = (): InvalidError =>
  InvalidError.ofFields({
    code: 'was not accepted by the provider, or what it gave for the code does not fit this sign-in; sign in again',
  });
