import type { IncomingMessage } from 'node:http';
import { setImmediate } from 'node:timers/promises';
import { MalformedError, UnsupportedMediaTypeError } from '@tocsin/core';
import { hasBody } from './body-buffer.ts';
import { checkJsonBounds, type JsonBounds } from './json-bounds.ts';
import { type CollectedBody, decodedText, readPlainBytes } from './plain-bytes.ts';
import { wellFormedJson } from './well-formed-json.ts';
import { withWrittenNumbers } from './written-numbers.ts';

const JSON_TYPE = /^\s*[\w.-]+\/([\w.-]+\+)?json\s*(;|$)/i;

export interface JsonBodyOptions extends CollectedBody {
  readonly bounds: JsonBounds;
  /** The name of a map in the body whose numbers become strings. */
  readonly writtenNumbers?: string | undefined;
}

/** For a longer body, in characters, the event loop runs between the steps. */
const LONG_BODY = 32_768;

/**
 * The JSON value of a request's body. Undefined for an empty body and for `null` (E5). Bodies in gzip, deflate or br are
 * decompressed, at most to the limit. The strings of the value are well formed.
 *
 * @throws MalformedError where it is not JSON or not in its encoding, TooLargeError over `maxBytes`,
 *   UnsupportedMediaTypeError for a content type that is neither empty nor JSON, and for another encoding (E2);
 *   InvalidError where it is nested too deep or has too many keys and list items.
 */
export async function readJsonBody(
  request: IncomingMessage,
  { collect, maxBytes, bounds, writtenNumbers }: JsonBodyOptions,
): Promise<unknown> {
  if (!hasBody(request)) return undefined;
  const { 'content-type': type = '' } = request.headers;
  // An empty type counts as JSON (wire facts 1.6).
  if (type.trim() !== '' && !JSON_TYPE.test(type))
    throw new UnsupportedMediaTypeError('Content type is not supported. Please use application/json.');
  const plain = await readPlainBytes(request, { collect, maxBytes });
  if (plain === undefined) return undefined;
  const json = decodedText(plain, type);
  if (json === '') return undefined;
  checkJsonBounds(json, bounds);
  if (json.length > LONG_BODY) await setImmediate();
  const value = parsed(json, writtenNumbers) ?? undefined;
  if (json.length > LONG_BODY) await setImmediate();
  return value;
}

function parsed(json: string, writtenNumbers: string | undefined): unknown {
  try {
    const whole = wellFormedJson(json);
    const body: unknown = JSON.parse(whole);
    return writtenNumbers === undefined ? body : withWrittenNumbers(body, writtenNumbers, whole);
  } catch (error) {
    throw new MalformedError('Request body is not valid JSON.', { cause: error });
  }
}
