import cors from 'cors';
import type { RequestHandler } from 'express';

/** The headers that scripts may read (E3). */
const EXPOSED_HEADERS = [
  'X-Request-ID',
  'X-Response-Time',
  'X-RateLimit-State',
  'X-RateLimit-Reason',
  'X-RateLimit-Period-In-Sec',
  'Retry-After',
];
const ALLOWED_HEADERS = ['Authorization', 'Content-Type'];
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'];
/** For how long a browser keeps the answer to a preflight request. */
const PREFLIGHT_MAX_AGE_SECONDS = 600;

/** Lets scripts of pages of `origins`, and of no other page, send requests and read every answer. It leaves OPTIONS to the next handler. */
export function crossOrigin(origins: readonly string[]): RequestHandler {
  return cors({
    origin: [...origins],
    methods: METHODS,
    allowedHeaders: ALLOWED_HEADERS,
    exposedHeaders: EXPOSED_HEADERS,
    maxAge: PREFLIGHT_MAX_AGE_SECONDS,
    preflightContinue: true,
  });
}
