import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Busboy, type BusboyInstance } from '@fastify/busboy';
import { AppError, InvalidError, MalformedError, UnsupportedMediaTypeError } from '@tocsin/errors';
import type { z } from 'zod';
import type { RawBody } from './raw-body.ts';
import { validated } from './validation.ts';

/** A file of a form, while it arrives. */
export interface ArrivingFile {
  /** As the caller wrote it, without folders; empty where none was written. */
  readonly name: string;
  /** Its content type without parameters. */
  readonly type: string;
  readonly bytes: AsyncIterable<Uint8Array>;
}

/** What a form is to have. */
export interface FormShape<F> {
  /** The name of the one file. */
  readonly file: string;
  /** Of everything that is no file; of several fields with one name it sees the last. */
  readonly fields: z.ZodType<F>;
}

/** Far more than any form of ours has, and a bound on what one may cost. */
const LIMITS = { parts: 40, fields: 20, files: 10, fieldSize: 8_192, headerPairs: 50, headerSize: 16_384 };

/**
 * Reads a `multipart/form-data` body and hands its one file to `take` while it arrives, no faster than `take`
 * reads it; other files are skipped. Resolves when the body is over and `take` is done. When anything fails, `take` has
 * ended first, its bytes with an error.
 *
 * @throws UnsupportedMediaTypeError for another content type; MalformedError when the form is broken or broken off;
 *   InvalidError where there is no such file, more than one, more parts than a form of ours can have, or a field that does not
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
  // What follows the end of a form belongs to nobody, and the parser does not take it.
  bytes.destroy();
  if (form.taken === undefined) throw missing(file);
  const taken = await form.taken;
  return { fields: validated(fields, Object.fromEntries(form.fields), 'body'), taken };
}

/** A form while it is read. */
class Form<T> {
  readonly parser: BusboyInstance;
  readonly fields = new Map<string, string>();
  /** Resolves at the end of the form, be there more bytes or not. */
  readonly read: Promise<void>;
  taken: Promise<T> | undefined;
  readonly #field: string;
  readonly #take: (file: ArrivingFile) => Promise<T>;
  readonly #failure = new AbortController();
  readonly #files: Readable[] = [];
  /** What the parser says of a form that is broken: plain errors. */
  readonly #broken = new Set<unknown>();

  constructor(parser: BusboyInstance, field: string, take: (file: ArrivingFile) => Promise<T>) {
    this.parser = parser;
    this.#field = field;
    this.#take = take;
    // Of a form that has no end the parser says so right after it has said that it is done.
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

  /** Aborted with the reason as soon as the form can not come to a good end. */
  get failed(): AbortSignal {
    return this.#failure.signal;
  }

  /** Ends whatever still reads a file, and answers what to tell the caller of `error`; `cut` is what ended the bytes, if anything. */
  async ended(error: unknown, cut: Error | null): Promise<unknown> {
    const isBroken = this.#broken.has(error) && error !== cut && !(error instanceof AppError);
    const reason = isBroken ? new MalformedError('Request body is not a valid form.', { cause: error }) : error;
    for (const file of this.#files) file.destroy(reason instanceof Error ? reason : undefined);
    await this.taken?.catch(() => undefined);
    return reason;
  }

  #found(name: string, arriving: ArrivingFile, file: Readable): void {
    this.#files.push(file);
    // The reader of the file gets the error too; what broke the form is an error of the parser.
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
