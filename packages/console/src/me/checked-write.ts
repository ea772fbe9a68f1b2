/** What is there in place of what a person saw, or that their write was sent. */
export type CheckedWrite<T> =
  { readonly kind: 'sent' } | { readonly kind: 'changed'; readonly present: T } | { readonly kind: 'missing' };

interface CheckedCalls<T> {
  /** Undefined where it does not exist any more. */
  readonly read: () => Promise<T | undefined>;
  readonly send: () => Promise<unknown>;
}

/**
 * Writes one thing, unless it is not as its person saw it. It is read right before that: a change that another person makes between the
 * two is overwritten.
 */
export async function writeUnlessChanged<T>(seen: T, { read, send }: CheckedCalls<T>): Promise<CheckedWrite<T>> {
  const present = await read();
  if (present === undefined) return { kind: 'missing' };
  if (JSON.stringify(present) !== JSON.stringify(seen)) return { kind: 'changed', present };
  await send();
  return { kind: 'sent' };
}
