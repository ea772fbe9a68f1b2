import type { IncomingMessage } from 'node:http';
import { type AppError, MalformedError, TooLargeError } from '@tocsin/errors';

/** The largest body of a request that is not multipart, in bytes, before and after it is decompressed (E2). */
export const MAX_BODY_BYTES = 1_048_576;

/** Up to here a body that is too large is read and dropped: many callers read no answer before they have sent all. */
const DROPPED_BYTES = 16 * MAX_BODY_BYTES;

/**
 * The bytes of a request's body as they were sent, undefined where there are none.
 *
 * @throws TooLargeError over 1 MiB (E2); MalformedError when the caller breaks off.
 */
export function collectBody(request: IncomingMessage): Promise<Buffer | undefined> {
  if (!hasBody(request)) return Promise.resolve(undefined);
  if (request.destroyed) return Promise.reject(brokenOff());
  if (Number(request.headers['content-length']) > DROPPED_BYTES) return Promise.reject(tooLarge());
  return collect(request);
}

/** Whether there is anything to read. */
export function hasBody({ headers }: IncomingMessage): boolean {
  const announced = headers['content-length'];
  return announced === undefined ? headers['transfer-encoding'] !== undefined : announced !== '0';
}

function collect(request: IncomingMessage): Promise<Buffer | undefined> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    const refuse = (error: AppError) => {
      chunks.length = 0;
      reject(error);
    };
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes <= MAX_BODY_BYTES) chunks.push(chunk);
      else if (bytes > DROPPED_BYTES) refuse(tooLarge());
    });
    request.once('end', () => {
      if (bytes > MAX_BODY_BYTES) refuse(tooLarge());
      else if (bytes === 0) resolve(undefined);
      else resolve(chunks.length === 1 ? chunks[0] : Buffer.concat(chunks));
    });
    // Errors are followed by a close, and a close that follows the end is none of our business.
    request.once('error', () => undefined);
    request.once('close', () => {
      if (!request.complete) refuse(brokenOff());
    });
  });
}

function tooLarge(): TooLargeError {
  return new TooLargeError('Request body is larger than 1 MiB.');
}

function brokenOff(): MalformedError {
  return new MalformedError('Request body ended too soon.');
}
