import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import type { Dispatcher } from 'undici';
import { AppError, BadGatewayError, GatewayTimeoutError, MalformedError, UnavailableError } from '@tocsin/core';
import type { TransferTimeout } from './transfer-timeout.ts';

/** Headers that are about one connection. */
export const HOP_BY_HOP: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);
/** Those that the gateway writes itself (E3). */
const OWN: ReadonlySet<string> = new Set(['date', 'x-request-id', 'x-response-time']);
/** Those that it has written before a service answers. */
const WRITTEN_BEFORE = ['date', 'x-request-id', 'x-ratelimit-state'] as const;

/** Codes of undici. */
const TIMEOUT_CODES: ReadonlySet<string | undefined> = new Set(['UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT']);

/** The gateway did not send the request, for a reason that is no fault of the service. */
export class NotSentError extends UnavailableError {}

/** Headers of Opsgenie that would act on the origin of Tocsin, where people use the console. */
const NOT_OF_OPSGENIE: ReadonlySet<string> = new Set([
  ...['set-cookie', 'clear-site-data', 'strict-transport-security', 'nel', 'report-to', 'reporting-endpoints'],
  ...['alt-svc', 'service-worker-allowed', 'refresh', 'content-security-policy', 'content-security-policy-report-only'],
]);
const NOT_OF_OPSGENIE_PREFIXES = ['access-control-', 'cross-origin-'] as const;
/** A browser that opens an answer of Opsgenie runs nothing of it. */
const OF_OPSGENIE = { 'content-security-policy': "sandbox; default-src 'none'", 'x-content-type-options': 'nosniff' };

/** The answer to the caller, and its bounds. */
export interface ClientResponse {
  readonly response: ServerResponse;
  /** Sets the header with the time that the answer took (E3). */
  readonly setResponseTime: () => void;
  /** The time that the caller has to read the answer. Then its connection is closed. */
  readonly transferTimeout: TransferTimeout;
  /** Reserves memory for an answer of so many bytes until the caller has read it. False where there is none left. */
  readonly hold: (bytes: number) => boolean;
  /** Opsgenie writes the answer: the gateway adds no header of its own, and the request ends when its caller leaves. */
  readonly isForeign?: boolean;
  /** Called once there is a connection, right before the request is sent on it; what it throws ends the request. */
  readonly check?: (() => void) | undefined;
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
  readonly #subject: string;

  /** `subject` is the first word of the sentences of errors. */
  constructor(client: ClientResponse, events: ExchangeEvents, subject: string) {
    this.#response = client.response;
    this.#client = client;
    this.#events = events;
    this.#subject = subject;
  }

  /** @throws Error where undici would send the request again: the service may have carried it out. */
  onRequestStart(controller: Dispatcher.DispatchController): void {
    if (this.#sent) throw new Error('The connection broke before the answer.');
    this.#client.check?.();
    this.#sent = true;
    if (this.#client.isForeign === true) this.#endWithCaller(controller);
  }

  #endWithCaller(controller: Dispatcher.DispatchController): void {
    const leave = () => {
      // No failure of the other side.
      if (!this.#response.writableFinished) controller.abort(new MalformedError('The caller left.'));
    };
    if (this.#response.destroyed) leave();
    else this.#response.once('close', leave);
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
      this.#events.onFailed(errorOf(error, this.#sent, this.#subject));
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
    const isForeign = this.#client.isForeign === true;
    this.#response.statusCode = this.#status;
    if (isForeign) for (const name of WRITTEN_BEFORE) this.#response.removeHeader(name);
    const headers = passedOn(this.#headers, isForeign ? isWithheld : (name) => OWN.has(name));
    if (isForeign) Object.assign(headers, OF_OPSGENIE);
    for (const [name, value] of Object.entries(headers)) this.#response.setHeader(name, value);
    if (!isForeign) this.#client.setResponseTime();
  }
}

/** The headers of an answer without those about the connection and those that are left out. */
function passedOn(
  headers: IncomingHttpHeaders,
  isLeftOut: (name: string) => boolean,
): Record<string, string | string[]> {
  const ofConnection = wordsOf(headers.connection);
  const passed: Record<string, string | string[]> = {};
  for (const [name, value] of Object.entries(headers))
    if (value !== undefined && !HOP_BY_HOP.has(name) && !ofConnection.has(name) && !isLeftOut(name))
      passed[name] = value;
  return passed;
}

const isWithheld = (name: string): boolean =>
  NOT_OF_OPSGENIE.has(name) || NOT_OF_OPSGENIE_PREFIXES.some((prefix) => name.startsWith(prefix));

/** The words of a header such as `Connection`, lower case. */
export const wordsOf = (value = ''): ReadonlySet<string> =>
  new Set(value.split(',').map((word) => word.trim().toLowerCase()));

/**
 * 503 where the service could not be reached, 504 where it did not answer in time, 502 where the answer broke off (E2). The error of an
 * upload stays as it is.
 */
function errorOf(error: Error & { code?: string }, sent: boolean, subject: string): AppError {
  if (error instanceof AppError) return error;
  if (TIMEOUT_CODES.has(error.code)) {
    return new GatewayTimeoutError(`${subject} did not answer in time. Please try again.`, { cause: error });
  }
  if (sent) return new BadGatewayError(`${subject} ended before it answered. Please try again.`, { cause: error });
  return new UnavailableError(`${subject} is not available. Please try again.`, { cause: error });
}
