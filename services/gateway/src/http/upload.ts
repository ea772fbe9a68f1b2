import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { ATTACHMENT_LIMITS } from '@tocsin/contracts';
import { MalformedError, TooLargeError } from '@tocsin/errors';
import { hasBody } from '@tocsin/http';

/** What a form has beside its file: the heads of its parts and its fields. */
const FORM_BYTES = 65_536;
const MAX_UPLOAD_BYTES = ATTACHMENT_LIMITS.bytes + FORM_BYTES;

/**
 * The bytes of a request's body as they come, for a service that reads them no faster than it can use them; undefined where
 * there are none. They end with MalformedError when the caller breaks off, or sends nothing for `timeoutMs` of real time while
 * the service waits; with TooLargeError once they are more than a file of 50 MB can need (E2).
 *
 * @throws TooLargeError at once where they are announced to be more.
 */
export function uploadOf(request: IncomingMessage, timeoutMs: number): Readable | undefined {
  if (!hasBody(request)) return undefined;
  if (Number(request.headers['content-length'] ?? 0) > MAX_UPLOAD_BYTES) throw tooLarge();
  return Readable.from(arriving(request, timeoutMs), { objectMode: false });
}

async function* arriving(request: IncomingMessage, timeoutMs: number): AsyncGenerator<Buffer, void> {
  // Destroying a request would take the connection along on which the refusal is to be told.
  const chunks = request.iterator({ destroyOnReturn: false });
  let bytes = 0;
  try {
    for (;;) {
      const { done, value } = await next(chunks, request, timeoutMs);
      if (done === true) return;
      const chunk = value as Buffer;
      bytes += chunk.length;
      if (bytes > MAX_UPLOAD_BYTES) throw tooLarge();
      yield chunk;
    }
  } finally {
    await chunks.return?.();
    // Many callers read no answer before they have sent all.
    request.resume();
  }
}

async function next(chunks: NodeJS.AsyncIterator<unknown>, request: IncomingMessage, timeoutMs: number) {
  const patience = setTimeout(() => request.destroy(new Error('The caller sends nothing.')), timeoutMs);
  try {
    return await chunks.next();
  } catch (error) {
    throw new MalformedError('Request body ended too soon.', { cause: error });
  } finally {
    clearTimeout(patience);
  }
}

const tooLarge = (): TooLargeError => new TooLargeError('Request body is larger than 50 MB.');
