import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { type BodyBounds, type HttpServerOptions, isLoopback, MAX_BODY_BYTES, shareOf } from '@tocsin/http';
import { serviceConfig } from '@tocsin/service';
import type { TransferTimeoutBounds } from './forward/transfer-timeout.ts';
import { rateSetting, ratesSetting } from './rate-limit/settings.ts';

const words = z
  .string()
  .transform((list) => list.split(',').map((word) => word.trim()))
  .refine((list) => list.every((word) => /^[\w-]+$/.test(word)), 'needs words separated by commas');

/** Each origin must be written as browsers write it: others never match. */
const origins = z
  .string()
  .transform((list) => list.split(',').map((origin) => origin.trim()))
  .superRefine((list, context) => {
    for (const origin of list) {
      if (/^https?:/.test(origin) && URL.parse(origin)?.origin === origin) continue;
      const message = `needs origins separated by commas, each scheme, host and port such as https://status.example.com, not ${JSON.stringify(origin)}`;
      context.addIssue({ code: 'custom', message });
    }
  });

/** A key goes there: over https, or to a process of this machine. */
const originOfOpsgenie = z.string().refine((written) => {
  const url = URL.parse(written);
  return (
    url?.origin === written && (url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.hostname)))
  );
}, 'needs an origin with https and without a path, such as https://api.opsgenie.com; http leads to this machine alone');

/** Where the console is built in the repository. An image names another folder. */
const CONSOLE_BUILD = fileURLToPath(new URL('../../../packages/console/dist', import.meta.url));

/** One body, and what it costs to hold it in pieces. */
export const MIN_HELD_BYTES = 2 * MAX_BODY_BYTES;

/** The settings of the gateway beside those of every service. */
export const Config = serviceConfig({
  /** The words that may stand before a key in `Authorization`, beside `Basic` (K1). */
  API_KEY_SCHEMES: words.default(['ServiceKey', 'GenieKey']),
  /** Scheme and host under which callers know the installation (A12). By default those of the request. */
  PUBLIC_URL: z
    .url({ protocol: /^https?$/, error: 'should be a URL such as https://tocsin.example.com' })
    .transform((url) => url.replace(/\/+$/, ''))
    .optional(),
  /** The script of Scalar, which shows the API description at `/docs`. By default there is no such page. */
  DOCS_PAGE_SCRIPT: z.string().min(1).optional(),
  /** The files of the console. Without `index.html` in it, the gateway serves no console. */
  CONSOLE_DIR: z.string().min(1).default(CONSOLE_BUILD),
  /** The files of the console of the release before, whose assets are served to pages that are open during an upgrade. None by default. */
  CONSOLE_PREVIOUS_DIR: z.string().min(1).optional(),
  /** How many trusted proxies stand before the gateway, each of which adds to `X-Forwarded-For` (A3). */
  TRUSTED_PROXIES: z.coerce.number().int().min(0).max(10).default(0),
  /** Origins (scheme, host and port) whose pages may call from a browser (CORS). None by default. */
  CORS_ORIGINS: origins.optional(),
  /** Whether an account can be imported with its ids (I1). */
  IMPORT: z.stringbool().default(false),
  /** The API of Opsgenie to which requests of tools with keys of Opsgenie go (M5). By default none is forwarded. */
  FORWARD_TO_OPSGENIE: originOfOpsgenie.optional(),
  /** How long a service may be silent before the caller gets 504, in milliseconds of real time. */
  UPSTREAM_TIMEOUT_MS: z.coerce.number().int().min(100).max(120_000).default(15_000),
  /** How many requests are under way at a time to each service; as many more wait half a second, further ones get 503 (F3). */
  UPSTREAM_CONNECTIONS: z.coerce.number().int().min(1).max(10_000).default(256),
  /** After so many failed requests to a service in a row, callers get 503 at once instead of waiting for it. */
  CIRCUIT_FAILURES: z.coerce.number().int().min(1).max(1_000).default(5),
  /**
   * By then the service must have given no answer for this long. Afterwards one request at a time tries it, this often. In
   * milliseconds of real time.
   */
  CIRCUIT_RETRY_MS: z.coerce.number().int().min(100).max(60_000).default(1_000),
  /** How long a turn of a busy event loop may last before new requests get 503, in milliseconds of real time (F3). */
  BUSY_TURN_MS: z.coerce.number().int().min(5).max(60_000).default(20),
  /** How many files are transferred at a time to and from each service; further ones get 503. */
  FILES_AT_ONCE: z.coerce.number().int().min(1).max(10_000).default(64),
  /** How long a caller may send nothing of a file and read nothing of an answer, in milliseconds of real time. */
  CALLER_TIMEOUT_MS: z.coerce.number().int().min(100).max(600_000).default(60_000),
  /** The average rate at which a caller has to send a file and read an answer. */
  LEAST_BYTES_PER_SECOND: z.coerce.number().int().min(1).max(1_000_000).default(16_384),
  /** Memory for bodies of requests that are under way and for answers that callers have not read yet, in bytes. */
  HELD_BYTES: z.coerce.number().int().min(MIN_HELD_BYTES).max(1_073_741_824).default(67_108_864),
  /** How long a caller in the middle of a body that is no file may send nothing, in milliseconds of real time. */
  BODY_IDLE_MS: z.coerce.number().int().min(100).max(600_000).default(10_000),
  /** How long such a body may take as a whole, in milliseconds of real time. */
  BODY_TOTAL_MS: z.coerce.number().int().min(100).max(600_000).default(30_000),
  /** The share that one key may take of the connections to a service, of the places for files and of the bytes held; 100: all. */
  KEY_SHARE_PERCENT: z.coerce.number().int().min(1).max(100).default(75),
  /** How many pages may follow changes at a time at this process (L1). */
  CHANGE_STREAMS: z.coerce.number().int().min(1).max(10_000).default(1_000),
  /** How many connections callers may have. Further ones are closed. */
  MAX_CONNECTIONS: z.coerce.number().int().min(1).max(100_000).default(16_384),
  /**
   * How many connections one address may have. By default the share of a key, or all where trusted proxies stand before the
   * gateway.
   */
  MAX_CONNECTIONS_PER_ADDRESS: z.coerce.number().int().min(1).max(100_000).optional(),
  /** How many requests of a domain each key may send a second, and at once, to this process (F6); links by their address. */
  RATE_LIMITS: ratesSetting,
  /**
   * How many calls of providers of messages and products of chat an address may make a second, and at once, to this process. Each calls
   * from few addresses.
   */
  CALLBACK_LIMIT: rateSetting.default({ perSecond: 1_000, burst: 10_000 }),
  /** How many keys that do not exist an address may try a second, and at once, at this process. */
  FAILED_AUTH_LIMIT: rateSetting.default({ perSecond: 10, burst: 100 }),
  /** How many requests to sign in an address may send a second, and at once, to this process (K20). */
  SIGN_IN_LIMIT: rateSetting.default({ perSecond: 1, burst: 30 }),
}).superRefine(({ heldBytes, keySharePercent }, context) => {
  if (shareOf(heldBytes, keySharePercent).each < MIN_HELD_BYTES)
    context.addIssue({
      code: 'custom',
      path: ['HELD_BYTES'],
      message: `needs 2 MiB or more for each key: ${keySharePercent} % of ${heldBytes} (KEY_SHARE_PERCENT) is less`,
    });
});
export type Config = z.infer<typeof Config>;

/** The bounds of bodies. */
export function bodyBounds(config: Config): {
  readonly bodies: BodyBounds;
  readonly transferTimeout: TransferTimeoutBounds;
} {
  const held = { ...shareOf(config.heldBytes, config.keySharePercent), least: MIN_HELD_BYTES };
  return {
    bodies: { held, idleMs: config.bodyIdleMs, totalMs: config.bodyTotalMs },
    transferTimeout: { timeoutMs: config.callerTimeoutMs, leastBytesPerSecond: config.leastBytesPerSecond },
  };
}

/** How many connections callers may have. All that come through a trusted proxy come from its address. */
export function connectionBounds({
  maxConnections,
  maxConnectionsPerAddress,
  keySharePercent,
  trustedProxies,
}: Config): Required<Pick<HttpServerOptions, 'maxConnections' | 'maxConnectionsPerAddress'>> {
  const usual = trustedProxies > 0 ? maxConnections : shareOf(maxConnections, keySharePercent).each;
  return { maxConnections, maxConnectionsPerAddress: maxConnectionsPerAddress ?? usual };
}
