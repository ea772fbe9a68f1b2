import { UnavailableError } from '@tocsin/errors';

/**
 * As `work`, which goes on by itself if it lasts longer than `limitMs` of real time.
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
