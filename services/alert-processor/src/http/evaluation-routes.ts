import { EvaluatePoliciesBody } from '@tocsin/contracts';
import { defineRoute, type Route } from '@tocsin/http';
import type { EvaluatePolicies } from '../application/evaluate-policies.ts';
import { evaluationView } from './evaluation-view.ts';

/** Ours: what policies would do to an alert. Whoever may read configuration may ask, because nothing is written (K3). */
export function evaluationRoutes(policies: EvaluatePolicies): readonly Route[] {
  return [
    defineRoute({
      operation: 'evaluate-policies',
      body: EvaluatePoliciesBody,
      handle: async ({ body, principal, callerAddress }) => ({
        body: { data: evaluationView(await policies.evaluate(body, principal, callerAddress)) },
      }),
    }),
  ];
}
