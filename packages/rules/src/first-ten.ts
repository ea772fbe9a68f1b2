const MAX_LISTED = 10;

/** The texts of the first ten items, and how many more there are. */
export function firstTen<T>(items: readonly T[], textOf: (item: T) => string): readonly string[] {
  const texts = items.slice(0, MAX_LISTED).map(textOf);
  return items.length > MAX_LISTED ? [...texts, `and ${items.length - MAX_LISTED} more`] : texts;
}
