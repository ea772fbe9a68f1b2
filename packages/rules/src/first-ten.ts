const MOST_TOLD = 10;

/** The texts of the first ten items, and how many more there are. */
export function firstTen<T>(items: readonly T[], tell: (item: T) => string): readonly string[] {
  const told = items.slice(0, MOST_TOLD).map(tell);
  return items.length > MOST_TOLD ? [...told, `and ${items.length - MOST_TOLD} more`] : told;
}
