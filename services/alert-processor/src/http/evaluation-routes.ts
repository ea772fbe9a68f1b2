import { EvaluatePoliciesBody } from '@tocsin/contracts';
import { type Admission, defineRoute, type Route } from '@tocsin/http';
import type { EvaluatePolicies } from '../application/evaluate-policies.ts';
import { evaluationView } from './evaluation-view.ts';

/**
 * Our own: what policies would do to an alert. The right to read configuration suffices, because it writes nothing
 * (K3).
 */
export function evaluationRoutes(policies: EvaluatePolicies, pool: Admission): readonly Route[] {
  return [
    defineRoute({
      operation: 'evaluate-policies',
      pool,
      body: EvaluatePoliciesBody,
      writtenNumbers: 'details',
      handle: async ({ body, principal, callerAddress }) => ({
        body: { data: evaluationView(await policies.evaluate(body, principal, callerAddress)) },
      }),
    }),
  ];
}
