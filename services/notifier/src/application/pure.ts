import { InvariantError, isDefect } from '@tocsin/errors';

/**
 * Runs `work`, which depends on its values alone. An error would come again for the same values, so it is a defect.
 *
 * @throws an error of which `isDefect` holds.
 */
export function pure<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (isDefect(error)) throw error;
    throw new InvariantError(faultOf(error), { cause: error });
  }
}

/** What `work` answers, or else what `otherwise` makes of the fault; both depend on their values alone. */
export function pureOr<T>(work: () => T, otherwise: (fault: string) => T): T {
  try {
    return work();
  } catch (error) {
    return otherwise(faultOf(error));
  }
}

const faultOf = (error: unknown): string =>
  error instanceof Error ? `${error.name}: ${error.message}` : String(error);
