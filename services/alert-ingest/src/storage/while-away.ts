import { asUnavailable } from '@tocsin/persistence';

/** What `read` gives. @throws UnavailableError where the trouble is the database's, which the caller may outlast (E2). */
export async function whileAway<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    throw asUnavailable(error);
  }
}
