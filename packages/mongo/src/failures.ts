import { AppError, isDefect, UnavailableError } from '@tocsin/core';
import { mongo } from 'mongoose';

/** The message of an `UnavailableError` while MongoDB is unavailable. */
export const NO_ANSWER = 'The database did not answer in time.';

const DUPLICATE_KEY = 11_000;
const TIME_LIMIT_PASSED = 50;

/**
 * Server codes that the same input causes each time: a bad value or operator, a type mismatch, an impossible path, an immutable
 * or empty field, a failed validation, a document that is too large, a duplicate key.
 */
const DETERMINISTIC_CODES = new Set<number | string | undefined>([
  2,
  9,
  14,
  28,
  40,
  52,
  54,
  55,
  56,
  57,
  66,
  121,
  10_334,
  DUPLICATE_KEY,
  17_280,
  17_419,
  17_420,
]);

/** Node's error codes for the failure of an open connection. */
const SOCKET_FAULTS = new Set<string | undefined>([
  ...['EPIPE', 'ECONNRESET', 'ECONNABORTED', 'ETIMEDOUT', 'ENOTCONN'],
  ...['EHOSTUNREACH', 'EHOSTDOWN', 'ENETUNREACH', 'ENETDOWN'],
]);

/** Names of mongoose's errors about a value. Its connection errors are not among them. */
const DETERMINISTIC_NAMES = new Set([
  'CastError',
  'ObjectExpectedError',
  'ObjectParameterError',
  'StrictModeError',
  'ValidationError',
  'ValidatorError',
]);

/**
 * Whether the same work may succeed later with the same input.
 *
 * Every error is transient except those of a short list: an `AppError` that is not retryable, values that cannot be encoded,
 * commands that the server refuses for their content, and defects of the code. The list is not of the transient ones, because
 * network faults, elections, conflicts and time-outs have many names, with and without labels and codes.
 */
export function isTransient(error: unknown): boolean {
  if (error instanceof AppError) return error.retryable;
  if (!(error instanceof Error)) return true;
  if (hasLabel(error, 'TransientTransactionError')) return true;
  if (isRefusedValue(error) || isDefect(error)) return false;
  return !codesOf(error).some((code) => DETERMINISTIC_CODES.has(code));
}

/** Whether a unique index refused the write; `indexName` narrows it to one index. */
export function isDuplicateKey(error: unknown, indexName?: string): boolean {
  if (!(error instanceof mongo.MongoError) || !codesOf(error).includes(DUPLICATE_KEY)) return false;
  return indexName === undefined || messagesOf(error).some((message) => message.includes(` index: ${indexName} `));
}

/** The name of the first unique index that refused the write; undefined for another failure. */
export function duplicateIndex(error: unknown): string | undefined {
  if (!isDuplicateKey(error)) return undefined;
  return messagesOf(error as Error)
    .map((message) => / index: (\S+) /.exec(message)?.[1])
    .find((name) => name !== undefined);
}

/** Whether a bulk insert failed only for documents whose ids exist already. */
export function isDuplicateIdOnly(error: unknown): boolean {
  if (!(error instanceof mongo.MongoBulkWriteError) || error.result.getWriteConcernError() !== undefined) return false;
  const refused = writeErrorsOf(error);
  return (
    refused.length > 0 &&
    refused.every(({ code, errmsg = '' }) => code === DUPLICATE_KEY && errmsg.includes(' index: _id_ '))
  );
}

/**
 * `UnavailableError` (503, E2) where the failure is a transient one of the database; otherwise the failure itself.
 */
export function asUnavailable(error: unknown): unknown {
  const mayPass = (error instanceof mongo.MongoError && isTransient(error)) || isSocketFault(error);
  return mayPass ? new UnavailableError(NO_ANSWER, { cause: error }) : error;
}

/**
 * Whether the error says that MongoDB, Kafka or another service was unavailable. Then it is no fault of the work, which may succeed
 * later as it is.
 */
export const isUnavailable = (error: unknown): boolean => asUnavailable(error) instanceof UnavailableError;

/** The result of `work`. Its errors are thrown as {@link asUnavailable} converts them. */
export function orUnavailable<T>(work: Promise<T>): Promise<T> {
  return work.catch((error: unknown) => {
    throw asUnavailable(error);
  });
}

/** Whether the server stopped an operation at its `maxTimeMS`. A part of it may be written. */
export function isTimeLimitPassed(error: unknown): boolean {
  return error instanceof mongo.MongoError && codesOf(error).includes(TIME_LIMIT_PASSED);
}

/** Whether the server or the driver put `label` on the error. */
export function hasLabel(error: unknown, label: string): boolean {
  return error instanceof mongo.MongoError && error.hasErrorLabel(label);
}

/** The error and its causes on one line, for a log or a dead letter. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const own = `${error.name}: ${error.message}`;
  return error.cause === undefined ? own : `${own} (${reasonOf(error.cause)})`;
}

function isRefusedValue(error: Error): boolean {
  return (
    error instanceof mongo.BSON.BSONError ||
    error instanceof mongo.MongoInvalidArgumentError ||
    DETERMINISTIC_NAMES.has(error.name)
  );
}

/**
 * The driver passes the socket error of Node on as it is, without a label, when the server or the network becomes unavailable between two
 * writes of one command.
 */
function isSocketFault(error: unknown): boolean {
  return Error.isError(error) && SOCKET_FAULTS.has((error as NodeJS.ErrnoException).code);
}

function writeErrorsOf(error: Error): readonly { code?: number; errmsg?: string }[] {
  if (!(error instanceof mongo.MongoBulkWriteError)) return [];
  return [error.writeErrors].flat() as { code?: number; errmsg?: string }[];
}

function codesOf(error: Error): (number | string | undefined)[] {
  const own = error instanceof mongo.MongoError ? [error.code] : [];
  return [...own, ...writeErrorsOf(error).map((each) => each.code)];
}

function messagesOf(error: Error): string[] {
  return [error.message, ...writeErrorsOf(error).map((each) => each.errmsg ?? '')];
}
