import { UnavailableError } from '@tocsin/errors';
import { isTransient } from '@tocsin/persistence';
import { mongo } from 'mongoose';

/** What `read` gives. @throws UnavailableError where the trouble is the database's, which the caller may outlast (E2). */
export async function whileAway<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof mongo.MongoError) || !isTransient(error)) throw error;
    throw new UnavailableError('The database did not answer in time.', { cause: error });
  }
}
