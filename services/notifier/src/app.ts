import type { RequestListener } from 'node:http';
import { createServiceApp, type ServiceAppOptions } from '@tocsin/http';
import type { AcknowledgeByLink } from './application/acknowledge-by-link.ts';
import type { SimulatePages } from './application/simulate-pages.ts';
import type { TakeCallbacks } from './application/take-callbacks.ts';
import { acknowledgeRoutes } from './http/acknowledge-routes.ts';
import { callbackRoutes } from './http/callback-routes.ts';
import { ledgerRoute } from './http/ledger-route.ts';
import { simulationRoute } from './http/simulation-route.ts';
import type { Undelivered } from './ports/undelivered.ts';

/** What the routes of the notifier need. */
export interface AppParts {
  readonly undelivered: Pick<Undelivered, 'find' | 'counts'>;
  readonly simulation: SimulatePages;
  readonly acknowledgeByLink: AcknowledgeByLink;
  /** Stands on every page. */
  readonly accountName: string;
  /** Undefined where no provider is told to call. */
  readonly callbacks: Pick<TakeCallbacks, 'take'> | undefined;
}

/** The HTTP face of the notifier. */
export function createApp(
  { accountName, acknowledgeByLink, callbacks, simulation, undelivered }: AppParts,
  options: Omit<ServiceAppOptions, 'routes' | 'internalRoutes'>,
): RequestListener {
  const routes = [...acknowledgeRoutes(acknowledgeByLink, accountName), ...callbackRoutes(callbacks)];
  const internalRoutes = [ledgerRoute(undelivered, options.clock), simulationRoute(simulation)];
  return createServiceApp({ ...options, routes, internalRoutes });
}
