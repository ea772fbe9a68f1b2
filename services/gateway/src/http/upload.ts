import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { ATTACHMENT_LIMITS } from '@tocsin/contracts';
import { MalformedError, TimedOutError, TooLargeError } from '@tocsin/errors';
import { hasBody } from '@tocsin/http';
import type { Patience } from './patience.ts';

/** What a form has beside its file: the heads of its parts and its fields. */
const FORM_BYTES = 65_536;
const MAX_UPLOAD_BYTES = ATTACHMENT_LIMITS.bytes + FORM_BYTES;
/** Events after which there may be more to read, or an end. */
const CHANGES = ['readable', 'end', 'error', 'close'] as const;

/**
 * The bytes of a request's body as they come, for a service that reads them no faster than it can use them; undefined where
 * there are none. They end with MalformedError when the caller breaks off; with TimedOutError when `patience` with the caller
 * is at its end while the service waits; with TooLargeError once they are more than a file of 50 MB can need (E2).
 *
 * @throws TooLargeError at once where they are announced to be more.
 */
export function uploadOf(request: IncomingMessage, patience: Patience): Readable | undefined {
  if (!hasBody(request)) return undefined;
  if (Number(request.headers['content-length'] ?? 0) > MAX_UPLOAD_BYTES) throw tooLarge();
  return Readable.from(arriving(request, patience), { objectMode: false });
}

async function* arriving(request: IncomingMessage, patience: Patience): AsyncGenerator<Buffer, void> {
  let bytes = 0;
  try {
    for (;;) {
      const chunk = request.read() as Buffer | null;
      if (chunk !== null) {
        patience.moved(chunk.length);
        bytes += chunk.length;
        if (bytes > MAX_UPLOAD_BYTES) throw tooLarge();
        yield chunk;
      } else if (request.readableEnded) return;
      else if (request.destroyed) throw new MalformedError('Request body ended too soon.');
      else await change(request, patience);
    }
  } finally {
    // Many callers read no answer before they have sent all.
    request.resume();
  }
}

/** Resolves when there may be more to read, or none ever. */
async function change(request: IncomingMessage, patience: Patience): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<unknown>();
  const stop = patience.wait(() => {
    reject(new TimedOutError('Request body did not arrive in time.'));
  });
  for (const event of CHANGES) request.once(event, resolve);
  try {
    await promise;
  } finally {
    stop();
    for (const event of CHANGES) request.off(event, resolve);
  }
}

const tooLarge = (): TooLargeError => new TooLargeError('Request body is larger than 50 MB.');
