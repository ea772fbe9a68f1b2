import type { ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { create as attachment } from 'content-disposition';
import type { FileReply } from './route.ts';

/** What separates folders, or may not be in the name of a file on some system. */
const NOT_IN_A_FILE_NAME = /[\p{Cc}/\\:*?"<>|]+/gu;

/**
 * What a browser is told of a file that anybody may have written: to keep it, not to guess what it is, and, should it show
 * the file all the same, to run nothing of it.
 */
const HARMLESS = {
  'X-Content-Type-Options': 'nosniff',
  'Content-Security-Policy': "sandbox; default-src 'none'",
};

/**
 * Sends a file to be saved under its name; letters outside of ASCII reach clients that can read them (RFC 6266). Resolves
 * when it is sent or the caller has left.
 *
 * @throws whatever ends the bytes before their end; once the first are sent, the answer is cut short.
 */
export async function sendFile(response: ServerResponse, { file }: FileReply): Promise<void> {
  if (response.headersSent || response.destroyed) return;
  const { content, type } = file;
  const name = file.name.toWellFormed().replace(NOT_IN_A_FILE_NAME, '_');
  if (typeof content === 'string') {
    head(response, name, type).end(content);
    return;
  }
  const bytes = content.bytes[Symbol.asyncIterator]();
  // Until the first bytes are here, the answer may still become a refusal.
  const first = await bytes.next();
  head(response, name, type)
    .setHeader('Content-Length', content.length)
    .setHeader('Cache-Control', 'private, no-store');
  await sendBytes(response, first, bytes);
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
  // A caller who leaves has had enough, and is nobody's failure.
  await pipeline(all(), response).catch(() => undefined);
  await others.return?.();
  for (const failure of failures) throw failure;
}
