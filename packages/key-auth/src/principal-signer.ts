import type { ServiceName } from '@tocsin/contracts';
import { SignJWT } from 'jose';
import { type Caller, isServiceCaller } from './principal.ts';
import { signingKeysOf } from './signing-keys.ts';

/** How long a signed caller is believed, in seconds (K6). */
const TOKEN_LIFETIME_SECONDS = 60;

/** How long one token is handed out again, in milliseconds: a third of its life, so that no token arrives stale. */
const REUSE_MS = 20_000;

interface Signed {
  readonly token: Promise<string>;
  readonly madeAtMs: number;
}

/**
 * Vouches for a caller to one service: HS256, believed for 60 s (K6), by nobody else. The same object signed again for the
 * same service within 20 s gives the same token.
 */
export class PrincipalSigner {
  readonly #key: Uint8Array;
  readonly #signed = new WeakMap<Caller, Map<ServiceName, Signed>>();

  /** @param keys one or two; the first signs, so a new key is put first once every service accepts it */
  constructor(keys: readonly string[]) {
    this.#key = signingKeysOf(keys)[0];
  }

  /** For the service that is called, `audience`, and no other. */
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
