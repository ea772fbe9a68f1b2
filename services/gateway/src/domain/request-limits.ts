import { DOMAINS, type Domain } from '@tocsin/contracts';

/** How many requests a second, a whole number, and how many at once, no fewer. */
export interface Rate {
  readonly perSecond: number;
  readonly burst: number;
}

/** The rate of each domain, or that no rate is limited (F1). */
export type Rates = Readonly<Record<Domain, Rate>> | 'off';

/** What clients are told of one domain. */
export interface DomainLimits {
  readonly domain: Domain;
  readonly limits: readonly { readonly limit: number; readonly periodInSeconds: number }[];
}

/** More than one caller can send: clients that divide it among their requests never wait. */
const NOT_LIMITED = 1_000_000;
const MINUTE_SECONDS = 60;

/**
 * What clients read to pace themselves, in the two windows that they look for. Who keeps to either window is never refused,
 * whenever within it they send (E16; wire facts 1.4).
 */
export function requestLimits(rates: Rates): readonly DomainLimits[] {
  return DOMAINS.map((domain) => {
    const [second, minute] = rates === 'off' ? [NOT_LIMITED, NOT_LIMITED] : windowsOf(rates[domain]);
    return {
      domain,
      limits: [
        { limit: second, periodInSeconds: 1 },
        { limit: minute, periodInSeconds: MINUTE_SECONDS },
      ],
    };
  });
}

/** All that is sent in a minute may be sent at once, so it is no more than a full bucket. */
function windowsOf({ perSecond, burst }: Rate): readonly [number, number] {
  return [perSecond, Math.min(MINUTE_SECONDS * perSecond, burst)];
}
