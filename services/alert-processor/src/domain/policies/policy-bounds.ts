import { policiesTakeTooLong } from '@tocsin/contracts';
import { bytesOf, MOST_BYTES_OF_TEAM } from '@tocsin/rules';
import type { Policy } from './policy.ts';

/** The most policies that the account, or one team, may have (wire facts 6.2). */
export const MOST_POLICIES = 1_000;

/** The bound that is exceeded. */
export type Excess = 'policies' | 'bytes' | 'patterns';

/** The bound that all policies of the account, or of a team, exceed together; undefined if they exceed none. */
export function excessOf(policies: readonly Policy[]): Excess | undefined {
  if (policies.length > MOST_POLICIES) return 'policies';
  const bytes = policies.reduce((sum, policy) => sum + bytesOf(policy), 0);
  if (bytes > MOST_BYTES_OF_TEAM) return 'bytes';
  return policiesTakeTooLong(policies) ? 'patterns' : undefined;
}
