import { z } from 'zod';
import { serviceConfig } from '@tocsin/service-kit';

const words = z
  .string()
  .transform((list) => list.split(',').map((word) => word.trim()))
  .refine((list) => list.every((word) => /^[\w-]+$/.test(word)), 'needs words separated by commas');

/** What the gateway is told beside what every service is told. */
export const Config = serviceConfig({
  /** The words that may stand before a key in `Authorization`, beside `Basic` (K1). */
  API_KEY_SCHEMES: words.default(['ServiceKey', 'GenieKey']),
  /** Scheme and host under which callers know the installation (A12); unset: what they asked for. */
  PUBLIC_URL: z
    .url({ protocol: /^https?$/, error: 'should be a URL such as https://tocsin.example.com' })
    .transform((url) => url.replace(/\/+$/, ''))
    .optional(),
  /** How many proxies of ours stand before the gateway, each of which adds to `X-Forwarded-For` (A3). */
  TRUSTED_PROXIES: z.coerce.number().int().min(0).max(10).default(0),
  /** How long a service may be silent before the caller is told 504, in milliseconds of real time. */
  UPSTREAM_TIMEOUT_MS: z.coerce.number().int().min(100).max(120_000).default(15_000),
  /** How many requests are under way at a time to each service; as many more wait half a second, the next hear 503 (F3). */
  UPSTREAM_CONNECTIONS: z.coerce.number().int().min(1).max(10_000).default(256),
  /** How long a caller may neither send nor take anything in the middle of a long body, in milliseconds of real time. */
  CALLER_TIMEOUT_MS: z.coerce.number().int().min(100).max(600_000).default(60_000),
});
export type Config = z.infer<typeof Config>;
