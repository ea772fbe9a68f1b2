import { policiesTakeTooLong } from '@tocsin/contracts';
import type { Policy } from './policy.ts';

/** The most policies that the account, or one team, may have (wire facts 6.2). */
export const MOST_POLICIES = 1_000;
/** The most bytes that these may have together, as JSON: a change of their order writes them all. */
export const MOST_POLICY_BYTES = 4_000_000;

/** The bound that is exceeded. */
export type Excess = 'policies' | 'bytes' | 'patterns';

/** The bound that all policies of the account, or of a team, exceed together; undefined if they exceed none. */
export function excessOf(policies: readonly Policy[]): Excess | undefined {
  if (policies.length > MOST_POLICIES) return 'policies';
  const bytes = policies.reduce((sum, policy) => sum + Buffer.byteLength(JSON.stringify(policy)), 0);
  if (bytes > MOST_POLICY_BYTES) return 'bytes';
  return policiesTakeTooLong(policies) ? 'patterns' : undefined;
}
