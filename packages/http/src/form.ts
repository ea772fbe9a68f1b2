import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Busboy, type BusboyInstance } from '@fastify/busboy';
import { AppError, InvalidError, MalformedError, UnsupportedMediaTypeError } from '@tocsin/core';
import type { z } from 'zod';
import type { RawBody } from './raw-body.ts';
import { validated } from './validation.ts';

/** A file of a form, as a stream. */
export interface ArrivingFile {
  /** As the caller gave it, without folders; empty where there is none. */
  readonly name: string;
  /** Its content type without parameters. */
  readonly type: string;
  readonly bytes: AsyncIterable<Uint8Array>;
}

export interface FormShape<F> {
  /** The name of the one file. */
  readonly file: string;
  /** Of all other fields; of several with one name only the last counts. */
  readonly fields: z.ZodType<F>;
}

/** Far more than any form of the API has. */
const LIMITS = { parts: 40, fields: 20, files: 10, fieldSize: 8_192, headerPairs: 50, headerSize: 16_384 };

/**
 * Reads a `multipart/form-data` body, and passes its one file to `take` as a stream; other files are skipped. Resolves when the
 * body has ended and `take` has resolved. On a failure the stream ends with an error, and this rejects once `take` has ended.
 *
 * @throws UnsupportedMediaTypeError for another content type; MalformedError when the form is broken or broken off;
 *   InvalidError where there is no such file, more than one, more parts than a form of the API can have, or a field that does not
 *   fit; what `take` throws.
 */
export async function readForm<F, T>(
  { type, length, bytes }: RawBody,
  { file, fields }: FormShape<F>,
  take: (file: ArrivingFile) => Promise<T>,
): Promise<{ readonly fields: F; readonly taken: T }> {
  if (type.trim() === '' && (length ?? 0) === 0) throw missing(file);
  const form = new Form(parserOf(type), file, take);
  try {
    await Promise.race([pipeline(bytes, form.parser, { signal: form.failed }), form.read]);
  } catch (error) {
    throw await form.ended(form.failed.aborted ? form.failed.reason : error, bytes.errored);
  }
  // The parser does not read bytes after the end of the form.
  bytes.destroy();
  if (form.taken === undefined) throw missing(file);
  const taken = await form.taken;
  return { fields: validated(fields, Object.fromEntries(form.fields), 'body'), taken };
}

class Form<T> {
  readonly parser: BusboyInstance;
  readonly fields = new Map<string, string>();
  /** Resolves at the end of the form, even if more bytes follow. */
  readonly read: Promise<void>;
  taken: Promise<T> | undefined;
  readonly #field: string;
  readonly #take: (file: ArrivingFile) => Promise<T>;
  readonly #failure = new AbortController();
  readonly #files: Readable[] = [];
  /** Errors of the parser, which it throws for a broken form. */
  readonly #broken = new Set<unknown>();

  constructor(parser: BusboyInstance, field: string, take: (file: ArrivingFile) => Promise<T>) {
    this.parser = parser;
    this.#field = field;
    this.#take = take;
    // For a form without an end, the parser emits the error right after `finish`.
    this.read = new Promise((resolve) => parser.once('finish', () => setImmediate(resolve)));
    parser.on('error', (error) => this.#broken.add(error));
    for (const limit of ['partsLimit', 'fieldsLimit', 'filesLimit'] as const)
      parser.once(limit, () => {
        this.#fail(new InvalidError('The form has too many parts.'));
      });
    parser.on('field', (name, value, _, valueTruncated) => {
      if (valueTruncated) this.#fail(InvalidError.ofFields({ [name]: `should be at most ${LIMITS.fieldSize} bytes` }));
      else this.fields.set(name, value);
    });
    parser.on('file', (name, file, filename: string | undefined, _, type) => {
      this.#found(name, { name: filename ?? '', type, bytes: file }, file);
    });
  }

  /** Aborted with the reason as soon as the form is refused. */
  get failed(): AbortSignal {
    return this.#failure.signal;
  }

  /** Ends the readers of files, and returns the error for the caller. `cut` is the error of the body's stream, if it had one. */
  async ended(error: unknown, cut: Error | null): Promise<unknown> {
    const isBroken = this.#broken.has(error) && error !== cut && !(error instanceof AppError);
    const reason = isBroken ? new MalformedError('Request body is not a valid form.', { cause: error }) : error;
    for (const file of this.#files) file.destroy(reason instanceof Error ? reason : undefined);
    await this.taken?.catch(() => undefined);
    return reason;
  }

  #found(name: string, arriving: ArrivingFile, file: Readable): void {
    this.#files.push(file);
    // The stream of a file emits the parser's error too.
    file.on('error', (error) => this.#broken.add(error));
    if (name === this.#field && this.taken === undefined) {
      this.taken = this.#take(arriving);
      this.taken.catch((error: unknown) => {
        this.#fail(error);
      });
      return;
    }
    file.resume();
    if (name === this.#field) this.#fail(InvalidError.ofFields({ [name]: 'should be one file' }));
  }

  #fail(error: unknown): void {
    this.#failure.abort(error);
  }
}

function parserOf(type: string): BusboyInstance {
  if (!/^\s*multipart\/form-data\s*(;|$)/i.test(type))
    throw new UnsupportedMediaTypeError('Content type is not supported. Please use multipart/form-data.');
  try {
    return new Busboy({ headers: { 'content-type': type }, limits: LIMITS });
  } catch (error) {
    throw new MalformedError('The content type names no boundary.', { cause: error });
  }
}

const missing = (field: string): InvalidError => InvalidError.ofFields({ [field]: 'should be provided' });
