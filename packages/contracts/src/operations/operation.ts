/** The services of an installation; the gateway last, because it forwards to the others. */
export const SERVICES = [
  'directory',
  'scheduling',
  'alert-ingest',
  'alert-processor',
  'heartbeat-monitor',
  'notifier',
  'gateway',
] as const;
export type ServiceName = (typeof SERVICES)[number];

/**
 * What a key needs for an operation (K3): reads of alerts, pings and what changes nothing need no right; `write` needs
 * `allowWriteAccess`; the configuration ones need `allowConfigurationAccess`, and write access too where they write. `link`
 * needs no key: the path itself is signed by its owner, and opens one thing for a while (A13). Nor does `callback`: a provider
 * calls, and the owner checks what it was given and what it signs.
 */
export type Right = 'read' | 'write' | 'read-configuration' | 'write-configuration' | 'link' | 'callback';

/** The groups of operations that share a rate limit, in the words that clients know (F1; wire facts 1.4). */
export const DOMAINS = ['alert', 'heartbeat', 'integration', 'configuration', 'search', 'schedule-oncalls'] as const;
export type Domain = (typeof DOMAINS)[number];

/** The methods that documented paths take. */
export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** One documented operation, as gateway and services read it alike. */
export interface Operation {
  /** Unique, in words: what the operation does to what. */
  readonly id: string;
  readonly method: Method;
  /** With `{parameter}` segments, without a trailing slash. */
  readonly path: string;
  readonly right: Right;
  readonly domain: Domain;
  readonly owner: ServiceName;
  readonly summary: string;
  /** Refused to every team key, whatever its rights (K8). */
  readonly teamKeys?: 'refused';
  /** A body that may be long, of the request or of the answer: it passes the gateway as it comes, and is never held whole. */
  readonly transfer?: 'upload' | 'download';
  /** Headers of the caller that reach the owner beside those of every request; lower case. */
  readonly passedHeaders?: readonly string[];
  /** The longest body, as it is sent and decompressed; of every operation that takes one but uploads (E2). */
  readonly maxBodyBytes?: number;
}

/** What switches something, moves it or asks about the key itself says little, or nothing. */
export const SMALL_BODY = { maxBodyBytes: 16_384 } as const;
/** An alert with everything that it may have, or one thing that is configured. */
export const MEDIUM_BODY = { maxBodyBytes: 262_144 } as const;
/** What has lists of things that are themselves long: conditions, actions of an integration, rotations. */
export const LARGE_BODY = { maxBodyBytes: 1_048_576 } as const;
