/** Something that the code takes for granted does not hold: a defect of ours, which the same input provokes again. */
export class InvariantError extends Error {
  override readonly name = 'InvariantError';
}

/**
 * Whether `error` is a defect of the code: the same input provokes it again, whatever becomes of the engines.
 *
 * A `TypeError` with a cause is how the platform reports a failed fetch: a network fault after all.
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
