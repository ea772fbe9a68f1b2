import { TooLargeError, UnsupportedMediaTypeError } from '@tocsin/core';
import type { RawBody } from './raw-body.ts';

/** Providers send some twenty. The bound limits the cost of sorting fields to check a signature. */
const MAX_FIELDS = 200;
const FORM = /^\s*application\/x-www-form-urlencoded\s*(;|$)/i;

/**
 * The names and values of an `application/x-www-form-urlencoded` body in UTF-8, in their order; none for an empty body.
 *
 * @throws UnsupportedMediaTypeError for another content type, TooLargeError over `maxBytes` or 200 fields,
 *   MalformedError when the caller breaks off.
 */
export async function readFormFields(
  { bytes, length, type }: RawBody,
  maxBytes: number,
): Promise<readonly (readonly [name: string, value: string])[]> {
  if (type.trim() === '' ? length !== 0 && length !== undefined : !FORM.test(type))
    throw new UnsupportedMediaTypeError('Content type is not supported. Please use application/x-www-form-urlencoded.');
  const chunks: Buffer[] = [];
  let read = 0;
  for await (const chunk of bytes) {
    read += (chunk as Buffer).length;
    if (read > maxBytes) throw new TooLargeError(`Request body is larger than ${maxBytes} bytes.`);
    chunks.push(chunk as Buffer);
  }
  const form = Buffer.concat(chunks).toString();
  // Fields are counted before they are parsed, which costs far more.
  const parts = form.split('&', 2 * MAX_FIELDS + 1);
  if (parts.length > 2 * MAX_FIELDS || parts.filter((part) => part !== '').length > MAX_FIELDS)
    throw new TooLargeError(`Request body has more than ${MAX_FIELDS} fields.`);
  return [...new URLSearchParams(form)];
}
