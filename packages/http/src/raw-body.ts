import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { z } from 'zod';
import { MalformedError, UnsupportedMediaTypeError } from '@tocsin/errors';

/** A body as it arrives, for a route that reads it itself. */
export interface RawBody {
  /** As in `Content-Type`; empty where there is none. */
  readonly type: string;
  /** How many bytes were announced; undefined where nothing was. */
  readonly length: number | undefined;
  /** Read no faster than they are taken. They end with MalformedError when the caller breaks off. */
  readonly bytes: Readable;
}

/** Used in place of a body's schema: the route gets the {@link RawBody}, of any length and content type. */
export const rawBody: z.ZodType<RawBody> = z.custom<RawBody>();

/**
 * What of the body is left unread when the route answers is dropped, and the answer reaches the caller all the same.
 *
 * @throws UnsupportedMediaTypeError for a body that is compressed: nobody could say how long it is.
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
