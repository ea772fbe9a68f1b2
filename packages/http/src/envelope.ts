import type { ServerResponse } from 'node:http';
import { AppError, type ErrorCode, InvalidError, MethodNotAllowedError, ThrottledError } from '@tocsin/core';
import type { Operation } from '@tocsin/api';
import { jsonBytes } from './json-parts.ts';
import type { WrittenReply } from './route.ts';

/** The fields of every body about its request (E1). */
export interface Envelope {
  /** Seconds, at least 0.001. */
  readonly took: number;
  /** Equal to the header `X-Request-ID`. */
  readonly requestId: string;
}

export interface Answer {
  readonly status: number;
  /** Beside those of every answer. */
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly body: Readonly<Record<string, unknown>>;
}

const STATUS_BY_CODE: Readonly<Record<ErrorCode, number>> = {
  malformed: 400,
  unauthenticated: 401,
  forbidden: 403,
  'not-found': 404,
  'not-processed': 404,
  'method-not-allowed': 405,
  'timed-out': 408,
  conflict: 409,
  'too-large': 413,
  'target-too-long': 414,
  'unsupported-media-type': 415,
  invalid: 422,
  'in-use': 428,
  throttled: 429,
  'head-too-large': 431,
  'bad-gateway': 502,
  unavailable: 503,
  'gateway-timeout': 504,
};

/** The code that clients look for on a missing right (E1). */
const MISSING_RIGHT = 40_301;
/** After an internal outage. */
const RETRY_AFTER_SECONDS = '1';
const NO_HEADERS: Readonly<Record<string, string>> = Object.freeze({});

/** Seconds since `startedAtMs` of `performance.now()`, rounded to milliseconds and never 0: clients warn of a zero (E3). */
export function secondsSince(startedAtMs: number): number {
  return Math.max(Math.round(performance.now() - startedAtMs), 1) / 1_000;
}

/**
 * The answer to an error: the message of an `AppError` (E1, E2), or a 500 without details for any other; in the form that the operation
 * refuses in. The one place where an error becomes a status.
 */
export function errorAnswer(error: unknown, envelope: Envelope, form?: Operation['refusalForm']): Answer {
  const answer = plainAnswer(error, envelope);
  return form === undefined ? answer : eventRefusal(answer);
}

/** Clients of PagerDuty read `errors` as a list of sentences, and show it with 400 alone (Q7). */
function eventRefusal({ status: written, headers, body: { errors = {}, ...body } }: Answer): Answer {
  const status = written === 422 ? 400 : written;
  const fields = Object.entries(errors as Readonly<Record<string, string>>);
  const sentences = fields.length === 0 ? [body['message']] : fields.map(([field, fault]) => `${field} ${fault}`);
  const word = status === 429 ? 'throttle exceeded' : status < 500 ? 'invalid event' : 'error';
  return { status, headers, body: { status: word, ...body, errors: sentences } };
}

function plainAnswer(error: unknown, envelope: Envelope): Answer {
  if (!(error instanceof AppError)) {
    return { status: 500, headers: NO_HEADERS, body: { message: 'Internal Server Error', ...envelope } };
  }
  return {
    status: STATUS_BY_CODE[error.code],
    headers: headersOf(error),
    body: {
      ...(error.code === 'forbidden' && { code: MISSING_RIGHT }),
      message: error.message,
      ...(error instanceof InvalidError && error.fields !== undefined && { errors: error.fields }),
      ...envelope,
    },
  };
}

function headersOf(error: AppError): Readonly<Record<string, string>> {
  if (error instanceof MethodNotAllowedError) return { Allow: error.allowed.join(', ') };
  if (error.code === 'not-processed') return { 'X-Opsgenie-Errortype': 'RequestNotProcessed' };
  // The rest of the request is not read.
  if (error.code === 'timed-out') return { Connection: 'close' };
  if (error.code === 'unavailable') return { 'Retry-After': RETRY_AFTER_SECONDS };
  if (error instanceof ThrottledError) return throttledHeaders(error);
  return NO_HEADERS;
}

function throttledHeaders({ throttling }: ThrottledError): Readonly<Record<string, string>> {
  return {
    'X-RateLimit-State': 'THROTTLED',
    'X-RateLimit-Reason': throttling.reason,
    'X-RateLimit-Period-In-Sec': String(throttling.periodSeconds),
    'Retry-After': String(throttling.retryAfterSeconds),
  };
}

const JSON_TYPE = 'application/json; charset=utf-8';

/** Writes a short answer as JSON, at once. Does nothing where an answer has begun, or the caller has left. */
export function send(response: ServerResponse, { body, headers, status }: Answer): void {
  sendBytes(response, { status, headers, type: JSON_TYPE, bytes: Buffer.from(JSON.stringify(body)) });
}

/** Writes an answer of any length as JSON, made in parts between which the event loop runs. Otherwise as {@link send}. */
export async function sendInParts(response: ServerResponse, { body, headers, status }: Answer): Promise<void> {
  sendBytes(response, { status, headers, type: JSON_TYPE, bytes: await jsonBytes(body) });
}

/** Writes an answer as it is. Does nothing where an answer has begun, or the caller has left. */
export function sendWritten(response: ServerResponse, { headers = {}, status = 200, written }: WrittenReply): void {
  sendBytes(response, { status, headers, type: written.type, bytes: Buffer.from(written.content) });
}

interface Written extends Pick<Answer, 'status' | 'headers'> {
  /** As in `Content-Type`. */
  readonly type: string;
  readonly bytes: Buffer;
}

function sendBytes(response: ServerResponse, { status, headers, type, bytes }: Written): void {
  if (response.headersSent || response.destroyed) return;
  response.statusCode = status;
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  response.setHeader('Content-Type', type);
  // Node leaves it out of an answer to HEAD unless it is set.
  response.setHeader('Content-Length', bytes.length);
  response.end(bytes);
}
