import type { CreateAlert } from '@tocsin/events';
import { compileRules } from './policies/compiled-rules.ts';
import { applyPolicies } from './policies/apply-policies.ts';
import type { PolicyResult, PolicyContext } from './policies/policy-result.ts';
import type { Policy } from './policies/policy.ts';

export type { Policy } from './policies/policy.ts';

const NO_RESPONDERS: PolicyContext = {
  resolve: () => ({ kind: 'unknown' }),
  nameOf: () => undefined,
  everyone: () => [],
};

/**
 * Applies `policies` to `command` on each call, log entry included; `npm run bench -- policies` measures it. It looks up no responder.
 */
export function policyApplication(policies: readonly Policy[], command: CreateAlert): () => PolicyResult {
  const rules = compileRules({ policies, maintenances: [] }, 'Europe/Rome');
  return () => ({ ...applyPolicies(rules, command, NO_RESPONDERS) });
}
