export {
  AppError,
  BadGatewayError,
  ConflictError,
  ForbiddenError,
  GatewayTimeoutError,
  HeadTooLargeError,
  InUseError,
  InvalidError,
  MalformedError,
  MethodNotAllowedError,
  NotFoundError,
  NotProcessedError,
  TargetTooLongError,
  ThrottledError,
  TimedOutError,
  TooLargeError,
  UnauthenticatedError,
  UnavailableError,
  UnsupportedMediaTypeError,
} from './app-error.ts';
export type { ErrorCode, FieldErrors, ThrottledReason, Throttling } from './app-error.ts';
export { InvariantError, isDefect } from './defect.ts';
export { withoutStack } from './without-stack.ts';
