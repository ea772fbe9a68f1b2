import { TargetTooLongError } from '@tocsin/core';

/** The parts of a request's target, the second word of its first line. */
export interface RequestTarget {
  /** Still percent-encoded, without the key. */
  readonly path: string;
  /** Path and query as a service gets them, without the key (K1, Q2). */
  readonly forwarded: string;
  /** The key in the path of the request of a tool (Q2), decoded. */
  readonly pathKey: string | undefined;
  /** The value of the first `apiKey` of the query, decoded. */
  readonly queryKey: string | undefined;
}

/** Of path and query. A search of 1 000 code points, each encoded, has 12 000 bytes (A11). */
export const MAX_TARGET_BYTES = 16_384;

const KEY = 'apiKey=';
/** Clients that use the gateway as a proxy write this before the path. */
const ORIGIN = /^https?:\/\/[^/?]*/i;
/** What stands for our root, and for one of its paths, in the addresses of senders (Q1). */
const ALIASES = [
  ['/jsm/ops/integration/', '/'],
  ['/v1/json/integrations/webhooks/', '/v1/json/'],
] as const;
const KEYED_PATH = /^\/hooks\/([^/?]+)/;
/** Takes the place of a key, in the path of a request that has it elsewhere too. */
const NO_KEY = '-';

/**
 * Reads a request's target. All parts of path and query but aliases and the key stay as they were written, byte for byte.
 *
 * @throws TargetTooLongError over {@link MAX_TARGET_BYTES}.
 */
export function requestTarget(written: string): RequestTarget {
  if (written.length > MAX_TARGET_BYTES) throw new TargetTooLongError('Path and query are longer than 16 KB.');
  const url = writtenTarget(written);
  const mark = url.indexOf('?');
  const { path, pathKey } = readPath(mark < 0 ? url : url.slice(0, mark));
  if (mark < 0) return { path, forwarded: path, pathKey, queryKey: undefined };
  const { query, queryKey } = readQuery(url.slice(mark));
  return { path, forwarded: `${path}${query}`, pathKey, queryKey };
}

/** Path and query as the caller wrote them, with the key. Never to be logged. */
export const writtenTarget = (written: string): string =>
  written.startsWith('/') ? written : written.replace(ORIGIN, '');

function readPath(written: string): Pick<RequestTarget, 'path' | 'pathKey'> {
  let path = written;
  for (const [alias, meant] of ALIASES) if (path.startsWith(alias)) path = meant + path.slice(alias.length);
  const key = KEYED_PATH.exec(path)?.[1];
  if (key === undefined || key === NO_KEY) return { path, pathKey: undefined };
  return { path: path.replace(KEYED_PATH, `/hooks/${NO_KEY}`), pathKey: decoded(key) };
}

/** `written` begins with the question mark. */
function readQuery(written: string): { readonly query: string; readonly queryKey: string | undefined } {
  if (!written.includes(KEY)) return { query: written, queryKey: undefined };
  const parts = written.slice(1).split('&');
  const key = parts.find((part) => part.startsWith(KEY))?.slice(KEY.length);
  const others = parts.filter((part) => !part.startsWith(KEY));
  return {
    query: others.length === 0 ? '' : `?${others.join('&')}`,
    queryKey: key === undefined ? undefined : decoded(key.replaceAll('+', ' ')),
  };
}

function decoded(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}
