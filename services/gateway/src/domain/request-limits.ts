/** The groups of operations that have limits of their own (F1). */
const DOMAINS = ['alert', 'heartbeat', 'integration', 'configuration', 'search', 'schedule-oncalls'] as const;

/** More than one caller can send; clients that share it out among their requests never come to wait. */
const NOT_LIMITED = 1_000_000;

interface DomainLimits {
  readonly domain: string;
  readonly limits: readonly { readonly limit: number; readonly periodInSeconds: number }[];
}

/** What clients ask for before they pace themselves: that they need not (E16; wire facts 1.4). */
export const REQUEST_LIMITS: readonly DomainLimits[] = DOMAINS.map((domain) => ({
  domain,
  limits: [1, 60].map((periodInSeconds) => ({ limit: NOT_LIMITED, periodInSeconds })),
}));
