import { type AppError, InvalidError, UnauthenticatedError } from '@tocsin/errors';
import { isKeyShaped } from './key.ts';

/** The two places in which a caller may put a key (K1). */
export interface Credentials {
  /** Value of the `Authorization` header. */
  readonly authorization: string | undefined;
  /** Value of the query parameter `apiKey`, decoded. */
  readonly apiKeyQuery: string | undefined;
  /** The scheme words that precede a key, in any letter case; `Basic` is always read. */
  readonly schemes: readonly string[];
}

/** A key of the right form, or the refusal to answer with. */
export type ParsedCredentials =
  { readonly kind: 'key'; readonly key: string } | { readonly kind: 'refused'; readonly error: AppError };

/** What is said to every caller whose key is refused, for whatever reason (E4). */
export const NOT_AUTHENTICATED = 'Could not authenticate';

/**
 * Finds the key of a request (K1): after a scheme word, as the password or the whole of a `Basic` credential, or in the
 * query where the header has none. White space around it is dropped, for keys that were read from a file.
 *
 * No key is refused as unauthenticated (401), one that is not UUID-shaped as invalid (422, E4).
 */
export function parseCredentials({ authorization, apiKeyQuery, schemes }: Credentials): ParsedCredentials {
  const key = keyOfHeader(authorization?.trim() ?? '', schemes) ?? apiKeyQuery?.trim();
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
  // `key:` is what some clients make of a bare key, so an empty password leaves the user name as the whole credential.
  return password === '' ? decoded.slice(0, Math.max(colon, 0)).trim() : password;
}
