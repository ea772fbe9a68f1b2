/** An assumption of the code does not hold: a defect, which the same input causes again. */
export class InvariantError extends Error {
  override readonly name = 'InvariantError';
}

/**
 * Whether `error` is a defect of the code, which the same input causes again, whether Kafka and MongoDB are well or not.
 *
 * A `TypeError` with a cause is none: so Node reports the network fault of a failed fetch.
 */
export function isDefect(error: unknown): boolean {
  if (error instanceof TypeError) return error.cause === undefined;
  return (
    error instanceof InvariantError ||
    error instanceof RangeError ||
    error instanceof ReferenceError ||
    error instanceof SyntaxError
  );
}
