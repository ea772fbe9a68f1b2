import { policiesTakeTooLong } from '@tocsin/contracts';
import type { Policy } from './policy.ts';

/** How many policies the account, or one team, has at most (wire facts 6.2). */
export const MOST_POLICIES = 1_000;
/** How large these are together at most, as JSON: whoever changes their order writes them all. */
export const MOST_POLICY_BYTES = 4_000_000;

/** What there is too much of. */
export type Excess = 'policies' | 'bytes' | 'patterns';

/** Of what the account, or a team, would have too much with these policies; undefined where they are within every bound. */
export function excessOf(policies: readonly Policy[]): Excess | undefined {
  if (policies.length > MOST_POLICIES) return 'policies';
  const bytes = policies.reduce((sum, policy) => sum + Buffer.byteLength(JSON.stringify(policy)), 0);
  if (bytes > MOST_POLICY_BYTES) return 'bytes';
  return policiesTakeTooLong(policies) ? 'patterns' : undefined;
}
