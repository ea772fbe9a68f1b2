import type { RequestListener } from 'node:http';
import type { OnExcess } from '@tocsin/contracts';
import { createServiceApp, type ServiceAppOptions } from '@tocsin/http';
import type { AlertWrites } from './application/alert-writes.ts';
import type { IntegrationActions } from './application/integration-actions.ts';
import type { Integrations } from './application/integrations.ts';
import { actionRoutes } from './http/action-routes.ts';
import { alertRoutes } from './http/alert-routes.ts';
import { integrationRoutes } from './http/integration-routes.ts';
import { internalRoutes } from './http/internal-routes.ts';
import type { IntegrationStore } from './ports/integration-store.ts';

export interface AppDependencies extends Omit<ServiceAppOptions, 'routes' | 'internalRoutes'> {
  readonly integrations: Integrations;
  readonly integrationActions: IntegrationActions;
  readonly alertWrites: AlertWrites;
  readonly store: IntegrationStore;
  readonly ingestOnExcess: OnExcess;
  readonly extraIntegrationTypes: readonly string[];
  readonly emailDomain: string;
}

/** The HTTP face of the service, without a port, Kafka or a database: what component tests drive. */
export function createApp(dependencies: AppDependencies): RequestListener {
  const { integrations, alertWrites, store } = dependencies;
  const { extraIntegrationTypes: extraTypes, emailDomain } = dependencies;
  return createServiceApp({
    ...dependencies,
    routes: [
      ...alertRoutes(alertWrites, dependencies.ingestOnExcess),
      ...integrationRoutes(integrations, { extraTypes, emailDomain }),
      ...actionRoutes(integrations, dependencies.integrationActions),
    ],
    internalRoutes: internalRoutes(integrations, store),
  });
}
