import { UnavailableError } from '@tocsin/errors';

/**
 * Settles as `work`, for at most `limitMs` of real time; `work` itself goes on.
 *
 * @throws UnavailableError when the time is over.
 */
export async function within<T>(limitMs: number, work: Promise<T>): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    reject(new UnavailableError(`Kafka did not answer within ${limitMs} ms.`));
  }, limitMs);
  work.catch(() => undefined);
  try {
    return await Promise.race([work, promise]);
  } finally {
    clearTimeout(timer);
  }
}
