/** Does `work` for every item, at most `limit` at a time; the results are in the order of the items. */
export async function mapConcurrent<T, R>(
  limit: number,
  items: readonly T[],
  work: (item: T) => Promise<R>,
): Promise<readonly R[]> {
  const results: R[] = [];
  const waiting = items.entries();
  const workNext = async () => {
    for (const [at, item] of waiting) results[at] = await work(item);
  };
  await Promise.all(Array.from({ length: limit }, workNext));
  return results;
}
