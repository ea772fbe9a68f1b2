interface SharedBounds<T> {
  /** Items under way at a time. */
  readonly inAll: number;
  /** Of these, with the same share. */
  readonly each: number;
  readonly shareOf: (item: T) => string;
}

/**
 * Does `work` for each item, several at a time, those of a share in their order.
 *
 * @throws the first error of `work`; items that are under way go on.
 */
export async function forEachShared<T>(
  items: readonly T[],
  { each, inAll, shareOf }: SharedBounds<T>,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const shares = [...Map.groupBy(items, shareOf).values()].map((own) => ({ own, next: 0, underWay: 0 }));
  const lane = async (): Promise<void> => {
    for (;;) {
      const [share] = shares
        .filter(({ next, own, underWay }) => next < own.length && underWay < each)
        .toSorted((a, b) => a.underWay - b.underWay);
      const item = share?.own[share.next];
      // The lanes of a full share do the rest of it.
      if (share === undefined || item === undefined) return;
      share.next += 1;
      share.underWay += 1;
      await work(item);
      share.underWay -= 1;
    }
  };
  await Promise.all(Array.from({ length: inAll }, lane));
}
