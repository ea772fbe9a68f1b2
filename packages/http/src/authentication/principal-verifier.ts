import { errors, jwtVerify, type JWTPayload } from 'jose';
import type { ServiceName } from '@tocsin/events';
import { UnauthenticatedError } from '@tocsin/core';
import { NOT_AUTHENTICATED } from './credentials.ts';
import { type Caller, PrincipalClaim } from './principal.ts';
import { signingKeysOf, type SigningKeys } from './signing-keys.ts';

/** Most cached tokens. A process sees one per key in use and 20 s, so this only bounds memory. */
const REMEMBERED = 10_000;
/** How far the clocks of two services may differ. */
const TOLERANCE_SECONDS = 5;

interface Verified {
  readonly caller: Caller;
  readonly expiresAtMs: number;
}

/** Accepts a signed caller with a valid signature by one of the keys, for its 60 s, and for this service only (K6). */
export class PrincipalVerifier {
  readonly #keys: SigningKeys;
  readonly #audience: ServiceName;
  readonly #verified = new Map<string, Verified>();

  /** @param keys one or two: during a rotation both are accepted @param audience the service that verifies */
  constructor(keys: readonly string[], audience: ServiceName) {
    this.#keys = signingKeysOf(keys);
    this.#audience = audience;
  }

  /** @throws UnauthenticatedError when the token is missing, forged, damaged, expired or for another service. */
  async verify(token: string | undefined, now: Date): Promise<Caller> {
    if (token === undefined) throw new UnauthenticatedError(NOT_AUTHENTICATED);
    const known = this.#verified.get(token);
    if (known !== undefined && now.getTime() < known.expiresAtMs) return known.caller;
    const verified = await this.#check(token, now);
    if (this.#verified.size >= REMEMBERED) this.#verified.clear();
    this.#verified.set(token, verified);
    return verified.caller;
  }

  async #check(token: string, now: Date): Promise<Verified> {
    let failure: unknown;
    for (const key of this.#keys) {
      try {
        const options = { algorithms: ['HS256'], currentDate: now, clockTolerance: TOLERANCE_SECONDS };
        const { payload } = await jwtVerify(token, key, {
          ...options,
          requiredClaims: ['exp', 'aud'],
          audience: this.#audience,
        });
        return { caller: callerOf(payload), expiresAtMs: ((payload.exp ?? 0) + TOLERANCE_SECONDS) * 1_000 };
      } catch (error) {
        failure = error;
        if (!(error instanceof errors.JWSSignatureVerificationFailed)) break;
      }
    }
    throw new UnauthenticatedError(NOT_AUTHENTICATED, { cause: failure });
  }
}

function callerOf({ principal, service }: JWTPayload): Caller {
  if (service !== undefined) return { service: service as ServiceName };
  const claim = PrincipalClaim.parse(principal);
  return claim.kind === 'key' ? { ...claim, teamId: claim.teamId } : claim;
}
