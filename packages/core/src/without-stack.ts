/**
 * Calls `make`, in which errors are made without a stack. An overloaded process refuses thousands of requests a second, and the
 * stack costs seven times as much as the rest of an error.
 */
export function withoutStack<E>(make: () => E): E {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  try {
    return make();
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}
