import type { IncomingMessage, ServerResponse } from 'node:http';
import { type AppError, MalformedError, TimedOutError, TooLargeError, UnavailableError } from '@tocsin/errors';

/** The largest body of a request that is not multipart, in bytes, before and after it is decompressed (E2). */
export const MAX_BODY_BYTES = 1_048_576;

/** Up to here a body that is too large is read and dropped: many callers read no answer before they have sent all. */
const DROPPED_BYTES = 16 * MAX_BODY_BYTES;

export interface BodyBounds {
  /** Of all bodies together, from their first byte until their requests are answered; 64 MiB unless given. */
  readonly maxHeldBytes?: number;
  /** How long a caller in the middle of a body may send nothing, real time; 10 s unless given. */
  readonly idleMs?: number;
  /** How long a whole body may take, real time; 30 s unless given. */
  readonly totalMs?: number;
}

const DEFAULTS: Required<BodyBounds> = { maxHeldBytes: 67_108_864, idleMs: 10_000, totalMs: 30_000 };

/** Reads whole bodies, for no longer and into no more memory than is good for everybody else. */
export class HeldBodies {
  readonly #bounds: Required<BodyBounds>;
  #heldBytes = 0;

  constructor(bounds: BodyBounds = {}) {
    this.#bounds = { ...DEFAULTS, ...bounds };
  }

  /**
   * The bytes of a request's body as they were sent, undefined where there are none. They count as held until `response`,
   * the answer to it, is over.
   *
   * @throws TooLargeError over 1 MiB (E2); TimedOutError when the caller is too slow; UnavailableError while too many bytes
   *   are held; MalformedError when the caller breaks off.
   */
  collect(request: IncomingMessage, response: ServerResponse): Promise<Buffer | undefined> {
    if (!hasBody(request)) return Promise.resolve(undefined);
    if (request.destroyed) return Promise.reject(brokenOff());
    if (Number(request.headers['content-length']) > DROPPED_BYTES) return Promise.reject(tooLarge());
    return this.#collect(request, response);
  }

  #collect(request: IncomingMessage, response: ServerResponse): Promise<Buffer | undefined> {
    const { idleMs, totalMs, maxHeldBytes } = this.#bounds;
    const { promise, resolve, reject } = Promise.withResolvers<Buffer | undefined>();
    const startedAtMs = performance.now();
    const chunks: Buffer[] = [];
    let [bytes, held, over] = [0, 0, false];
    const drop = () => {
      chunks.length = 0;
      this.#heldBytes -= held;
      held = 0;
    };
    const end = () => {
      over = true;
      clearTimeout(patience);
    };
    const refuse = (error: AppError) => {
      end();
      drop();
      reject(error);
    };
    const patience = setTimeout(() => {
      refuse(tooSlow());
    }, idleMs);
    request.on('data', (chunk: Buffer) => {
      if (over) return;
      patience.refresh();
      bytes += chunk.length;
      if (performance.now() - startedAtMs > totalMs) refuse(tooSlow());
      else if (bytes > DROPPED_BYTES) refuse(tooLarge());
      else if (bytes > MAX_BODY_BYTES) drop();
      else if (this.#heldBytes + chunk.length > maxHeldBytes) refuse(tooMany());
      else {
        this.#heldBytes += chunk.length;
        held += chunk.length;
        chunks.push(chunk);
      }
    });
    request.once('end', () => {
      if (over) return;
      end();
      if (bytes > MAX_BODY_BYTES) refuse(tooLarge());
      else resolve(joined(chunks));
    });
    ignoreErrors(request).once('close', () => {
      if (!request.complete) refuse(brokenOff());
    });
    response.once('close', drop);
    return promise;
  }
}

/** Errors are followed by a close, and a close that follows the end is none of our business. */
function ignoreErrors(request: IncomingMessage): IncomingMessage {
  return request.once('error', () => undefined);
}

function joined(chunks: readonly Buffer[]): Buffer | undefined {
  return chunks.length > 1 ? Buffer.concat(chunks) : chunks[0];
}

/** Whether there is anything to read. */
export function hasBody({ headers }: IncomingMessage): boolean {
  const announced = headers['content-length'];
  return announced === undefined ? headers['transfer-encoding'] !== undefined : announced !== '0';
}

function tooLarge(): TooLargeError {
  return new TooLargeError('Request body is larger than 1 MiB.');
}

function brokenOff(): MalformedError {
  return new MalformedError('Request body ended too soon.');
}

function tooSlow(): TimedOutError {
  return new TimedOutError('Request body did not arrive in time.');
}

function tooMany(): UnavailableError {
  return new UnavailableError('Too many requests are under way. Please try again.');
}
