import { UnavailableError, withTimeout } from '@tocsin/core';
import { OutgoingCaller } from '@tocsin/http';
import * as openid from 'openid-client';
import type { OpenIdPerson } from './openid-flow.ts';

/** A client of an OpenID provider. */
interface OpenIdSettings {
  /** As the provider writes it; https, or http on loopback. */
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
}

export interface OpenIdClientOptions {
  readonly settings: OpenIdSettings;
  /** Addresses beside the public internet at which the provider may be. */
  readonly allowedRanges: readonly string[];
  readonly log: { warn(fields: Readonly<Record<string, unknown>>, message: string): void };
  /** For all requests of one step to the provider, real time. */
  readonly timeoutMs?: number;
}

/** The secrets of one sign-in that only the browser and this service know. */
export interface OpenIdSecrets {
  readonly state: string;
  readonly nonce: string;
  /** For PKCE. */
  readonly codeVerifier: string;
}

/** The parameters that the page of the console received from the provider. */
export interface OpenIdAnswer {
  readonly code: string;
  readonly state: string;
  readonly iss?: string | undefined;
}

const DEFAULT_TIMEOUT_MS = 8_000;
/** Keys with certificates are long. */
const MAX_ANSWER_BYTES = 256 * 1024;
/** How long the metadata of the provider are used, real time. */
const CONFIGURATION_LIFETIME_MS = 3_600_000;

/** The provider gave no usable answer. A network failure is a `TypeError` in the Fetch API, which the library does not change. */
class ProviderUnavailableError extends TypeError {}

/**
 * Gets the identity of a person from an OpenID provider, by the authorization code flow with PKCE, state, nonce and signed ID tokens
 * (K25).
 */
export class OpenIdClient {
  readonly #options: OpenIdClientOptions;
  readonly #timeoutMs: number;
  readonly #outgoing: OutgoingCaller;
  #configuration: { readonly read: Promise<openid.Configuration>; readonly atMs: number } | undefined;

  constructor(options: OpenIdClientOptions) {
    const { allowedRanges, timeoutMs = DEFAULT_TIMEOUT_MS } = options;
    this.#options = options;
    this.#timeoutMs = timeoutMs;
    this.#outgoing = new OutgoingCaller({ allowedRanges, timeoutMs, maxAnswerBytes: MAX_ANSWER_BYTES });
  }

  /**
   * Where the browser asks the provider for a code, which comes back to `redirectUrl`.
   *
   * @throws UnavailableError where the provider does not answer in time.
   */
  authorizationUrl({ codeVerifier, nonce, state }: OpenIdSecrets, redirectUrl: string): Promise<string> {
    return this.#inTime(async () => {
      const url = openid.buildAuthorizationUrl(await this.#provider(), {
        redirect_uri: redirectUrl,
        scope: 'openid email',
        state,
        nonce,
        code_challenge: await openid.calculatePKCECodeChallenge(codeVerifier),
        code_challenge_method: 'S256',
      });
      return url.href;
    });
  }

  /**
   * The person for whom the provider gave the code. Undefined where the answer of the provider does not fit the sign-in, or the provider
   * refuses the code.
   *
   * @throws UnavailableError where the provider does not answer in time.
   */
  personOf(answer: OpenIdAnswer, secrets: OpenIdSecrets, redirectUrl: string): Promise<OpenIdPerson | undefined> {
    return this.#inTime(async () => {
      const provider = await this.#provider();
      try {
        return await exchanged(provider, { answer, secrets, redirectUrl });
      } catch (error) {
        if (error instanceof ProviderUnavailableError) throw error;
        this.#options.log.warn({ err: error }, 'A sign-in by OpenID Connect was refused.');
        return undefined;
      }
    });
  }

  async #inTime<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await withTimeout(work(), this.#timeoutMs, () => {
        throw new ProviderUnavailableError('it took too long');
      });
    } catch (error) {
      this.#options.log.warn({ err: error }, 'The OpenID provider cannot be asked.');
      throw new UnavailableError(
        'The OpenID provider does not answer. Please try again, or sign in by a code that is mailed to you.',
        { cause: error },
      );
    }
  }

  /** The metadata of the provider. A failure is not kept, so that the next sign-in tries again. */
  #provider(): Promise<openid.Configuration> {
    const nowMs = performance.now();
    const known = this.#configuration;
    if (known !== undefined && nowMs - known.atMs < CONFIGURATION_LIFETIME_MS) return known.read;
    const next = { read: this.#discovered(), atMs: nowMs };
    this.#configuration = next;
    next.read.catch(() => {
      if (this.#configuration === next) this.#configuration = undefined;
    });
    return next.read;
  }

  #discovered(): Promise<openid.Configuration> {
    const { clientId, clientSecret, issuer } = this.#options.settings;
    const execute = [openid.enableNonRepudiationChecks];
    // eslint-disable-next-line @typescript-eslint/no-deprecated -- the settings allow http for a provider on this machine alone
    if (issuer.startsWith('http:')) execute.push(openid.allowInsecureRequests);
    return openid.discovery(new URL(issuer), clientId, clientSecret, authenticationBy(clientSecret), {
      execute,
      timeout: this.#timeoutMs / 1_000,
      [openid.customFetch]: this.#fetch,
    });
  }

  /** The library makes each request by this. An answer is JSON, or it is not understood. */
  readonly #fetch: openid.CustomFetch = async (url, { body, headers, method }) => {
    const outcome = await this.#outgoing.call({
      method: method === 'POST' ? 'POST' : 'GET',
      url,
      headers: { ...headers },
      ...(body !== undefined && body !== null && { body: writtenBody(body) }),
    });
    if (outcome.kind !== 'answered') throw new ProviderUnavailableError(outcome.reason);
    if (outcome.status >= 500) throw new ProviderUnavailableError(`it answered ${outcome.status}`);
    if (outcome.isTruncated) throw new ProviderUnavailableError('its answer is too long, or broke off');
    return new Response(outcome.body, { status: outcome.status, headers: { 'content-type': 'application/json' } });
  };
}

/** The method that most providers use, otherwise the one in the metadata. */
function authenticationBy(clientSecret: string): openid.ClientAuth {
  const [basic, post] = [openid.ClientSecretBasic(clientSecret), openid.ClientSecretPost(clientSecret)];
  return (server, ...rest) => {
    const { token_endpoint_auth_methods_supported: methods = ['client_secret_basic'] } = server;
    const authenticate = methods.includes('client_secret_basic') ? basic : post;
    authenticate(server, ...rest);
  };
}

interface Exchange {
  readonly answer: OpenIdAnswer;
  readonly secrets: OpenIdSecrets;
  readonly redirectUrl: string;
}

/** @throws what the library throws where an answer is not as it has to be. */
async function exchanged(
  provider: openid.Configuration,
  { answer: { code, iss, state }, redirectUrl, secrets }: Exchange,
): Promise<OpenIdPerson> {
  const url = new URL(redirectUrl);
  for (const [name, value] of Object.entries({ code, state, iss }))
    if (value !== undefined) url.searchParams.set(name, value);
  const tokens = await openid.authorizationCodeGrant(provider, url, {
    expectedState: secrets.state,
    expectedNonce: secrets.nonce,
    pkceCodeVerifier: secrets.codeVerifier,
    idTokenExpected: true,
  });
  const claims = tokens.claims();
  if (claims?.['email'] !== undefined) return personIn(claims);
  // A provider may give claims only at its user info endpoint.
  if (claims === undefined || provider.serverMetadata().userinfo_endpoint === undefined) return personIn({});
  return personIn(await openid.fetchUserInfo(provider, tokens.access_token, claims.sub));
}

function personIn(claims: Readonly<Record<string, unknown>>): OpenIdPerson {
  const { email, email_verified: isVerified } = claims;
  return { email: typeof email === 'string' ? email : undefined, isVerified: isVerified === true };
}

function writtenBody(body: NonNullable<openid.FetchBody>): string {
  if (typeof body === 'string') return body;
  if (body instanceof URLSearchParams) return body.toString();
  throw new TypeError('The library sends forms alone.');
}
