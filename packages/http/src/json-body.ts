import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { setImmediate } from 'node:timers/promises';
import { promisify, TextDecoder } from 'node:util';
import { brotliDecompress, gunzip, inflate } from 'node:zlib';
import { type AppError, MalformedError, UnsupportedMediaTypeError } from '@tocsin/core';
import { hasBody, tooLarge } from './body-buffer.ts';
import { checkJsonBounds, type JsonBounds } from './json-bounds.ts';
import { wellFormedJson } from './well-formed-json.ts';
import { withWrittenNumbers } from './written-numbers.ts';

const JSON_TYPE = /^\s*[\w.-]+\/([\w.-]+\+)?json\s*(;|$)/i;
const CHARSET = /;\s*charset\s*=\s*"?([^\s;"]*)/i;

type Decompress = (bytes: Buffer, options: { readonly maxOutputLength: number }) => Promise<Buffer>;

/** Encodings whose decompression takes little memory for any input. */
const ENCODINGS: ReadonlyMap<string, Decompress> = new Map<string, Decompress>([
  ['gzip', promisify(gunzip)],
  ['deflate', promisify(inflate)],
  ['br', promisify(brotliDecompress)],
]);
const UNCOMPRESSED: ReadonlySet<string> = new Set(['', 'identity']);

/** Names of character sets that do not define bytes over 127. */
const ASCII_NAMES: ReadonlySet<string> = new Set(['', 'us-ascii', 'ascii']);

const utf8 = new TextDecoder();
const windows1252 = new TextDecoder('windows-1252');

export interface JsonBodyOptions {
  /** Reads the bytes of the request, before decompression. */
  readonly collect: () => Promise<Buffer | undefined>;
  /** The limit of the decompressed body. */
  readonly maxBytes: number;
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
  const { 'content-type': type = '', 'content-encoding': encoding = '' } = request.headers;
  const decode = decodingFor(type);
  const decompress = decompressionFor(encoding);
  const bytes = await collect();
  if (bytes === undefined) return undefined;
  const plain = decompress === undefined ? bytes : await decompressed(bytes, { decompress, encoding, maxBytes });
  const json = decode(plain);
  if (json === '') return undefined;
  checkJsonBounds(json, bounds);
  if (json.length > LONG_BODY) await setImmediate();
  const value = parsed(json, writtenNumbers) ?? undefined;
  if (json.length > LONG_BODY) await setImmediate();
  return value;
}

/** The decoder for the character set of a JSON content type; UTF-8 without a known one. */
function decodingFor(type: string): (bytes: Buffer) => string {
  // An empty type counts as JSON (wire facts 1.6).
  if (type.trim() !== '' && !JSON_TYPE.test(type))
    throw new UnsupportedMediaTypeError('Content type is not supported. Please use application/json.');
  const name = CHARSET.exec(type)?.[1]?.toLowerCase() ?? '';
  const decoder = ASCII_NAMES.has(name) ? utf8 : decoderOf(name);
  return decoder.encoding === 'utf-8' ? decodedUtf8 : (bytes) => decoder.decode(bytes);
}

function decoderOf(name: string): TextDecoder {
  try {
    return new TextDecoder(name);
  } catch {
    return utf8;
  }
}

/** Decodes UTF-8, or windows-1252 when no character over 127 is valid UTF-8. A text cut within a character stays UTF-8. */
function decodedUtf8(bytes: Buffer): string {
  const text = utf8.decode(bytes);
  return isUtf8(bytes) || /[^\0-\u007f\ufffd]/.test(text) ? text : windows1252.decode(bytes);
}

function decompressionFor(encoding: string): Decompress | undefined {
  const name = encoding.toLowerCase();
  if (UNCOMPRESSED.has(name)) return undefined;
  const decompress = ENCODINGS.get(name);
  if (decompress === undefined) throw new UnsupportedMediaTypeError('Encoding of the body is not supported.');
  return decompress;
}

interface Encoded {
  readonly decompress: Decompress;
  readonly encoding: string;
  readonly maxBytes: number;
}

async function decompressed(bytes: Buffer, { decompress, encoding, maxBytes }: Encoded): Promise<Buffer> {
  try {
    return await decompress(bytes, { maxOutputLength: maxBytes });
  } catch (error) {
    throw refusalOf(error, encoding, maxBytes);
  }
}

function refusalOf(error: unknown, encoding: string, maxBytes: number): AppError {
  const { code } = error as { code?: string };
  if (code === 'ERR_BUFFER_TOO_LARGE') return tooLarge(maxBytes);
  return new MalformedError(`Request body is not whole, or not in the encoding ${encoding}.`, { cause: error });
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
