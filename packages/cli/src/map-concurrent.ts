/** Does `work` for every item, at most `limit` at a time; the results are in the order of the items. After an error no further item is begun. */
export async function mapConcurrent<T, R>(
  limit: number,
  items: Iterable<T>,
  work: (item: T) => Promise<R>,
): Promise<readonly R[]> {
  const results: R[] = [];
  const waiting = [...items].entries();
  let hasFailed = false;
  const workNext = async () => {
    for (const [at, item] of waiting) {
      if (hasFailed) return;
      try {
        results[at] = await work(item);
      } catch (error) {
        hasFailed = true;
        throw error;
      }
    }
  };
  // All have ended when this returns, so nothing is written after an error is shown.
  const ends = await Promise.allSettled(Array.from({ length: limit }, workNext));
  const failed = ends.find((end) => end.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
  return results;
}
