import { DOMAINS, type Domain, type Operation } from '@tocsin/api';
import { isPersonHolder } from '@tocsin/http';
import { requestLimits, type DomainLimits, type Rates } from './request-limits.ts';
import { RateLimit, type RateLimitOptions } from './rate-limit.ts';

interface RateLimitsOptions extends Pick<RateLimitOptions, 'now' | 'onRefused'> {
  readonly rates: Rates;
  /** The rate of calls of providers, of each address. */
  readonly callbacks: RateLimitOptions['rate'];
  /** The rate of refused calls, of each address. */
  readonly refusedCallbacks: RateLimitOptions['rate'];
  /** The rate of requests to begin a sign-in, and of those to end one, of each address. */
  readonly signIns: RateLimitOptions['rate'];
}

/** The rate limits of all operations and of the API description (F6). */
export class RateLimits {
  /** The limits as clients read them (E16). */
  readonly limits: readonly DomainLimits[];
  readonly #byDomain: Readonly<Record<Domain, RateLimit>>;
  readonly #ofPeople: Readonly<Record<Domain, RateLimit>>;
  readonly #signIns: RateLimit;
  readonly #redemptions: RateLimit;
  readonly #links: RateLimit;
  readonly #files: RateLimit;
  readonly #keysInBodies: RateLimit;
  readonly #callbacks: RateLimit;
  readonly #refusedCallbacks: RateLimit;

  constructor({ callbacks, rates, refusedCallbacks, signIns, ...others }: RateLimitsOptions) {
    const rateOf = (domain: Domain) => (rates === 'off' ? rates : rates[domain]);
    this.limits = requestLimits(rates);
    const limitsFor = (reason: RateLimitOptions['reason']) =>
      Object.fromEntries(
        DOMAINS.map((name) => [name, new RateLimit({ ...others, name, rate: rateOf(name), reason })]),
      ) as Record<Domain, RateLimit>;
    this.#byDomain = limitsFor('INTEGRATION');
    this.#ofPeople = limitsFor('USER');
    this.#signIns = new RateLimit({ ...others, name: 'sign-ins', rate: signIns, reason: 'ADDRESS' });
    this.#redemptions = new RateLimit({ ...others, name: 'sign-in-redemptions', rate: signIns, reason: 'ADDRESS' });
    // Links open alerts.
    this.#links = new RateLimit({ ...others, name: 'links', rate: rateOf('alert'), reason: 'ADDRESS' });
    this.#files = new RateLimit({ ...others, name: 'files', rate: rateOf('configuration'), reason: 'ADDRESS' });
    this.#keysInBodies = new RateLimit({
      ...others,
      name: 'keys-in-bodies',
      rate: rateOf('alert'),
      reason: 'ADDRESS',
    });
    this.#callbacks = new RateLimit({ ...others, name: 'callbacks', rate: callbacks, reason: 'ADDRESS' });
    this.#refusedCallbacks = new RateLimit({
      ...others,
      name: 'refused-callbacks',
      rate: refusedCallbacks,
      reason: 'ADDRESS',
    });
  }

  /**
   * Counts a request of `holder`: the integration of its key, its person, or the address of a caller without either.
   *
   * @throws ThrottledError where that is more than the rate of the operation's domain, of links, of callbacks, or of signing in, allows.
   */
  spend(operation: Operation, holder: string): void {
    if (operation.right === 'callback') this.#refusedCallbacks.check(holder);
    this.#limitOf(operation, holder).spend(holder);
  }

  /** Counts the bytes of a body or of an answer: one token more for each whole 64 KiB. Files have limits of their own. */
  charge(operation: Operation, holder: string, bytes: number): void {
    if (operation.transfer === undefined) this.#limitOf(operation, holder).charge(holder, tokensOf(bytes));
  }

  /** Counts the items of a request beyond the first, which is the request itself (Q4). */
  chargeItems(operation: Operation, holder: string, items: number): void {
    this.#limitOf(operation, holder).charge(holder, items - 1);
  }

  /**
   * Counts a request whose key is looked for in its body, of an address.
   *
   * @throws ThrottledError where that is more than the rate of `alert`.
   */
  spendOnKeyInBody(address: string): void {
    this.#keysInBodies.spend(address);
  }

  /**
   * Counts a request for the API description or its page, of an address.
   *
   * @throws ThrottledError where that is more than the rate of `configuration`.
   */
  spendOnFile(holder: string): void {
    this.#files.spend(holder);
  }

  /** Counts the bytes of the API description or its page, as {@link charge} does. */
  chargeFile(holder: string, bytes: number): void {
    this.#files.charge(holder, tokensOf(bytes));
  }

  /** Counts the call of a provider that the service refused, like a request with an unknown key. */
  countRefusedCallback({ right }: Operation, holder: string, status: number): void {
    if (right === 'callback' && REFUSED_CALL_STATUSES.has(status)) this.#refusedCallbacks.charge(holder, 1);
  }

  #limitOf(operation: Operation, holder: string): RateLimit {
    const { domain, right } = operation;
    if (right === 'callback') return this.#callbacks;
    if (right === 'link') return this.#links;
    if (right === 'sign-in') return this.#limitOfSignIn(operation);
    return (isPersonHolder(holder) ? this.#ofPeople : this.#byDomain)[domain];
  }

  /** People at one address share it: who asks for codes keeps no neighbour from opening the page, or from giving the code that they have. */
  #limitOfSignIn({ id, method }: Operation): RateLimit {
    if (method === 'GET') return this.#files;
    return REDEMPTIONS.has(id) ? this.#redemptions : this.#signIns;
  }
}

/** The operations that end a sign-in. */
const REDEMPTIONS: ReadonlySet<string> = new Set(['redeem-sign-in', 'redeem-openid-sign-in']);
const BYTES_PER_TOKEN = 65_536;
const tokensOf = (bytes: number): number => Math.floor(bytes / BYTES_PER_TOKEN);
/** Of calls without a valid signature or token, and for a provider that is not configured. */
const REFUSED_CALL_STATUSES: ReadonlySet<number> = new Set([401, 403, 404]);
