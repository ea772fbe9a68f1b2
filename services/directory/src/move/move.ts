import { MOVE_CONDITIONS, type MoveBody } from '@tocsin/api';
import { InvalidError } from '@tocsin/core';

/** The last check of a move from another product (M6). */
export interface Move extends MoveBody {
  /** The integration or the user that published it. */
  readonly publishedBy: string;
  readonly publishedAt: Date;
}

/** How far the clock of a caller may be ahead. */
const MAX_AHEAD_MS = 300_000;

/**
 * The check as it is stored: the address without a slash at its end, the conditions in one order.
 *
 * @throws InvalidError where it is of the future.
 */
export function publishedMove(
  { checkedAt, conditions, from }: MoveBody,
  { at, by }: { readonly at: Date; readonly by: string },
): Move {
  if (checkedAt.getTime() > at.getTime() + MAX_AHEAD_MS)
    throw InvalidError.ofFields({ checkedAt: 'should be at most 5 minutes ahead of the clock of Tocsin' });
  return {
    from: new URL(from).origin,
    checkedAt,
    conditions: MOVE_CONDITIONS.flatMap((name) => conditions.filter((condition) => condition.name === name)),
    publishedBy: by,
    publishedAt: at,
  };
}
