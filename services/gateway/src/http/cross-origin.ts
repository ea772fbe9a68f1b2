import cors from 'cors';
import type { RequestHandler } from 'express';

/** What scripts may read beside the body (E3). */
const EXPOSED = [
  'X-Request-ID',
  'X-Response-Time',
  'X-RateLimit-State',
  'X-RateLimit-Reason',
  'X-RateLimit-Period-In-Sec',
  'Retry-After',
];
const TAKEN = ['Authorization', 'Content-Type'];
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'];
/** For how long a browser need not ask again. */
const ASKED_EVERY_SECONDS = 600;

/**
 * Lets scripts of pages of `origins`, and of no other page, ask and read every answer, refusals among them. Whether a path exists
 * and what it takes is told by whoever answers OPTIONS.
 */
export function crossOrigin(origins: readonly string[]): RequestHandler {
  return cors({
    origin: [...origins],
    methods: METHODS,
    allowedHeaders: TAKEN,
    exposedHeaders: EXPOSED,
    maxAge: ASKED_EVERY_SECONDS,
    preflightContinue: true,
  });
}
