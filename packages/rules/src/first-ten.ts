const MAX_LISTED = 10;

/** The texts of the first ten items, and how many more there are. */
export function firstTen<T>(items: readonly T[], tell: (item: T) => string): readonly string[] {
  const told = items.slice(0, MAX_LISTED).map(tell);
  return items.length > MAX_LISTED ? [...told, `and ${items.length - MAX_LISTED} more`] : told;
}
