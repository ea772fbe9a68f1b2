import type { RequestListener } from 'node:http';
import { Admission, createServiceApp, type ServiceAppOptions } from '@tocsin/http';
import { historyRoutes } from './alert-log/routes.ts';
import type { ReadAlerts } from './alerts/operations.ts';
import { alertRoutes, commandTrialRoute, internalAlertRoute } from './alerts/routes.ts';
import type { CommandTrials } from './alerts/trial-operations.ts';
import type { Attachments } from './attachments/operations.ts';
import { attachmentRoutes, keepFileRoute } from './attachments/routes.ts';
import type { ReadNextPages } from './explain/next-page-operations.ts';
import type { ExplainAlerts } from './explain/operations.ts';
import { explanationRoutes } from './explain/routes.ts';
import type { SimulateAlerts } from './explain/simulate-operations.ts';
import { simulationRoutes } from './explain/simulation-routes.ts';
import type { Maintenances } from './maintenance/operations.ts';
import { maintenanceRoutes } from './maintenance/routes.ts';
import type { EvaluatePolicies } from './policies/evaluate-operations.ts';
import { evaluationRoutes } from './policies/evaluation-routes.ts';
import type { Policies } from './policies/operations.ts';
import { disablePoliciesRoute, policyReadinessRoute, policyRoutes } from './policies/routes.ts';
import type { ReadRequestStatus } from './requests/operations.ts';
import { ledgerRoutes, type LedgerRoutesPorts } from './requests/reconciliation-routes.ts';
import { requestRoutes } from './requests/routes.ts';
import type { ResponderDirectory } from './responders/client.ts';
import type { SavedSearches } from './searches/operations.ts';
import { savedSearchRoutes } from './searches/routes.ts';

export interface AppParts extends Omit<ServiceAppOptions, 'routes' | 'internalRoutes'> {
  readonly alerts: ReadAlerts;
  readonly commandTrials: CommandTrials;
  readonly explanations: ExplainAlerts;
  readonly nextPages: ReadNextPages;
  readonly requests: ReadRequestStatus;
  readonly searches: SavedSearches;
  readonly attachments: Attachments;
  readonly maintenances: Maintenances;
  readonly policies: Policies;
  readonly evaluation: EvaluatePolicies;
  readonly simulations: SimulateAlerts;
  readonly names: ResponderDirectory;
  readonly ledger: Omit<LedgerRoutesPorts, 'clock'>;
}

/** The HTTP operations of the service, without a port or a database. Component tests use them. */
export function createApp({
  alerts,
  commandTrials,
  explanations,
  nextPages,
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
      internalAlertRoute(alerts),
      commandTrialRoute(commandTrials, pools.evaluations),
      disablePoliciesRoute(policies),
      policyReadinessRoute(policies),
      ...ledgerRoutes({ ...ledger, clock: common.clock }),
    ],
    routes: [
      ...alertRoutes(alerts, pools.searches),
      ...historyRoutes(alerts),
      ...explanationRoutes(explanations, nextPages, pools.evaluations),
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

/** Searches under way at a time, in all and of one key (F5). When two keys use all they may, one slot is left for others. */
const SEARCHES = { inAll: 6, each: 3 };
/** Connections for searches, beside those that process commands (A11): a list may read alerts and count them at a time. */
export const SEARCH_CONNECTIONS = 2 * SEARCHES.inAll;
/** How long a search waits before it is refused: longer than another search may take. */
export const SEARCH_WAIT_MS = 1_500;

/** Pools of the expensive requests, each with a share for each key (F5). */
export interface Pools {
  readonly searches: Admission;
  readonly evaluations: Admission;
}

export const newPools = (): Pools => ({
  searches: new Admission({ ...SEARCHES, waiting: { inAll: 128, each: 96 }, waitMs: SEARCH_WAIT_MS }),
  // Evaluations, simulations and next pages. An evaluation may use two budgets of patterns (P3), and alerts must not wait for many evaluations of a key.
  evaluations: new Admission({
    inAll: 4,
    each: 1,
    waiting: { inAll: 64, each: 48 },
    waitMs: SEARCH_WAIT_MS,
  }),
});
