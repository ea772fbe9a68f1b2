import { Busboy, type BusboyInstance } from '@fastify/busboy';
import { InvalidError, longWork, MalformedError } from '@tocsin/core';
import { MAX_BODY_BYTES, tooLarge } from './body-buffer.ts';
import { decodedText } from './plain-bytes.ts';
import type { WholeBody } from './whole-body.ts';

/** More than the forms of tools have. */
const MAX_FIELDS = 500;
const LIMITS = { parts: 600, fields: MAX_FIELDS, fieldSize: MAX_BODY_BYTES, headerPairs: 50, headerSize: 16_384 };
/** So many bytes are parsed at once. */
const STEP = 65_536;
const MULTIPART = /^\s*multipart\/form-data\s*(;|$)/i;

/** The names and values of a form; of several values of one name the first. */
export type FormValues = Readonly<Record<string, string>>;

/**
 * The values of a form of up to 1 MiB: `multipart/form-data` where the content type says so, without its files; any other is read as
 * `application/x-www-form-urlencoded`.
 *
 * @throws TooLargeError over 1 MiB; InvalidError over 500 fields; MalformedError for a broken multipart form.
 */
export async function readFormValues(body: WholeBody): Promise<FormValues> {
  if (body.bytes.length > MAX_BODY_BYTES) throw tooLarge(MAX_BODY_BYTES);
  return firstOfEach(MULTIPART.test(body.type) ? await partsOf(body) : fieldsOf(body));
}

/** Whether the content type is that of a multipart form. */
export const isMultipart = (type: string): boolean => MULTIPART.test(type);

function fieldsOf({ bytes, type }: WholeBody): Iterable<readonly [string, string]> {
  const form = decodedText(bytes, type);
  // Fields are counted before they are parsed, which costs far more.
  if (form.split('&', MAX_FIELDS + 1).length > MAX_FIELDS) throw tooMany();
  return new URLSearchParams(form);
}

async function partsOf({ bytes, type }: WholeBody): Promise<Iterable<readonly [string, string]>> {
  const parser = parserOf(type);
  const fields: (readonly [string, string])[] = [];
  const { promise: read, resolve, reject } = Promise.withResolvers<undefined>();
  parser.on('field', (name, value) => fields.push([name, value]));
  parser.on('file', (_, file) => {
    file.on('error', refuse).resume();
  });
  for (const limit of ['partsLimit', 'fieldsLimit'] as const)
    parser.once(limit, () => {
      reject(tooMany());
    });
  const refuse = (error: unknown) => {
    reject(new MalformedError('Request body is not a valid form.', { cause: error }));
  };
  // Of a form without an end, the parser emits the error right after `finish`.
  parser.on('error', refuse).once('finish', () => setImmediate(resolve, undefined));
  read.catch(() => undefined);
  for (let start = 0; start < bytes.length; start += STEP) {
    if (longWork.isPauseDue()) await longWork.pause();
    parser.write(bytes.subarray(start, start + STEP));
  }
  parser.end();
  await read;
  return fields;
}

function parserOf(type: string): BusboyInstance {
  try {
    return new Busboy({ headers: { 'content-type': type }, limits: LIMITS });
  } catch (error) {
    throw new MalformedError('The content type names no boundary.', { cause: error });
  }
}

function firstOfEach(fields: Iterable<readonly [string, string]>): FormValues {
  const values = new Map<string, string>();
  for (const [name, value] of fields) if (!values.has(name)) values.set(name, value.toWellFormed());
  return Object.fromEntries(values);
}

const tooMany = (): InvalidError => InvalidError.ofFields({ body: `should have at most ${MAX_FIELDS} fields` });
