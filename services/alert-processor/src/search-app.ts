import type { RequestListener } from 'node:http';
import { createServiceApp, type ServiceAppOptions } from '@tocsin/http';
import type { Connection } from '@tocsin/mongo';
import { ReadAlerts } from './alerts/operations.ts';
import { alertRoutes } from './alerts/routes.ts';
import { newPools } from './app.ts';
import { AlertReader } from './alerts/reader-store.ts';
import { ResponderDirectory } from './responders/client.ts';

export { alertDocument } from './alerts/document.ts';
export { ALERTS, indexPlans } from './database.ts';
export type { Alert } from './alerts/alert.ts';

/**
 * The routes that read alerts, on a database alone, for `npm run bench -- search`. Responders are known by id only, and there are
 * no saved searches.
 */
export function createSearchApp(
  connection: Connection,
  options: Omit<ServiceAppOptions, 'routes' | 'internalRoutes'>,
): RequestListener {
  const alerts = new ReadAlerts({
    reader: new AlertReader(connection),
    directory: new ResponderDirectory({
      find: () => Promise.resolve(undefined),
      findHeld: () => undefined,
      everyone: () => [],
    }),
    commands: { waitUntilProcessed: () => Promise.resolve(false) },
    searches: { get: () => Promise.reject(new TypeError('There are no saved searches.')) },
  });
  return createServiceApp({ ...options, routes: alertRoutes(alerts, newPools().searches) });
}
