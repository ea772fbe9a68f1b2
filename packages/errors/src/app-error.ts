/**
 * The closed set of reasons for which a request or a command can be refused (E2). `packages/http` joins each code to an
 * HTTP status, `packages/messaging` to an outcome of a record.
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

/** Field path of the body, the path or the query -> one flat sentence (E1: clients decode a map of strings). */
export type FieldErrors = Readonly<Record<string, string>>;

/**
 * An expected refusal, meant for the caller. Anything else that is thrown is a defect and becomes a 500.
 *
 * `message` is public: never put a secret, an internal address or a stack in it. Pass the technical reason as `cause`.
 */
export abstract class AppError extends Error {
  abstract readonly code: ErrorCode;
  /** Whether the same input may succeed later without any change to it. */
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
/** The thing, something that a configuration body refers to, or the route does not exist: 404. */
export class NotFoundError extends AppError {
  readonly code = 'not-found';
}
/** An accepted request that has not settled yet: 404 that says so in a header of its own (A8). */
export class NotProcessedError extends AppError {
  readonly code = 'not-processed';
  override readonly retryable = true;
}
/** A known path with a method that it does not take: 405. */
export class MethodNotAllowedError extends AppError {
  readonly code = 'method-not-allowed';
  /** The methods that the path does take, upper case. */
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
/** Path and query are longer than any of ours can be: 414. */
export class TargetTooLongError extends AppError {
  readonly code = 'target-too-long';
}
/** The headers of a request, or one of them, are larger than is passed on: 431. */
export class HeadTooLargeError extends AppError {
  readonly code = 'head-too-large';
}
/** A content type that is present and not JSON: 415. */
export class UnsupportedMediaTypeError extends AppError {
  readonly code = 'unsupported-media-type';
}
/** Anything else that is wrong with a body, path or query value: 422, with the fields named where they are known (E4). */
export class InvalidError extends AppError {
  readonly code = 'invalid';
  readonly fields: FieldErrors | undefined;

  constructor(message: string, fields?: FieldErrors, options?: ErrorOptions) {
    super(message, options);
    this.fields = fields;
  }

  /** The refusal of a body in the words that clients know (E4). */
  static ofFields(fields: FieldErrors, options?: ErrorOptions): InvalidError {
    return new InvalidError('Request body is not processable. Please check the errors.', fields, options);
  }
}
/** Another thing still uses this one: 428; the message names what. */
export class InUseError extends AppError {
  readonly code = 'in-use';
}
/** Whose rate limit is used up: that of the integration of a key, of a caller's address, or of the user whom a request is about. */
export type ThrottledReason = 'INTEGRATION' | 'ADDRESS' | 'USER';

/** What a refusal by a rate limit says of itself (E3). */
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
/** Our own upstream answered something that is not an answer: 502. */
export class BadGatewayError extends AppError {
  readonly code = 'bad-gateway';
  override readonly retryable = true;
}
/** Kafka, MongoDB or a service that is needed is away, or a queue is full: 503 with `Retry-After`. */
export class UnavailableError extends AppError {
  readonly code = 'unavailable';
  override readonly retryable = true;
}
/** Our own upstream was silent for too long: 504. */
export class GatewayTimeoutError extends AppError {
  readonly code = 'gateway-timeout';
  override readonly retryable = true;
}
