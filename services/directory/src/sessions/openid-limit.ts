import { ThrottledError, TokenBuckets } from '@tocsin/core';
import { Admission, networkHolder } from '@tocsin/http';

/** Steps at the provider that are under way at a time, in all and for one holder. A slow provider delays no other request. */
const STEPS = { inAll: 64, each: 16 };

/** Sign-ins that begin in each process, and as many that end: for each the database or the provider is asked. */
const RATES = { inAll: { perSecond: 20, burst: 200 }, each: { perSecond: 2, burst: 40 } };

type Step = 'begin' | 'end';

/** Whose share a step takes. */
export interface OpenIdCaller {
  readonly address: string;
  /** The id of a browser in which a session of a user has begun (K20). */
  readonly browserId: string | undefined;
}

/**
 * Bounds the steps of sign-ins by OpenID Connect (K25). Strangers, and browsers in which a session has begun, have a bound of their own
 * each: whatever strangers send, they keep no known browser from its sign-in. A browser shares it by its id, a stranger by address or network.
 */
export class OpenIdLimit {
  readonly #strangers = new Bounds();
  readonly #known = new Bounds();

  /** @throws ThrottledError where too many begin or end; UnavailableError where too many are under way: nothing was done. */
  async run<T>(step: Step, { address, browserId }: OpenIdCaller, work: () => Promise<T>, nowMs: number): Promise<T> {
    if (browserId !== undefined) return this.#known.run(step, browserId, work, nowMs);
    return this.#strangers.run(step, networkHolder(address), work, nowMs);
  }
}

class Bounds {
  readonly #steps = new Admission(STEPS);
  readonly #inAll = new TokenBuckets(RATES.inAll);
  readonly #each = new TokenBuckets(RATES.each);

  /** Those who begin take nothing from those who end, and a holder that has used its share nothing from the others. */
  async run<T>(step: Step, holder: string, work: () => Promise<T>, nowMs: number): Promise<T> {
    const waitMs = this.#each.take(`${step} ${holder}`, nowMs) || this.#inAll.take(step, nowMs);
    if (waitMs > 0) throw tooMany(Math.ceil(waitMs / 1_000));
    return this.#steps.run(holder, work);
  }
}

const tooMany = (retryAfterSeconds: number): ThrottledError =>
  new ThrottledError(`There are too many sign-ins by OpenID Connect. Try again in ${retryAfterSeconds} s.`, {
    reason: 'ADDRESS',
    periodSeconds: 1,
    retryAfterSeconds,
  });
