import { DOMAINS, type Domain, type Operation } from '@tocsin/contracts';
import { requestLimits, type DomainLimits, type Rates } from '../domain/request-limits.ts';
import type { BacklogLimit } from './backlog-limit.ts';
import { RateLimit, type RateLimitOptions } from './rate-limit.ts';

interface RateLimitsOptions extends Pick<RateLimitOptions, 'now' | 'onRefused'> {
  readonly rates: Rates;
  /** Of each address from which providers call. */
  readonly callbacks: RateLimitOptions['rate'];
  /** The rate of refused calls of each address. */
  readonly refusedCallbacks: RateLimitOptions['rate'];
  /** Of writes of alerts, while alerts wait. */
  readonly backlog: Pick<BacklogLimit, 'spend'>;
}

/** The rate limits of everything that a caller may ask for (F1). */
export class RateLimits {
  /** What clients are told of them (E16). */
  readonly told: readonly DomainLimits[];
  readonly #byDomain: Readonly<Record<Domain, RateLimit>>;
  readonly #links: RateLimit;
  readonly #files: RateLimit;
  readonly #callbacks: RateLimit;
  readonly #refusedCallbacks: RateLimit;
  readonly #backlog: Pick<BacklogLimit, 'spend'>;

  constructor({ backlog, callbacks, rates, refusedCallbacks, ...others }: RateLimitsOptions) {
    const rateOf = (domain: Domain) => (rates === 'off' ? rates : rates[domain]);
    this.told = requestLimits(rates);
    this.#backlog = backlog;
    this.#byDomain = Object.fromEntries(
      DOMAINS.map((name) => [name, new RateLimit({ ...others, name, rate: rateOf(name), reason: 'INTEGRATION' })]),
    ) as Record<Domain, RateLimit>;
    // What a link opens belongs to an alert.
    this.#links = new RateLimit({ ...others, name: 'links', rate: rateOf('alert'), reason: 'ADDRESS' });
    this.#files = new RateLimit({ ...others, name: 'files', rate: rateOf('configuration'), reason: 'ADDRESS' });
    this.#callbacks = new RateLimit({ ...others, name: 'callbacks', rate: callbacks, reason: 'ADDRESS' });
    this.#refusedCallbacks = new RateLimit({
      ...others,
      name: 'refused-callbacks',
      rate: refusedCallbacks,
      reason: 'ADDRESS',
    });
  }

  /**
   * Counts a request of `holder`: the integration of its key, or the address of whoever follows a link or calls back.
   *
   * @throws ThrottledError where that is more than the rate of the operation's domain, of links, or of callbacks, allows;
   *   UnavailableError for a write of a key that sends many of them while alerts wait to be processed (F3).
   */
  spend(operation: Operation, holder: string): void {
    if (makesWork(operation)) this.#backlog.spend(holder);
    if (operation.right === 'callback') this.#refusedCallbacks.check(holder);
    this.#limitOf(operation).spend(holder);
  }

  /** Counts the bytes of a body or of an answer: one token more for each whole 64 KiB. Files have limits of their own. */
  charge(operation: Operation, holder: string, bytes: number): void {
    if (operation.transfer === undefined) this.#limitOf(operation).charge(holder, tokensOf(bytes));
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

  /** Counts a call that no known provider sent, like a request with an unknown key. */
  answered({ right }: Operation, holder: string, status: number): void {
    if (right === 'callback' && REFUSED_CALL_STATUSES.has(status)) this.#refusedCallbacks.charge(holder, 1);
  }

  #limitOf({ right, domain }: Operation): RateLimit {
    if (right === 'callback') return this.#callbacks;
    return right === 'link' ? this.#links : this.#byDomain[domain];
  }
}

const BYTES_PER_TOKEN = 65_536;
const tokensOf = (bytes: number): number => Math.floor(bytes / BYTES_PER_TOKEN);
/** Statuses of refused calls: without a valid signature or token, or for a provider that is not configured. */
const REFUSED_CALL_STATUSES: ReadonlySet<number> = new Set([401, 403, 404]);

/** Writes of alerts that end work rather than make it. They are never held back while alerts wait. */
const ENDING_WORK = new Set(['acknowledge-alert', 'close-alert', 'delete-alert', 'snooze-alert']);

const makesWork = ({ domain, id, owner }: Operation): boolean =>
  domain === 'alert' && owner === 'alert-ingest' && !ENDING_WORK.has(id);
