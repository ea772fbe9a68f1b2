import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import type { Dispatcher } from 'undici';
import { AppError, BadGatewayError, GatewayTimeoutError, UnavailableError } from '@tocsin/errors';
import type { Patience } from './patience.ts';

/** Headers that end at the gateway: hop by hop ones, and those that it writes itself (E3). */
const NOT_PASSED_ON: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'date',
  'x-request-id',
  'x-response-time',
]);

const SILENCE: ReadonlySet<string | undefined> = new Set(['UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT']);

/** Whom an answer goes to. */
export interface Answered {
  readonly response: ServerResponse;
  /** Sets the headers of every answer that depend on the time (E3). */
  readonly stamp: () => void;
  /** With a caller who is slow to take the answer; at its end the connection is cut. */
  readonly patience: Patience;
  /** Whether an answer of so many bytes may be held until it is taken. */
  readonly hold: (bytes: number) => boolean;
}

/** An answer up to this size is whole before its first byte goes on, so one that breaks off can become a 502. */
const HELD_BYTES = 262_144;

export interface ExchangeEnd {
  /** The service has answered, with whatever status; the rest of its answer is still to come. */
  readonly answered: () => void;
  /** The answer is on its way to the caller, or was cut off where its beginning is there already. */
  readonly done: () => void;
  /** Nothing has reached the caller, who may have left meanwhile. */
  readonly failed: (error: AppError) => void;
}

/** One request at a service, and its answer on the way to the caller. */
export class Exchange implements Dispatcher.DispatchHandler {
  readonly #response: ServerResponse;
  readonly #caller: Answered;
  readonly #end: ExchangeEnd;
  /** Whether the request may have reached the service. */
  #sent = false;
  #status = 0;
  #headers: IncomingHttpHeaders = {};
  /** The chunks of an answer that is held back; undefined while it streams. */
  #held: Buffer[] | undefined;

  constructor(caller: Answered, end: ExchangeEnd) {
    this.#response = caller.response;
    this.#caller = caller;
    this.#end = end;
  }

  /** @throws Error where undici would send it a second time: the service may have done it already. */
  onRequestStart(): void {
    if (this.#sent) throw new Error('The connection broke before the answer.');
    this.#sent = true;
  }

  onResponseStart(controller: Dispatcher.DispatchController, status: number, headers: IncomingHttpHeaders): void {
    if (status < 200) return;
    this.#status = status;
    this.#headers = headers;
    this.#end.answered();
    const length = Number(headers['content-length'] ?? Infinity);
    if (length <= HELD_BYTES && this.#caller.hold(length)) {
      this.#held = [];
      return;
    }
    const leave = () => {
      if (!this.#response.writableFinished) controller.abort(new Error('The caller left.'));
    };
    if (this.#response.destroyed) {
      leave();
      return;
    }
    this.#begin();
    if (this.#response.req.method === 'HEAD') {
      this.#response.end();
      controller.abort(new Error('The head is all that was asked for.'));
      return;
    }
    this.#response.flushHeaders();
    this.#response.once('close', leave);
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#held !== undefined) {
      this.#held.push(chunk);
    } else if (!this.#response.write(chunk)) {
      controller.pause();
      this.#whenTaken('drain', () => {
        controller.resume();
      });
    }
  }

  onResponseEnd(): void {
    if (this.#held === undefined) {
      this.#response.end();
    } else {
      this.#begin();
      this.#response.end(this.#held.length === 1 ? this.#held[0] : Buffer.concat(this.#held));
    }
    this.#whenTaken('finish', () => undefined);
    this.#end.done();
  }

  onResponseError(_: Dispatcher.DispatchController, error: Error): void {
    const unheard = this.#response.destroyed ? this.#status === 0 : !this.#response.headersSent;
    if (unheard) {
      this.#end.failed(troubleOf(error, this.#sent));
      return;
    }
    // A caller that is still there sees an answer that stops short: the only way left to say that it is not whole.
    if (!this.#response.writableEnded) this.#response.destroy();
    this.#end.done();
  }

  /** Waits until the caller has taken what was written; one who is too slow is cut off. */
  #whenTaken(sign: 'drain' | 'finish', then: () => void): void {
    if (this.#response.destroyed) return;
    const { patience } = this.#caller;
    const bytes = this.#response.writableLength;
    const stop = patience.wait(() => this.#response.destroy());
    this.#response.once('close', stop).once(sign, () => {
      this.#response.off('close', stop);
      stop();
      patience.moved(bytes);
      then();
    });
  }

  #begin(): void {
    this.#response.statusCode = this.#status;
    for (const [name, value] of Object.entries(this.#headers)) {
      if (value !== undefined && !NOT_PASSED_ON.has(name)) this.#response.setHeader(name, value);
    }
    this.#caller.stamp();
  }
}

/**
 * E2: away before anything was sent is 503, silent is 504, everything after is a broken answer, 502. A body that goes on as it
 * comes may have failed by itself.
 */
function troubleOf(error: Error & { code?: string }, sent: boolean): AppError {
  if (error instanceof AppError) return error;
  if (SILENCE.has(error.code)) {
    return new GatewayTimeoutError('A service did not answer in time. Please try again.', { cause: error });
  }
  if (sent) return new BadGatewayError('A service broke off its answer. Please try again.', { cause: error });
  return new UnavailableError('A service that is needed is away. Please try again.', { cause: error });
}
