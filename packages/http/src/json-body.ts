import express, { type Request, type RequestHandler, type Response } from 'express';
import { type AppError, MalformedError, TooLargeError, UnsupportedMediaTypeError } from '@tocsin/errors';
import { checkJsonBounds } from './json-bounds.ts';
import { wellFormedJson } from './well-formed-json.ts';

/** The largest body of a request that is not multipart, in bytes, before and after it is decompressed (E2). */
export const MAX_BODY_BYTES = 1_048_576;

const JSON_TYPE = /^\s*[\w.-]+\/([\w.-]+\+)?json\s*(;|$)/i;
const OTHER_CHARSET = /;\s*charset\s*=\s*"?(?!utf-)/i;

/** Those whose readers take little memory, whatever they read. */
const ENCODINGS: ReadonlySet<string> = new Set(['', 'identity', 'gzip', 'deflate', 'br']);

// The content type is judged before, so that an empty one counts as JSON (wire facts 1.6).
const read: RequestHandler = express.text({ limit: MAX_BODY_BYTES, type: () => true });

/**
 * The JSON value of a request's body; undefined where there is none, or where it is `null`, with or without a content
 * type (E5). A body in gzip, deflate or br is decompressed, and no further than to the limit. Its strings are well formed.
 *
 * @throws MalformedError where it is not JSON or not what its encoding says, TooLargeError over 1 MiB (decompressed),
 *   UnsupportedMediaTypeError for a content type that is neither empty nor JSON, and for another encoding (E2);
 *   InvalidError where it is nested too deep or has too many keys and list items.
 */
export async function readJsonBody(request: Request, response: Response): Promise<unknown> {
  if (!hasBody(request)) return undefined;
  refuseOtherTypes(request);
  await new Promise<void>((resolve, reject) => {
    void read(request, response, (error?: unknown) => {
      if (error === undefined) resolve();
      else reject(refusalOf(error, request.headers['content-encoding'] ?? ''));
    });
  });
  const json = request.body as unknown;
  return typeof json === 'string' && json !== '' ? (parsed(json) ?? undefined) : undefined;
}

const UNSUPPORTED = 'Character set or encoding of the body is not supported.';

function hasBody({ headers }: Request): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

function refuseOtherTypes({ headers }: Request): void {
  const type = headers['content-type'] ?? '';
  if (type.trim() !== '' && !JSON_TYPE.test(type))
    throw new UnsupportedMediaTypeError('Content type is not supported. Please use application/json.');
  if (OTHER_CHARSET.test(type) || !ENCODINGS.has((headers['content-encoding'] ?? '').toLowerCase()))
    throw new UnsupportedMediaTypeError(UNSUPPORTED);
}

function parsed(json: string): unknown {
  checkJsonBounds(json);
  try {
    return JSON.parse(wellFormedJson(json));
  } catch (error) {
    throw new MalformedError('Request body is not valid JSON.', { cause: error });
  }
}

function refusalOf(error: unknown, encoding: string): AppError {
  const { type } = error as { type?: string };
  if (type === 'entity.too.large') return new TooLargeError('Request body is larger than 1 MiB.', { cause: error });
  if (type === 'charset.unsupported') return new UnsupportedMediaTypeError(UNSUPPORTED, { cause: error });
  const said = encoding === '' ? 'can not be read' : `is not whole, or not in the encoding ${encoding}`;
  return new MalformedError(`Request body ${said}.`, { cause: error });
}
