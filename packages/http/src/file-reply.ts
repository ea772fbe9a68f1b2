import type { ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { create as attachment } from 'content-disposition';
import type { FileReply } from './route.ts';

/** Path separators, and characters that some system does not allow in a file name. */
const NOT_IN_A_FILE_NAME = /[\p{Cc}/\\:*?"<>|]+/gu;

/**
 * Headers for a file of unknown origin: a browser must not guess its type, and must run no script of it if it shows the file at
 * all.
 */
const HARMLESS = {
  'X-Content-Type-Options': 'nosniff',
  'Content-Security-Policy': "sandbox; default-src 'none'",
};

/**
 * Sends a file for download, with its name also in non-ASCII characters (RFC 6266), or 304 where `ifNoneMatch` names its `etag`.
 * Resolves when it is sent or the caller has left.
 *
 * @throws the error of `bytes`. Once the first bytes are sent, the answer is cut short.
 */
export async function sendFile(response: ServerResponse, { file }: FileReply, ifNoneMatch = ''): Promise<void> {
  if (response.headersSent || response.destroyed) return;
  if (file.etag !== undefined) {
    response.setHeader('ETag', file.etag).setHeader('Cache-Control', 'private, no-cache');
    if (names(ifNoneMatch, file.etag)) {
      response.writeHead(304).end();
      return;
    }
  }
  const { content, type } = file;
  const name = file.name.toWellFormed().replace(NOT_IN_A_FILE_NAME, '_');
  if (typeof content === 'string') {
    head(response, name, type).end(content);
    return;
  }
  const bytes = content.bytes[Symbol.asyncIterator]();
  // An error before the first bytes can still be answered with a status.
  const first = await bytes.next();
  head(response, name, type)
    .setHeader('Content-Length', content.length)
    .setHeader('Cache-Control', 'private, no-store');
  await sendBytes(response, first, bytes);
}

/** Whether a list of tags names `etag`; weak ones are compared without their mark (RFC 9110, 13.1.2). */
function names(list: string, etag: string): boolean {
  const bare = (tag: string): string => tag.trim().replace(/^W\//, '');
  return list.split(',').some((tag) => bare(tag) === bare(etag));
}

function head(response: ServerResponse, name: string, type: string): ServerResponse {
  for (const [header, value] of Object.entries(HARMLESS)) response.setHeader(header, value);
  return response.setHeader('Content-Disposition', attachment(name)).setHeader('Content-Type', type);
}

async function sendBytes(
  response: ServerResponse,
  first: IteratorResult<Uint8Array>,
  others: AsyncIterator<Uint8Array>,
): Promise<void> {
  const failures: unknown[] = [];
  async function* all(): AsyncGenerator<Uint8Array, void> {
    try {
      for (let next = first; next.done !== true; next = await others.next()) yield next.value;
    } catch (error) {
      failures.push(error);
      throw error;
    }
  }
  // A caller that leaves is not a failure.
  await pipeline(all(), response).catch(() => undefined);
  await others.return?.();
  for (const failure of failures) throw failure;
}
