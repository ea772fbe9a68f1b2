import { TargetTooLongError } from '@tocsin/core';

/** The parts of a request's target, the second word of its first line. */
export interface RequestTarget {
  /** Still percent-encoded. */
  readonly path: string;
  /** Path and query as a service gets them, without the key (K1). */
  readonly forwarded: string;
  /** The value of the first `apiKey` of the query, decoded. */
  readonly apiKey: string | undefined;
}

/** Of path and query. A search of 1 000 code points, each encoded, has 12 000 bytes (A11). */
export const MAX_TARGET_BYTES = 16_384;

const KEY = 'apiKey=';
/** Clients that use the gateway as a proxy write this before the path. */
const ORIGIN = /^https?:\/\/[^/?]*/i;

/**
 * Reads a request's target. All parts of the query but the key stay as they were written, byte for byte.
 *
 * @throws TargetTooLongError over {@link MAX_TARGET_BYTES}.
 */
export function requestTarget(written: string): RequestTarget {
  if (written.length > MAX_TARGET_BYTES) throw new TargetTooLongError('Path and query are longer than 16 KB.');
  const url = written.startsWith('/') ? written : written.replace(ORIGIN, '');
  const mark = url.indexOf('?');
  if (mark < 0) return { path: url, forwarded: url, apiKey: undefined };
  const path = url.slice(0, mark);
  if (!url.includes(KEY, mark)) return { path, forwarded: url, apiKey: undefined };
  const parts = url.slice(mark + 1).split('&');
  const key = parts.find((part) => part.startsWith(KEY))?.slice(KEY.length);
  const others = parts.filter((part) => !part.startsWith(KEY));
  return {
    path,
    forwarded: others.length === 0 ? path : `${path}?${others.join('&')}`,
    apiKey: key === undefined ? undefined : decoded(key),
  };
}

function decoded(value: string): string {
  try {
    return decodeURIComponent(value.replaceAll('+', ' '));
  } catch {
    return value;
  }
}
