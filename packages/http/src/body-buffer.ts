import type { IncomingMessage, ServerResponse } from 'node:http';
import { type AppError, MalformedError, TimedOutError, TooLargeError } from '@tocsin/core';
import { Admission, tooManyUnderWay } from './admission.ts';
import { type LimitResult, type ShareBounds, shareOf } from './fair-limit.ts';

/** The largest body of a request that is neither a file nor of a tool, in bytes, before and after it is decompressed (E2). */
export const MAX_BODY_BYTES = 1_048_576;

/**
 * A body that is too large is read and dropped up to this size, because many callers read the answer only after they have sent
 * everything.
 */
const DROPPED_BYTES = 16 * MAX_BODY_BYTES;

export interface BodyBounds {
  /** Bytes of all bodies together, and of one holder; a body counts from its first byte until its request is answered. */
  readonly held?: ShareBounds;
  /** How long a caller may pause within a body, real time; 10 s by default. */
  readonly idleMs?: number;
  /** How long a whole body may take, real time; 30 s by default. */
  readonly totalMs?: number;
}

/** Memory that a chunk takes beside its bytes: a body in chunks of one byte takes a hundred times its length. */
const PIECE_BYTES = 256;
/** 64 MiB, of which one holder leaves a quarter to others, and each may hold one body with its pieces. */
const HELD_BYTES: ShareBounds = { ...shareOf(67_108_864, 75), least: 2 * MAX_BODY_BYTES };
const IDLE_MS = 10_000;
const TOTAL_MS = 30_000;

interface Collecting {
  readonly holder?: string;
  readonly maxBytes?: number;
}

/** Reads whole bodies into memory, within bounds of time and memory. */
export class BodyBuffer {
  readonly #idleMs: number;
  readonly #totalMs: number;
  readonly #held: Admission;

  constructor({ held = HELD_BYTES, idleMs = IDLE_MS, totalMs = TOTAL_MS }: BodyBounds = {}) {
    this.#idleMs = idleMs;
    this.#totalMs = totalMs;
    this.#held = new Admission(held);
  }

  /**
   * The bytes of a request's body as they were sent; undefined where there are none. They count against `holder` until `response`
   * is closed.
   *
   * @throws TooLargeError over `maxBytes`, 1 MiB unless given (E2); TimedOutError when the caller is too slow; UnavailableError
   *   while too many bytes
   *   are held, in all or by this holder; MalformedError when the caller breaks off.
   */
  collect(
    request: IncomingMessage,
    response: ServerResponse,
    { holder = '', maxBytes = MAX_BODY_BYTES }: Collecting = {},
  ): Promise<Buffer | undefined> {
    if (!hasBody(request)) return Promise.resolve(undefined);
    if (request.destroyed) return Promise.reject(brokenOff());
    if (Number(request.headers['content-length']) > DROPPED_BYTES) return Promise.reject(tooLarge(maxBytes));
    return this.#collect(request, response, { holder, maxBytes });
  }

  /** Whether an answer of so many bytes may be in memory for `holder` too. Then they count until `response` is closed. */
  hold(bytes: number, response: ServerResponse, holder = ''): boolean {
    if (response.destroyed || this.#held.tryAcquire(holder, bytes) !== 'granted') return false;
    response.once('close', () => {
      this.#held.release(holder, bytes);
    });
    return true;
  }

  #collect(
    request: IncomingMessage,
    response: ServerResponse,
    { holder, maxBytes }: Required<Collecting>,
  ): Promise<Buffer | undefined> {
    const { promise, resolve, reject } = Promise.withResolvers<Buffer | undefined>();
    const startedAtMs = performance.now();
    const pieces = new Pieces(this.#held, holder);
    let [bytes, over] = [0, false];
    const end = () => {
      over = true;
      clearTimeout(idleTimer);
    };
    const refuse = (error: AppError) => {
      end();
      pieces.drop();
      reject(error);
    };
    const idleTimer = setTimeout(() => {
      refuse(tooSlow());
    }, this.#idleMs);
    request.on('data', (chunk: Buffer) => {
      if (over) return;
      idleTimer.refresh();
      bytes += chunk.length;
      if (performance.now() - startedAtMs > this.#totalMs) refuse(tooSlow());
      else if (bytes > DROPPED_BYTES) refuse(tooLarge(maxBytes));
      else if (bytes > maxBytes) pieces.drop();
      else {
        const result = pieces.add(chunk);
        if (result !== 'granted') refuse(tooManyUnderWay(result));
      }
    });
    request.once('end', () => {
      if (over) return;
      end();
      if (bytes > maxBytes) refuse(tooLarge(maxBytes));
      else resolve(pieces.joined());
    });
    ignoreErrors(request).once('close', () => {
      if (!request.complete) refuse(brokenOff());
    });
    response.once('close', () => {
      pieces.drop();
    });
    return promise;
  }
}

/** An error is always followed by `close`, which is handled. Without a listener the error would end the process. */
function ignoreErrors(request: IncomingMessage): IncomingMessage {
  return request.once('error', () => undefined);
}

/** The chunks of a body that have arrived. */
class Pieces {
  readonly #held: Admission;
  readonly #holder: string;
  #chunks: Buffer[] = [];
  #cost = 0;

  constructor(held: Admission, holder: string) {
    this.#held = held;
    this.#holder = holder;
  }

  add(chunk: Buffer): LimitResult {
    const cost = chunk.length + PIECE_BYTES;
    const result = this.#held.tryAcquire(this.#holder, cost);
    if (result !== 'granted') return result;
    this.#cost += cost;
    this.#chunks.push(chunk);
    return result;
  }

  drop(): void {
    this.#chunks = [];
    this.#held.release(this.#holder, this.#cost);
    this.#cost = 0;
  }

  joined(): Buffer | undefined {
    return this.#chunks.length > 1 ? Buffer.concat(this.#chunks) : this.#chunks[0];
  }
}

/** Whether there is anything to read. */
export function hasBody({ headers }: IncomingMessage): boolean {
  const announced = headers['content-length'];
  return announced === undefined ? headers['transfer-encoding'] !== undefined : announced !== '0';
}

/** The refusal of a body of more than `maxBytes`, a whole number of KiB, and of MiB from 1 MiB on (E2). */
export function tooLarge(maxBytes: number): TooLargeError {
  const size = maxBytes >= MAX_BODY_BYTES ? `${maxBytes / MAX_BODY_BYTES} MiB` : `${maxBytes / 1_024} KiB`;
  return new TooLargeError(`Request body is larger than ${size}.`);
}

function brokenOff(): MalformedError {
  return new MalformedError('Request body ended too soon.');
}

function tooSlow(): TimedOutError {
  return new TimedOutError('Request body did not arrive in time.');
}
