import { CallError } from './call-error.ts';

interface Listed {
  readonly id: string;
}

/**
 * The place of an entry after a move by one, in a list that was read right before.
 *
 * @throws CallError where the list is not in the order that the person saw: the place would be another one than they mean.
 */
export function placeAfterMove(
  { by, id, seen }: { readonly id: string; readonly by: -1 | 1; readonly seen: readonly Listed[] },
  now: readonly Listed[],
): number {
  const isSame = seen.length === now.length && seen.every((each, place) => each.id === now[place]?.id);
  const place = now.findIndex((each) => each.id === id);
  if (!isSame || place < 0)
    throw new CallError({ status: 409, message: 'Another person changed the order. Look at it, and move it again.' });
  return place + by;
}
