import { DOMAINS, type Domain, type Operation } from '@tocsin/contracts';
import { requestLimits, type DomainLimits, type Rates } from '../domain/request-limits.ts';
import type { BacklogLimit } from './backlog-limit.ts';
import { RateLimit, type RateLimitOptions } from './rate-limit.ts';

interface RateLimitsOptions extends Pick<RateLimitOptions, 'now' | 'onRefused'> {
  readonly rates: Rates;
  /** Of each address from which providers call. */
  readonly callbacks: RateLimitOptions['rate'];
  /** Of writes of alerts, while alerts wait. */
  readonly backlog: Pick<BacklogLimit, 'spend'>;
}

/** The rate limits of everything that a caller may ask for (F1). */
export class RateLimits {
  /** What clients are told of them (E16). */
  readonly told: readonly DomainLimits[];
  readonly #byDomain: Readonly<Record<Domain, RateLimit>>;
  readonly #links: RateLimit;
  readonly #callbacks: RateLimit;
  readonly #backlog: Pick<BacklogLimit, 'spend'>;

  constructor({ backlog, callbacks, rates, ...others }: RateLimitsOptions) {
    const rateOf = (domain: Domain) => (rates === 'off' ? rates : rates[domain]);
    this.told = requestLimits(rates);
    this.#backlog = backlog;
    this.#byDomain = Object.fromEntries(
      DOMAINS.map((name) => [name, new RateLimit({ ...others, name, rate: rateOf(name), reason: 'INTEGRATION' })]),
    ) as Record<Domain, RateLimit>;
    // What a link opens belongs to an alert.
    this.#links = new RateLimit({ ...others, name: 'links', rate: rateOf('alert'), reason: 'ADDRESS' });
    this.#callbacks = new RateLimit({ ...others, name: 'callbacks', rate: callbacks, reason: 'ADDRESS' });
  }

  /**
   * Counts a request of `holder`: the integration of its key, or the address of whoever follows a link or calls back.
   *
   * @throws ThrottledError where that is more than the rate of the operation's domain, of links, or of callbacks, allows;
   *   BacklogError for a write of a key that sends many of them while alerts wait to be processed (F3).
   */
  spend(operation: Operation, holder: string): void {
    const { right, domain } = operation;
    if (makesWork(operation)) this.#backlog.spend(holder);
    if (right === 'callback') this.#callbacks.spend(holder);
    else (right === 'link' ? this.#links : this.#byDomain[domain]).spend(holder);
  }
}

/** Writes of alerts that end work rather than make it. They are never held back while alerts wait. */
const ENDING_WORK = new Set(['acknowledge-alert', 'close-alert', 'delete-alert', 'snooze-alert']);

const makesWork = ({ domain, id, owner }: Operation): boolean =>
  domain === 'alert' && owner === 'alert-ingest' && !ENDING_WORK.has(id);
