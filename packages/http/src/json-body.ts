import express, { type Request, type RequestHandler, type Response } from 'express';
import { type AppError, MalformedError, TooLargeError, UnsupportedMediaTypeError } from '@tocsin/errors';

/** The largest body of a request that is not multipart, in bytes (E2). */
export const MAX_BODY_BYTES = 1_048_576;

const JSON_TYPE = /^\s*[\w.-]+\/([\w.-]+\+)?json\s*(;|$)/i;

// The content type is judged before, so that an empty one counts as JSON (wire facts 1.6).
const parse: RequestHandler = express.json({ limit: MAX_BODY_BYTES, strict: false, type: () => true });

/**
 * The JSON value of a request's body; undefined where there is none, or where it is `null`, with or without a content
 * type (E5).
 *
 * @throws MalformedError where it is not JSON, TooLargeError over 1 MiB (inflated), UnsupportedMediaTypeError for a
 *   content type that is neither empty nor JSON (E2).
 */
export async function readJsonBody(request: Request, response: Response): Promise<unknown> {
  if (!hasBody(request)) return undefined;
  const type = request.headers['content-type'] ?? '';
  if (type.trim() !== '' && !JSON_TYPE.test(type)) {
    throw new UnsupportedMediaTypeError('Content type is not supported. Please use application/json.');
  }
  await new Promise<void>((resolve, reject) => {
    void parse(request, response, (error?: unknown) => {
      if (error === undefined) resolve();
      else reject(refusalOf(error));
    });
  });
  return (request.body as unknown) ?? undefined;
}

function hasBody({ headers }: Request): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

function refusalOf(error: unknown): AppError {
  const { type } = error as { type?: string };
  if (type === 'entity.too.large') return new TooLargeError('Request body is larger than 1 MiB.', { cause: error });
  if (type === 'charset.unsupported' || type === 'encoding.unsupported') {
    return new UnsupportedMediaTypeError('Character set or encoding of the body is not supported.', { cause: error });
  }
  return new MalformedError('Request body is not valid JSON.', { cause: error });
}
