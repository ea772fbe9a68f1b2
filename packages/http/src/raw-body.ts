import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { z } from 'zod';
import { MalformedError, UnsupportedMediaTypeError } from '@tocsin/core';

/** A body as it arrives, for a route that reads it itself. */
export interface RawBody {
  /** As in `Content-Type`; empty where there is none. */
  readonly type: string;
  /** The `Content-Length`; undefined where there is none. */
  readonly length: number | undefined;
  /** With back-pressure. They end with MalformedError when the caller closes the connection. */
  readonly bytes: Readable;
}

/** Used in place of a body's schema: the route gets the {@link RawBody}, of any length and content type. */
export const rawBody: z.ZodType<RawBody> = z.custom<RawBody>();

/**
 * The part of the body that the route does not read is dropped, and the answer still reaches the caller.
 *
 * @throws UnsupportedMediaTypeError for a compressed body, whose length is not known.
 */
export function rawBodyOf(request: IncomingMessage): RawBody {
  const { 'content-type': type = '', 'content-length': length, 'content-encoding': encoding = '' } = request.headers;
  if (!['', 'identity'].includes(encoding.trim().toLowerCase()))
    throw new UnsupportedMediaTypeError('The body can not be compressed.');
  return {
    type,
    length: length === undefined ? undefined : Number(length),
    bytes: Readable.from(arriving(request), { objectMode: false }),
  };
}

async function* arriving(request: IncomingMessage): AsyncGenerator<Buffer, void> {
  try {
    // Destroying the request would close the connection that the answer needs.
    for await (const chunk of request.iterator({ destroyOnReturn: false })) yield chunk as Buffer;
  } catch (error) {
    throw new MalformedError('Request body ended too soon.', { cause: error });
  } finally {
    // Many callers read the answer only after they have sent everything.
    request.resume();
  }
}
