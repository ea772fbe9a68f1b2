import type { ServiceName } from '@tocsin/events';
import { SignJWT } from 'jose';
import { type Caller, isServiceCaller } from './principal.ts';
import { signingKeysOf } from './signing-keys.ts';

/** See K6. */
const TOKEN_LIFETIME_SECONDS = 60;

/** How long a token is reused: a third of its lifetime, so that none arrives expired. */
const REUSE_MS = 20_000;

interface Signed {
  readonly token: Promise<string>;
  readonly madeAtMs: number;
}

/**
 * Signs the caller of a request to one service: a JWT with HS256 that is valid for 60 s and for that service only (K6). Reuses
 * the token of the same object and service for 20 s.
 */
export class PrincipalSigner {
  readonly #key: Uint8Array;
  readonly #signed = new WeakMap<Caller, Map<ServiceName, Signed>>();

  /** @param keys one or two; the first signs, so a new key is put first once every service accepts it */
  constructor(keys: readonly string[]) {
    this.#key = signingKeysOf(keys)[0];
  }

  /** `audience` is the service that is called. */
  sign(caller: Caller, audience: ServiceName, now: Date): Promise<string> {
    const nowMs = now.getTime();
    const signed = this.#signed.get(caller) ?? new Map<ServiceName, Signed>();
    this.#signed.set(caller, signed);
    const known = signed.get(audience);
    if (known !== undefined && nowMs >= known.madeAtMs && nowMs - known.madeAtMs < REUSE_MS) return known.token;
    const token = this.#make(caller, audience, Math.floor(nowMs / 1_000));
    signed.set(audience, { token, madeAtMs: nowMs });
    return token;
  }

  #make(caller: Caller, audience: ServiceName, nowSeconds: number): Promise<string> {
    const claims = isServiceCaller(caller) ? { service: caller.service } : { principal: caller };
    return new SignJWT(claims)
      .setProtectedHeader({ alg: 'HS256' })
      .setAudience(audience)
      .setIssuedAt(nowSeconds)
      .setExpirationTime(nowSeconds + TOKEN_LIFETIME_SECONDS)
      .sign(this.#key);
  }
}
