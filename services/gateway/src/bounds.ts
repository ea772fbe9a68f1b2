import { type HttpServerOptions, shareOf } from '@tocsin/http';
import type { GatewayOptions } from './app.ts';
import type { Config } from './config.ts';

/** What bodies may cost, as the settings say. */
export function bodyBounds(config: Config): Pick<GatewayOptions, 'bodies' | 'patience'> {
  const { inAll: maxHeldBytes, each: maxHeldBytesEach } = shareOf(config.heldBytes, config.keySharePercent);
  return {
    bodies: { maxHeldBytes, maxHeldBytesEach, idleMs: config.bodyIdleMs, totalMs: config.bodyTotalMs },
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
