import type { RequestListener } from 'node:http';
import { createServiceApp, type ServiceAppOptions } from '@tocsin/http';
import type { Attachments } from './application/attachments.ts';
import type { EvaluatePolicies } from './application/evaluate-policies.ts';
import type { Maintenances } from './application/maintenances.ts';
import type { Policies } from './application/policies.ts';
import type { ExplainAlerts } from './application/explain-alerts.ts';
import type { ReadAlerts } from './application/read-alerts.ts';
import type { SimulateAlerts } from './application/simulate-alerts.ts';
import type { ReadRequestStatus } from './application/read-request-status.ts';
import type { SavedSearches } from './application/saved-searches.ts';
import { alertRoutes } from './http/alert-routes.ts';
import { attachmentRoutes, keepFileRoute } from './http/attachment-routes.ts';
import { evaluationRoutes } from './http/evaluation-routes.ts';
import { explanationRoutes } from './http/explanation-routes.ts';
import { historyRoutes } from './http/history-routes.ts';
import { ledgerRoutes, type LedgerRoutesPorts } from './http/ledger-routes.ts';
import { maintenanceRoutes } from './http/maintenance-routes.ts';
import { disablePoliciesRoute, policyRoutes } from './http/policy-routes.ts';
import { newPools } from './http/pools.ts';
import { requestRoutes } from './http/request-routes.ts';
import { savedSearchRoutes } from './http/saved-search-routes.ts';
import { simulationRoutes } from './http/simulation-routes.ts';
import { toldAlertRoute } from './http/told-alert-route.ts';
import type { ResponderNames } from './ports/responder-directory.ts';

export interface AppParts extends Omit<ServiceAppOptions, 'routes' | 'internalRoutes'> {
  readonly alerts: ReadAlerts;
  readonly explanations: ExplainAlerts;
  readonly requests: ReadRequestStatus;
  readonly searches: SavedSearches;
  readonly attachments: Attachments;
  readonly maintenances: Maintenances;
  readonly policies: Policies;
  readonly evaluation: EvaluatePolicies;
  readonly simulations: SimulateAlerts;
  readonly names: ResponderNames;
  readonly ledger: Omit<LedgerRoutesPorts, 'clock'>;
}

/** The HTTP face of the service, without a port or a database: what component tests drive. */
export function createApp({
  alerts,
  explanations,
  requests,
  searches,
  attachments,
  maintenances,
  policies,
  evaluation,
  simulations,
  names,
  ledger,
  ...common
}: AppParts): RequestListener {
  const pools = newPools();
  return createServiceApp({
    ...common,
    internalRoutes: [
      keepFileRoute(attachments),
      toldAlertRoute(alerts),
      disablePoliciesRoute(policies),
      ...ledgerRoutes({ ...ledger, clock: common.clock }),
    ],
    routes: [
      ...alertRoutes(alerts, pools.searches),
      ...historyRoutes(alerts),
      ...explanationRoutes(explanations),
      ...attachmentRoutes(attachments),
      ...requestRoutes(requests),
      ...savedSearchRoutes(searches),
      ...maintenanceRoutes(maintenances),
      ...evaluationRoutes(evaluation, pools.evaluations),
      ...simulationRoutes(simulations, pools.evaluations),
      ...policyRoutes(policies, ({ type, id }) => names.nameOf(type, id)),
    ],
  });
}
