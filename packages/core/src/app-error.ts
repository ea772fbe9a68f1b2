/**
 * Every reason for which a request or a command can be refused (E2). `packages/http` maps each code to an HTTP status,
 * `packages/kafka` to the outcome of a record.
 */
export type ErrorCode =
  | 'malformed'
  | 'unauthenticated'
  | 'forbidden'
  | 'not-found'
  | 'not-processed'
  | 'method-not-allowed'
  | 'conflict'
  | 'timed-out'
  | 'too-large'
  | 'target-too-long'
  | 'head-too-large'
  | 'unsupported-media-type'
  | 'invalid'
  | 'in-use'
  | 'throttled'
  | 'bad-gateway'
  | 'unavailable'
  | 'gateway-timeout';

/**
 * By the path of a field in the body, the path or the query, one sentence. Flat, because clients decode a map of strings (E1).
 */
export type FieldErrors = Readonly<Record<string, string>>;

/**
 * An expected error, meant for the caller. Any other error is a defect and becomes a 500.
 *
 * `message` is public: never put a secret, an internal address or a stack in it. Pass the technical reason as `cause`.
 */
export abstract class AppError extends Error {
  abstract readonly code: ErrorCode;
  /** Whether the same input may succeed later. */
  readonly retryable: boolean = false;

  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
  }
}

/** The body is not JSON (syntax only): 400. */
export class MalformedError extends AppError {
  readonly code = 'malformed';
}
/** No key, an unknown key, or one of a disabled integration: 401 (E2, E4). */
export class UnauthenticatedError extends AppError {
  readonly code = 'unauthenticated';
}
/** The key is valid, the right is missing: 403 with body code 40301 (E2, K3). */
export class ForbiddenError extends AppError {
  readonly code = 'forbidden';
}
/** The entity, one that a configuration body refers to, or the route does not exist: 404. */
export class NotFoundError extends AppError {
  readonly code = 'not-found';
}
/** An accepted request that is not settled yet: 404 with a header that says so (A8). */
export class NotProcessedError extends AppError {
  readonly code = 'not-processed';
  override readonly retryable = true;
}
/** A known path with another method: 405. */
export class MethodNotAllowedError extends AppError {
  readonly code = 'method-not-allowed';
  /** The methods of the path, upper case. */
  readonly allowed: readonly string[];

  constructor(allowed: readonly string[]) {
    super('Method is not allowed.');
    this.allowed = allowed;
  }
}
/** A name, alias or user name is taken: 409. */
export class ConflictError extends AppError {
  readonly code = 'conflict';
}
/** A body, or a message made of it, is over the limit: 413. */
export class TooLargeError extends AppError {
  readonly code = 'too-large';
}
/** The caller did not send the whole of a request in time: 408. */
export class TimedOutError extends AppError {
  readonly code = 'timed-out';
  override readonly retryable = true;
}
/** Path and query are longer than any of the API can be: 414. */
export class TargetTooLongError extends AppError {
  readonly code = 'target-too-long';
}
/** The headers of a request, or one of them, are too large: 431. */
export class HeadTooLargeError extends AppError {
  readonly code = 'head-too-large';
}
/** A content type that is present and not JSON: 415. */
export class UnsupportedMediaTypeError extends AppError {
  readonly code = 'unsupported-media-type';
}
/** Any other problem of a body, path or query value: 422, with the names of the fields where they are known (E4). */
export class InvalidError extends AppError {
  readonly code = 'invalid';
  readonly fields: FieldErrors | undefined;

  constructor(message: string, fields?: FieldErrors, options?: ErrorOptions) {
    super(message, options);
    this.fields = fields;
  }

  /** With a message of its own, which stands under `field` in `errors` too. */
  static about(field: string, message: string): InvalidError {
    return new InvalidError(message, { [field]: message });
  }

  /** With the message that clients know (E4). */
  static ofFields(fields: FieldErrors, options?: ErrorOptions): InvalidError {
    return new InvalidError('Request body is not processable. Please check the errors.', fields, options);
  }
}
/** Something still uses the entity, and the message says what: 428. */
export class InUseError extends AppError {
  readonly code = 'in-use';
}
/** Whose rate limit is used up: the integration of a key, a caller's address, or the user that a request is about. */
export type ThrottledReason = 'INTEGRATION' | 'ADDRESS' | 'USER';

/** For the headers of a 429 (E3). */
export interface Throttling {
  readonly reason: ThrottledReason;
  /** Of the limit, in whole seconds. */
  readonly periodSeconds: number;
  /** After how long the same request may succeed, in whole seconds, at least 1. */
  readonly retryAfterSeconds: number;
}

/** Over a rate limit: 429. */
export class ThrottledError extends AppError {
  readonly code = 'throttled';
  override readonly retryable = true;
  readonly throttling: Throttling;

  constructor(message: string, throttling: Throttling) {
    super(message);
    this.throttling = throttling;
  }
}
/** The answer of our own upstream is not valid: 502. */
export class BadGatewayError extends AppError {
  readonly code = 'bad-gateway';
  override readonly retryable = true;
}
/** Kafka, MongoDB or a needed service is unavailable, or a queue is full: 503 with `Retry-After`. */
export class UnavailableError extends AppError {
  readonly code = 'unavailable';
  override readonly retryable = true;
}
/** Our own upstream did not answer in time: 504. */
export class GatewayTimeoutError extends AppError {
  readonly code = 'gateway-timeout';
  override readonly retryable = true;
}
