import { DOMAINS, type Domain } from '@tocsin/api';

/** How many requests a second, a whole number, and how many at once, no fewer. */
export interface Rate {
  readonly perSecond: number;
  readonly burst: number;
}

/** The rate of each domain, or that no rate is limited (F6). */
export type Rates = Readonly<Record<Domain, Rate>> | 'off';

/** The limits of one domain as clients read them. */
export interface DomainLimits {
  readonly domain: Domain;
  readonly limits: readonly { readonly limit: number; readonly periodInSeconds: number }[];
}

/** Clients get a number also where no rate is limited. No caller can send so many. */
const NOT_LIMITED = 1_000_000;
const MINUTE_SECONDS = 60;

/** The limits in the two windows that clients look for. A client that stays within one of them is never refused (E16; wire facts 1.4). */
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

/** A client may send the number of a minute at once, so it is at most a full bucket. */
function windowsOf({ perSecond, burst }: Rate): readonly [number, number] {
  return [perSecond, Math.min(MINUTE_SECONDS * perSecond, burst)];
}
