import { type AppError, InvalidError, UnauthenticatedError } from '@tocsin/core';
import { isKeyShaped } from './key.ts';

/** Where a request may have a key (K1). */
export interface Credentials {
  /** Value of the `Authorization` header. */
  readonly authorization: string | undefined;
  /** The key where the header has none, such as that of the query; decoded. */
  readonly otherKey: string | undefined;
  /** The accepted schemes of the header besides `Basic`, in any letter case. */
  readonly schemes: readonly string[];
}

/** A key of the right form, or the error to answer with. */
export type ParsedCredentials =
  { readonly kind: 'key'; readonly key: string } | { readonly kind: 'refused'; readonly error: AppError };

/** The message for every refused key, whatever the reason (E4). */
export const NOT_AUTHENTICATED = 'Could not authenticate';

/**
 * Finds the key of a request (K1): after a scheme, as the password or the whole of a `Basic` credential, or elsewhere where
 * the header has none. White space around it is dropped, for keys that were read from a file.
 *
 * A missing key is unauthenticated (401), and one without the form of a UUID is invalid (422, E4).
 */
export function parseCredentials({ authorization, otherKey, schemes }: Credentials): ParsedCredentials {
  const key = keyOfHeader(authorization?.trim() ?? '', schemes) ?? otherKey?.trim();
  if (key === undefined || key === '') {
    return { kind: 'refused', error: new UnauthenticatedError(NOT_AUTHENTICATED) };
  }
  if (!isKeyShaped(key)) return { kind: 'refused', error: new InvalidError('Key format is not valid!') };
  return { kind: 'key', key };
}

function keyOfHeader(header: string, schemes: readonly string[]): string | undefined {
  const space = header.search(/\s/);
  if (space < 0) return undefined;
  const scheme = header.slice(0, space).toLowerCase();
  const credential = header.slice(space).trim();
  if (schemes.some((word) => word.toLowerCase() === scheme)) return credential;
  return scheme === 'basic' ? keyOfBasic(credential) : undefined;
}

function keyOfBasic(credential: string): string {
  if (isKeyShaped(credential)) return credential;
  const decoded = Buffer.from(credential, 'base64').toString('utf8').trim();
  const colon = decoded.indexOf(':');
  const password = decoded.slice(colon + 1).trim();
  // Some clients send a bare key as `key:`, so with an empty password the user name is the key.
  return password === '' ? decoded.slice(0, Math.max(colon, 0)).trim() : password;
}
