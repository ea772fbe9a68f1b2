export { Batcher } from './batcher.ts';
export { ManualClock, systemClock } from './clock.ts';
export type { Clock } from './clock.ts';
export { FollowingClock } from './following-clock.ts';
export type { FollowOptions } from './following-clock.ts';
export { finished, flatMapInSteps, inSteps, LongWork, longWork, mapInSteps, type Steps } from './long-work.ts';
export type { Put } from './put.ts';
export { backOffMs, retry } from './retry.ts';
export { TokenBuckets } from './token-buckets.ts';
export type { Rate } from './token-buckets.ts';
export { TrafficCounter, type CountedRequest, type TrafficCount } from './traffic-counter.ts';
export { withTimeout } from './with-timeout.ts';
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
