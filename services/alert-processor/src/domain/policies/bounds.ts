import { isDeepStrictEqual } from 'node:util';
import { takeTooLong } from '@tocsin/contracts';
import type { Policy } from './policy.ts';

/** How many policies the account, or one team, has at most (wire facts 6.2). */
export const MOST_POLICIES = 1_000;
/** How large these are together at most, as JSON: whoever changes their order writes them all. */
export const MOST_POLICY_BYTES = 4_000_000;

/** What there is too much of. */
export type Excess = 'policies' | 'bytes' | 'patterns';

/**
 * Of what the account, or a team, would have too much with `written` beside its `others`. Who only changes something else than
 * the filter, or makes a policy no larger than `before`, is not refused for what was there already.
 */
export function excessOf(others: readonly Policy[], written: Policy, before?: Policy): Excess | undefined {
  if (before === undefined && others.length >= MOST_POLICIES) return 'policies';
  const grows = before === undefined || bytesOf(written) > bytesOf(before);
  if (grows && [...others, written].reduce((sum, policy) => sum + bytesOf(policy), 0) > MOST_POLICY_BYTES)
    return 'bytes';
  if (before !== undefined && isDeepStrictEqual(before.filter, written.filter)) return undefined;
  return takeTooLong([...others, written].map(({ filter }) => filter.set)) ? 'patterns' : undefined;
}

const bytesOf = (policy: Policy): number => Buffer.byteLength(JSON.stringify(policy));
