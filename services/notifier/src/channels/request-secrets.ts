/** Shorter values may stand anywhere. */
const SHORTEST_SECRET = 6;
/** Long words of a path or a body are mostly keys. */
const SHORTEST_KEY = 16;

/** What may be a password or a key of a request: values of headers and of the query, and long words of `text`. */
export function requestSecrets({
  headerValues,
  query,
  text,
}: {
  readonly headerValues: readonly string[];
  readonly query: readonly string[];
  readonly text: string;
}): readonly string[] {
  const keys = text.split(/[^\w.~+=-]+/).filter((word) => word.length >= SHORTEST_KEY);
  // The secret of `Bearer …` is its second word.
  const values = headerValues.flatMap((value) => [value, ...value.split(/\s+/)]);
  return [...values, ...query, ...keys].filter((value) => value.length >= SHORTEST_SECRET);
}
