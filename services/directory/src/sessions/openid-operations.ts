import { createHmac } from 'node:crypto';
import { Username } from '@tocsin/api';
import { type Clock, ForbiddenError, NotFoundError, ThrottledError, TokenBuckets } from '@tocsin/core';
import { Admission, hashSessionToken, isEqualInConstantTime, isSessionToken, networkHolder } from '@tocsin/http';
import type { KnownBrowsers } from './known-browser.ts';
import type { OpenIdAnswer, OpenIdClient, OpenIdSecrets } from './openid-client.ts';
import { codeIsRefused, flowIsOver, OPENID_FLOW_LIFETIME_MS, personProblem } from './openid-flow.ts';
import type { OpenIdFlowStore } from './openid-flow-store.ts';
import type { BegunSession, SignIns } from './operations.ts';

/** Steps at the provider that are under way at a time, in all and for one holder. A slow provider delays no other request. */
const STEPS = { inAll: 64, each: 16 };

/** Sign-ins that begin in each process, and as many that end: for each the database or the provider is asked. */
const RATES = { inAll: { perSecond: 20, burst: 200 }, each: { perSecond: 2, burst: 40 } };

type Step = 'begin' | 'end';

/** An OpenID provider by which people can sign in. */
export interface OpenIdProvider {
  readonly client: Pick<OpenIdClient, 'authorizationUrl' | 'personOf'>;
  /** Domains of mail addresses that may sign in, lower case. */
  readonly domains: readonly string[];
  /** For people to read. */
  readonly host: string;
}

export interface OpenIdDependencies {
  /** Undefined: the installation has none. */
  readonly openId: OpenIdProvider | undefined;
  readonly openIdFlows: Pick<OpenIdFlowStore, 'add' | 'take'>;
  readonly signIns: Pick<SignIns, 'begin'>;
  readonly knownBrowsers: Pick<KnownBrowsers, 'userOf'>;
  readonly clock: Clock;
  /** 256 random bits. */
  readonly newToken: () => string;
  /** Milliseconds that only count up; those of the process by default. */
  readonly monotonicMs?: () => number;
}

/** A sign-in by OpenID Connect that has begun. */
export interface BegunOpenIdSignIn {
  /** Where the browser asks the provider. */
  readonly url: string;
  /** The token of the browser that can end it. */
  readonly flow: string;
  readonly expiresAt: Date;
}

/** The request of a browser that begins a sign-in by OpenID Connect. */
export interface OpenIdRequest {
  readonly redirectUrl: string;
  readonly address: string;
  /** The cookie of a known browser, where it has one. */
  readonly browser: string | undefined;
}

/** The request of a browser that ends a sign-in by OpenID Connect. */
export interface OpenIdRedemption extends OpenIdRequest {
  readonly answer: OpenIdAnswer;
  /** The token of the browser, where it has one. */
  readonly flow: string | undefined;
  readonly userAgent: string | undefined;
}

/** Whose share a step takes. */
interface OpenIdCaller {
  readonly address: string;
  /** The user of whom a session has begun in the browser (K20). */
  readonly userId: string | undefined;
}

/**
 * Bounds the steps of sign-ins by OpenID Connect (K25). Strangers, and browsers in which a session has begun, have a bound of their own
 * each: whatever strangers send, they keep no known browser from its sign-in. Known browsers share it by their users, strangers by address or network.
 */
class OpenIdLimit {
  readonly #strangers = new Bounds();
  readonly #known = new Bounds();

  /** @throws ThrottledError where too many begin or end; UnavailableError where too many are under way: nothing was done. */
  async run<T>(step: Step, { address, userId }: OpenIdCaller, work: () => Promise<T>, nowMs: number): Promise<T> {
    if (userId !== undefined) return this.#known.run(step, userId, work, nowMs);
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

/** Signs people in by an OpenID provider (K25). */
export class OpenIdSignIns {
  readonly #ports: OpenIdDependencies;
  readonly #limit = new OpenIdLimit();

  constructor(ports: OpenIdDependencies) {
    this.#ports = ports;
  }

  /** The host of the provider; undefined where the installation has none. */
  get host(): string | undefined {
    return this.#ports.openId?.host;
  }

  /**
   * Begins a sign-in in a browser.
   *
   * @throws NotFoundError where the installation has no provider; ThrottledError where too many begin; UnavailableError where it does not answer in time, or too
   *   many sign-ins wait for it.
   */
  async begin(request: OpenIdRequest): Promise<BegunOpenIdSignIn> {
    const { clock, newToken, openIdFlows } = this.#ports;
    const { client } = this.#provider();
    const flow = newToken();
    const url = await this.#bounded('begin', request, () =>
      client.authorizationUrl(secretsOfFlow(flow), request.redirectUrl),
    );
    const expiresAt = new Date(clock.now().getTime() + OPENID_FLOW_LIFETIME_MS);
    await openIdFlows.add({ flowHash: hashSessionToken(flow), expiresAt });
    return { url, flow, expiresAt };
  }

  /**
   * Begins a session of the user whose name is the mail address of the person that the provider authenticated. A sign-in ends at the
   * first attempt, successful or not.
   *
   * @throws InvalidError where this browser has not begun the sign-in or it is over, or the provider does not confirm it;
   *   ForbiddenError where the person may not sign in; ThrottledError and UnavailableError as {@link begin}.
   */
  async redeem(request: OpenIdRedemption): Promise<BegunSession> {
    const { address, answer, browser, flow, redirectUrl, userAgent } = request;
    const { client, domains } = this.#provider();
    const person = await this.#bounded('end', request, async () => {
      const secrets = await this.#taken(flow, answer.state);
      return client.personOf(answer, secrets, redirectUrl);
    });
    if (person === undefined) throw codeIsRefused();
    const problem = personProblem(person, domains);
    if (problem !== undefined) throw new ForbiddenError(problem);
    const username = Username.safeParse(person.email).data;
    const begun =
      username === undefined ? undefined : await this.#ports.signIns.begin(username, { address, browser, userAgent });
    if (begun !== undefined) return begun;
    throw new ForbiddenError(`${person.email ?? ''} is no user who can sign in here. An admin can change that.`);
  }

  #bounded<T>(step: Step, { address, browser }: OpenIdRequest, work: () => Promise<T>): Promise<T> {
    const { clock, knownBrowsers, monotonicMs = () => performance.now() } = this.#ports;
    const userId = knownBrowsers.userOf(browser, clock.now());
    return this.#limit.run(step, { address, userId }, work, monotonicMs());
  }

  /** The secrets of the flow, which is over then. */
  async #taken(flow: string | undefined, state: string): Promise<OpenIdSecrets> {
    const { clock, openIdFlows } = this.#ports;
    if (flow === undefined || !isSessionToken(flow)) throw flowIsOver();
    const secrets = secretsOfFlow(flow);
    if (!isEqualInConstantTime(Buffer.from(secrets.state), Buffer.from(state))) throw flowIsOver();
    const taken = await openIdFlows.take(hashSessionToken(flow));
    if (taken === undefined || taken.expiresAt.getTime() <= clock.now().getTime()) throw flowIsOver();
    return secrets;
  }

  #provider(): OpenIdProvider {
    const { openId } = this.#ports;
    if (openId === undefined)
      throw new NotFoundError(
        'People can not sign in by OpenID Connect here. The setting OPENID_ISSUER would name a provider.',
      );
    return openId;
  }
}

/** No secret of a sign-in is stored: the secrets are derived from the token, which only the browser has. */
function secretsOfFlow(flow: string): OpenIdSecrets {
  const derived = (purpose: string) =>
    createHmac('sha256', flow).update(`tocsin openid ${purpose} v1`).digest('base64url');
  return { state: derived('state'), nonce: derived('nonce'), codeVerifier: derived('code verifier') };
}
