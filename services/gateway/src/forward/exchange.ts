import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import type { Dispatcher } from 'undici';
import { AppError, BadGatewayError, GatewayTimeoutError, UnavailableError } from '@tocsin/core';
import type { TransferTimeout } from './transfer-timeout.ts';

/** Headers that are not passed on: hop by hop ones, and those that the gateway writes itself (E3). */
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

/** Codes of undici. */
const TIMEOUT_CODES: ReadonlySet<string | undefined> = new Set(['UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT']);

/** The answer to the caller, and its bounds. */
export interface ClientResponse {
  readonly response: ServerResponse;
  /** Sets the header with the time that the answer took (E3). */
  readonly setResponseTime: () => void;
  /** The time that the caller has to read the answer. Then its connection is closed. */
  readonly transferTimeout: TransferTimeout;
  /** Reserves memory for an answer of so many bytes until the caller has read it. False where there is none left. */
  readonly hold: (bytes: number) => boolean;
}

/** An answer up to this size is buffered as a whole before it is sent, so one that breaks off becomes a 502. */
const MAX_BUFFERED_BYTES = 262_144;

/** Called as an exchange goes on. */
export interface ExchangeEvents {
  /** The service answers, with any status. The body of its answer is still to come. */
  readonly onAnswered: () => void;
  /** The answer was written, or cut off after its beginning had been sent. */
  readonly onDone: () => void;
  /** Nothing was sent to the caller, which may have left. */
  readonly onFailed: (error: AppError) => void;
}

/** One request to a service. Passes the answer on to the caller. */
export class Exchange implements Dispatcher.DispatchHandler {
  readonly #response: ServerResponse;
  readonly #client: ClientResponse;
  readonly #events: ExchangeEvents;
  /** Whether the request may have reached the service. */
  #sent = false;
  #status = 0;
  #headers: IncomingHttpHeaders = {};
  /** The chunks of an answer that is buffered; undefined where it streams. */
  #buffered: Buffer[] | undefined;

  constructor(client: ClientResponse, events: ExchangeEvents) {
    this.#response = client.response;
    this.#client = client;
    this.#events = events;
  }

  /** @throws Error where undici would send the request again: the service may have carried it out. */
  onRequestStart(): void {
    if (this.#sent) throw new Error('The connection broke before the answer.');
    this.#sent = true;
  }

  onResponseStart(controller: Dispatcher.DispatchController, status: number, headers: IncomingHttpHeaders): void {
    if (status < 200) return;
    this.#status = status;
    this.#headers = headers;
    this.#events.onAnswered();
    const length = Number(headers['content-length'] ?? Infinity);
    if (length <= MAX_BUFFERED_BYTES && this.#client.hold(length)) {
      this.#buffered = [];
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
      controller.abort(new Error('The request was HEAD.'));
      return;
    }
    this.#response.flushHeaders();
    this.#response.once('close', leave);
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#buffered !== undefined) {
      this.#buffered.push(chunk);
    } else if (!this.#response.write(chunk)) {
      controller.pause();
      this.#afterRead('drain', () => {
        controller.resume();
      });
    }
  }

  onResponseEnd(): void {
    if (this.#buffered === undefined) {
      this.#response.end();
    } else {
      this.#begin();
      this.#response.end(this.#buffered.length === 1 ? this.#buffered[0] : Buffer.concat(this.#buffered));
    }
    this.#afterRead('finish', () => undefined);
    this.#events.onDone();
  }

  onResponseError(_: Dispatcher.DispatchController, error: Error): void {
    const isUnanswered = this.#response.destroyed ? this.#status === 0 : !this.#response.headersSent;
    if (isUnanswered) {
      this.#events.onFailed(errorOf(error, this.#sent));
      return;
    }
    // After the beginning, only a connection that breaks shows the caller that the answer is not whole.
    if (!this.#response.writableEnded) this.#response.destroy();
    this.#events.onDone();
  }

  /** Calls `then` when the caller has read what was written. Closes the connection of a caller that is too slow. */
  #afterRead(event: 'drain' | 'finish', then: () => void): void {
    if (this.#response.destroyed) return;
    const { transferTimeout } = this.#client;
    const bytes = this.#response.writableLength;
    const stop = transferTimeout.wait(() => this.#response.destroy());
    this.#response.once('close', stop).once(event, () => {
      this.#response.off('close', stop);
      stop();
      transferTimeout.moved(bytes);
      then();
    });
  }

  #begin(): void {
    this.#response.statusCode = this.#status;
    for (const [name, value] of Object.entries(this.#headers)) {
      if (value !== undefined && !NOT_PASSED_ON.has(name)) this.#response.setHeader(name, value);
    }
    this.#client.setResponseTime();
  }
}

/**
 * 503 where the service could not be reached, 504 where it did not answer in time, 502 where the answer broke off (E2). The error of an
 * upload stays as it is.
 */
function errorOf(error: Error & { code?: string }, sent: boolean): AppError {
  if (error instanceof AppError) return error;
  if (TIMEOUT_CODES.has(error.code)) {
    return new GatewayTimeoutError('A service did not answer in time. Please try again.', { cause: error });
  }
  if (sent) return new BadGatewayError('A service ended before it answered. Please try again.', { cause: error });
  return new UnavailableError('A service is not available. Please try again.', { cause: error });
}
