import { createHash } from 'node:crypto';
import type { TransferTimeout } from '../forward/transfer-timeout.ts';
import type { Call } from './call.ts';

/** Encodings of a file, the smallest first. */
export const ENCODINGS = ['br', 'gzip'] as const;
export type Encoding = (typeof ENCODINGS)[number];

/** A file that the gateway holds in memory, with its headers. */
export interface StaticFile {
  readonly bytes: Buffer;
  readonly encoded: ReadonlyMap<Encoding, Buffer>;
  /** Has an `ETag` where a caller may keep the file. */
  readonly headers: Readonly<Record<string, string>>;
}

export const VARY = 'Accept-Encoding';

/** The `ETag` of a content. It is the same for all encodings. */
export function entityTag(bytes: Buffer): string {
  return `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`;
}

/**
 * Sends `file` in the first encoding that the caller accepts, or 304 if the caller has it already, by its `ETag`. Returns the number of
 * bytes. It closes the connection of a caller that reads so slowly that `transferTimeout` is over.
 */
export function sendFile(
  { request: { headers, method }, response }: Pick<Call, 'request' | 'response'>,
  file: StaticFile,
  transferTimeout: TransferTimeout,
): number {
  const { ETag, 'Cache-Control': cacheControl } = file.headers;
  if (ETag !== undefined && isNamed(headers['if-none-match'], ETag)) {
    response.writeHead(304, { ETag, Vary: VARY, ...(cacheControl !== undefined && { 'Cache-Control': cacheControl }) });
    response.end();
    return 0;
  }
  const encoding = ENCODINGS.find((name) => file.encoded.has(name) && accepts(headers['accept-encoding'], name));
  const bytes = (encoding === undefined ? undefined : file.encoded.get(encoding)) ?? file.bytes;
  response.writeHead(200, {
    ...file.headers,
    ...(encoding !== undefined && { 'Content-Encoding': encoding }),
    'Content-Length': bytes.length,
  });
  response.once(
    'close',
    transferTimeout.wait(() => response.destroy(), bytes.length),
  );
  response.end(bytes);
  return method === 'HEAD' ? 0 : bytes.length;
}

/** A proxy that compresses an answer marks its tag as weak. */
function isNamed(ifNoneMatch = '', tag: string): boolean {
  return ifNoneMatch.split(',').some((each) => each.trim().replace(/^W\//, '') === tag);
}

const ACCEPTS: Readonly<Record<Encoding, RegExp>> = {
  br: /(?:^|,)\s*br\s*(?:,|$|;\s*q=(?:1|0?\.\d*[1-9]))/i,
  gzip: /(?:^|,)\s*gzip\s*(?:,|$|;\s*q=(?:1|0?\.\d*[1-9]))/i,
};
function accepts(header: string | string[] | undefined, encoding: Encoding): boolean {
  return ACCEPTS[encoding].test(String(header ?? ''));
}
