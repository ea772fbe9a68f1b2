/**
 * What `make` makes; an error among it has no stack. An overloaded process refuses thousands of times a second, and the stack
 * costs seven times as much as the rest of an error.
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
