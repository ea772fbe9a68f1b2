/** Calls `work` for each of `items`, `lanes` at a time. The results are in the order of the items. */
export async function mapConcurrent<T, R>(
  lanes: number,
  items: readonly T[],
  work: (item: T, index: number) => Promise<R>,
): Promise<readonly R[]> {
  const results: R[] = [];
  const rest = items.entries();
  await Promise.all(
    Array.from({ length: lanes }, async () => {
      for (const [index, item] of rest) results[index] = await work(item, index);
    }),
  );
  return results;
}
