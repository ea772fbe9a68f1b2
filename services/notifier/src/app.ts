import type { RequestListener } from 'node:http';
import { createServiceApp, type ServiceAppOptions } from '@tocsin/http';
import type { ActOnAlert } from './application/act-on-alert.ts';
import type { SimulatePages } from './application/simulate-pages.ts';
import { ledgerRoute } from './http/ledger-route.ts';
import { simulationRoute } from './http/simulation-route.ts';
import type { Undelivered } from './ports/undelivered.ts';

/** What the routes of the notifier need. */
export interface AppParts {
  readonly undelivered: Pick<Undelivered, 'find' | 'counts'>;
  readonly simulation: SimulatePages;
  /** Takes what people do to alerts by their answers to messages. */
  readonly acts: ActOnAlert;
}

/** The HTTP face of the notifier: no documented operation is its own yet. */
export function createApp(
  { simulation, undelivered }: AppParts,
  options: Omit<ServiceAppOptions, 'routes' | 'internalRoutes'>,
): RequestListener {
  const internalRoutes = [ledgerRoute(undelivered, options.clock), simulationRoute(simulation)];
  return createServiceApp({ ...options, routes: [], internalRoutes });
}
