import { InvalidError } from '@tocsin/errors';
import { asUnavailable } from '@tocsin/persistence';

/** How long one query may take, in milliseconds. */
export const QUERY_TIMEOUT_MS = 2_000;
/** How long a search may take (A11): less than the next one waits for its end. */
export const SEARCH_TIMEOUT_MS = 1_400;

const MAX_TIME_EXPIRED = 50;
const TOO_LONG = 'The query takes too long. Narrow it down, or sort by another field.';

/**
 * Awaits a query and translates its errors.
 *
 * @throws UnavailableError when the database is away; InvalidError when the query took too long and was stopped.
 */
export async function reading<T>(query: Promise<T>): Promise<T> {
  try {
    return await query;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === MAX_TIME_EXPIRED)
      throw new InvalidError(TOO_LONG, { query: TOO_LONG }, { cause: error });
    throw asUnavailable(error);
  }
}
