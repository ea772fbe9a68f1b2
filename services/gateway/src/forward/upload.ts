import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { ATTACHMENT_LIMITS } from '@tocsin/api';
import { MalformedError, TimedOutError, TooLargeError } from '@tocsin/core';
import { hasBody } from '@tocsin/http';
import type { TransferTimeout } from './transfer-timeout.ts';

/** Of a form beside its file: the heads of its parts and its fields. */
const FORM_BYTES = 65_536;
const MAX_UPLOAD_BYTES = ATTACHMENT_LIMITS.bytes + FORM_BYTES;
/** Events after which there may be more to read, or the end. */
const EVENTS = ['readable', 'end', 'error', 'close'] as const;

/**
 * The body of a request as a stream that the service reads as fast as it can process it; undefined where there is no body. It
 * ends with MalformedError when the caller breaks off, with TimedOutError when `transferTimeout` is over, and with TooLargeError
 * when it is longer than a file of 50 MB needs (E2).
 *
 * @throws TooLargeError where Content-Length is more than that.
 */
export function uploadOf(request: IncomingMessage, transferTimeout: TransferTimeout): Readable | undefined {
  if (!hasBody(request)) return undefined;
  if (Number(request.headers['content-length'] ?? 0) > MAX_UPLOAD_BYTES) throw tooLarge();
  return Readable.from(bytesOf(request, transferTimeout), { objectMode: false });
}

async function* bytesOf(request: IncomingMessage, transferTimeout: TransferTimeout): AsyncGenerator<Buffer, void> {
  let bytes = 0;
  try {
    for (;;) {
      const chunk = request.read() as Buffer | null;
      if (chunk !== null) {
        transferTimeout.moved(chunk.length);
        bytes += chunk.length;
        if (bytes > MAX_UPLOAD_BYTES) throw tooLarge();
        yield chunk;
      } else if (request.readableEnded) return;
      else if (request.destroyed) throw new MalformedError('Request body ended too soon.');
      else await nextEvent(request, transferTimeout);
    }
  } finally {
    // Many clients read the answer only when they have sent the whole body.
    request.resume();
  }
}

/** Resolves after the next of {@link EVENTS}. */
async function nextEvent(request: IncomingMessage, transferTimeout: TransferTimeout): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<unknown>();
  const stop = transferTimeout.wait(() => {
    reject(new TimedOutError('Request body did not arrive in time.'));
  });
  for (const event of EVENTS) request.once(event, resolve);
  try {
    await promise;
  } finally {
    stop();
    for (const event of EVENTS) request.off(event, resolve);
  }
}

const tooLarge = (): TooLargeError => new TooLargeError('Request body is larger than 50 MB.');
