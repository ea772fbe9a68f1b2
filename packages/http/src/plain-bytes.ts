import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { promisify, TextDecoder } from 'node:util';
import { brotliDecompress, gunzip, inflate } from 'node:zlib';
import { type AppError, MalformedError, UnsupportedMediaTypeError } from '@tocsin/core';
import { tooLarge } from './body-buffer.ts';

type Decompress = (bytes: Buffer, options: { readonly maxOutputLength: number }) => Promise<Buffer>;

/** Encodings whose decompression takes little memory for any input. */
const ENCODINGS: ReadonlyMap<string, Decompress> = new Map<string, Decompress>([
  ['gzip', promisify(gunzip)],
  ['deflate', promisify(inflate)],
  ['br', promisify(brotliDecompress)],
]);
const UNCOMPRESSED: ReadonlySet<string> = new Set(['', 'identity']);

const CHARSET = /;\s*charset\s*=\s*"?([^\s;"]*)/i;

/** Names of character sets that do not define bytes over 127. */
const ASCII_NAMES: ReadonlySet<string> = new Set(['', 'us-ascii', 'ascii']);

const utf8 = new TextDecoder();
const windows1252 = new TextDecoder('windows-1252');

export interface CollectedBody {
  /** Reads the bytes of the request, before decompression. */
  readonly collect: () => Promise<Buffer | undefined>;
  /** The limit of the decompressed body. */
  readonly maxBytes: number;
}

/**
 * The bytes of a request's body; undefined where there are none. Bodies in gzip, deflate or br are decompressed, at most to the limit.
 *
 * @throws MalformedError where it is not in its encoding, TooLargeError over `maxBytes`, UnsupportedMediaTypeError for another encoding
 *   (E2).
 */
export async function readPlainBytes(
  { headers }: IncomingMessage,
  { collect, maxBytes }: CollectedBody,
): Promise<Buffer | undefined> {
  const { 'content-encoding': encoding = '' } = headers;
  const decompress = decompressionFor(encoding);
  const bytes = await collect();
  if (bytes === undefined || decompress === undefined) return bytes;
  return decompressed(bytes, { decompress, encoding, maxBytes });
}

/** The text of bytes in the character set that a content type names; in UTF-8 without a known one. */
export function decodedText(bytes: Buffer, type: string): string {
  const name = CHARSET.exec(type)?.[1]?.toLowerCase() ?? '';
  const decoder = ASCII_NAMES.has(name) ? utf8 : decoderOf(name);
  return decoder.encoding === 'utf-8' ? decodedUtf8(bytes) : decoder.decode(bytes);
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
