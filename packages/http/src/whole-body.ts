import type { IncomingMessage } from 'node:http';
import { z } from 'zod';
import { hasBody } from './body-buffer.ts';
import { type CollectedBody, readPlainBytes } from './plain-bytes.ts';

/** A body as a whole, for a route that reads any content type. */
export interface WholeBody {
  /** As in `Content-Type`; empty where there is none. */
  readonly type: string;
  /** Decompressed; none where there is no body. */
  readonly bytes: Buffer;
}

/** Used in place of a body's schema: the route gets the {@link WholeBody}. */
export const wholeBody: z.ZodType<WholeBody> = z.custom<WholeBody>();

/** @throws as {@link readPlainBytes}. */
export async function readWholeBody(request: IncomingMessage, options: CollectedBody): Promise<WholeBody> {
  const { 'content-type': type = '' } = request.headers;
  const bytes = hasBody(request) ? await readPlainBytes(request, options) : undefined;
  return { type, bytes: bytes ?? Buffer.alloc(0) };
}
