import { type HttpServerOptions, shareOf } from '@tocsin/http';
import type { ServiceContext } from '@tocsin/service-kit';
import type { GatewayOptions } from './app.ts';
import { BacklogLimit } from './application/backlog-limit.ts';
import { RateLimit } from './application/rate-limit.ts';
import { RateLimits } from './application/rate-limits.ts';
import { LEAST_HELD_BYTES, type Config } from './config.ts';

/** What bodies may cost, as the settings say. */
export function bodyBounds(config: Config): Pick<GatewayOptions, 'bodies' | 'patience'> {
  const held = { ...shareOf(config.heldBytes, config.keySharePercent), least: LEAST_HELD_BYTES };
  return {
    bodies: { held, idleMs: config.bodyIdleMs, totalMs: config.bodyTotalMs },
    patience: { timeoutMs: config.callerTimeoutMs, leastBytesPerSecond: config.leastBytesPerSecond },
  };
}

/** How many connections callers may have, as the settings say. All that come through a proxy of ours come from its address. */
export function connectionBounds({
  maxConnections,
  maxConnectionsPerAddress,
  keySharePercent,
  trustedProxies,
}: Config): Required<Pick<HttpServerOptions, 'maxConnections' | 'maxConnectionsPerAddress'>> {
  const usual = trustedProxies > 0 ? maxConnections : shareOf(maxConnections, keySharePercent).each;
  return { maxConnections, maxConnectionsPerAddress: maxConnectionsPerAddress ?? usual };
}

/** The rates that callers are held to, as the settings say, by real time; each refusal is counted. */
export function rateLimitsOf({ config, metrics }: Pick<ServiceContext<Config>, 'config' | 'metrics'>): {
  readonly rates: RateLimits;
  readonly unknownKeys: RateLimit;
  readonly backlog: BacklogLimit;
} {
  const measured = {
    now: () => performance.now(),
    onRefused: (limit: string) => {
      metrics.throttled(limit);
    },
  };
  const backlog = new BacklogLimit({ ...measured, rate: config.backlogRate });
  return {
    rates: new RateLimits({
      ...measured,
      rates: config.rateLimits,
      callbacks: config.callbackLimit,
      refusedCallbacks: config.failedAuthLimit,
      backlog,
    }),
    backlog,
    unknownKeys: new RateLimit({ ...measured, name: 'unknown-keys', rate: config.failedAuthLimit, reason: 'ADDRESS' }),
  };
}
