export {
  AppError,
  BadGatewayError,
  ConflictError,
  ForbiddenError,
  GatewayTimeoutError,
  InUseError,
  InvalidError,
  MalformedError,
  MethodNotAllowedError,
  NotFoundError,
  NotProcessedError,
  ThrottledError,
  TooLargeError,
  UnauthenticatedError,
  UnavailableError,
  UnsupportedMediaTypeError,
} from './app-error.ts';
export type { ErrorCode, FieldErrors } from './app-error.ts';
export { InvariantError, isDefect } from './defect.ts';
