import type { RequestListener } from 'node:http';
import type { Clock } from '@tocsin/clock';
import type { OnExcess } from '@tocsin/contracts';
import { createServiceApp } from '@tocsin/http';
import type { PrincipalVerifier } from '@tocsin/key-auth';
import type { AlertWrites } from './application/alert-writes.ts';
import type { IntegrationActions } from './application/integration-actions.ts';
import type { Integrations } from './application/integrations.ts';
import { actionRoutes } from './http/action-routes.ts';
import { alertRoutes } from './http/alert-routes.ts';
import { integrationRoutes } from './http/integration-routes.ts';
import { internalRoutes } from './http/internal-routes.ts';
import type { IntegrationStore } from './ports/integration-store.ts';

export interface AppDependencies {
  readonly integrations: Integrations;
  readonly integrationActions: IntegrationActions;
  readonly alertWrites: AlertWrites;
  readonly store: IntegrationStore;
  readonly verifier: PrincipalVerifier;
  readonly clock: Clock;
  readonly onDefect: (error: unknown, requestId: string) => void;
  readonly ingestOnExcess: OnExcess;
  readonly extraIntegrationTypes: readonly string[];
  readonly emailDomain: string;
}

/** The HTTP face of the service, without a port, Kafka or a database: what component tests drive. */
export function createApp(dependencies: AppDependencies): RequestListener {
  const { integrations, alertWrites, store, verifier, clock, onDefect } = dependencies;
  const { extraIntegrationTypes: extraTypes, emailDomain } = dependencies;
  return createServiceApp({
    routes: [
      ...alertRoutes(alertWrites, dependencies.ingestOnExcess),
      ...integrationRoutes(integrations, { extraTypes, emailDomain }),
      ...actionRoutes(integrations, dependencies.integrationActions),
    ],
    internalRoutes: internalRoutes(integrations, store),
    verifier,
    clock,
    onDefect,
  });
}
