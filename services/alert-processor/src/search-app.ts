import type { RequestListener } from 'node:http';
import { createServiceApp, type ServiceAppOptions } from '@tocsin/http';
import type { Connection } from '@tocsin/persistence';
import { ReadAlerts } from './application/read-alerts.ts';
import { alertRoutes } from './http/alert-routes.ts';
import { newPools } from './http/pools.ts';
import { MongoAlertReader } from './storage/mongo-alert-reader.ts';

export { alertDocument } from './storage/alert-document.ts';
export { ALERTS, indexPlans } from './storage/collections.ts';
export type { Alert } from './domain/alert.ts';

/**
 * The routes that read alerts, on a database alone, for `bench:search`. Responders are known by id only, and there are
 * no saved searches.
 */
export function createSearchApp(
  connection: Connection,
  options: Omit<ServiceAppOptions, 'routes' | 'internalRoutes'>,
): RequestListener {
  const alerts = new ReadAlerts({
    reader: new MongoAlertReader(connection),
    directory: { resolve: () => Promise.resolve({ kind: 'unknown' }), known: () => undefined },
    commands: { waitUntilSettled: () => Promise.resolve(false) },
    searches: { get: () => Promise.reject(new TypeError('There are no saved searches.')) },
  });
  return createServiceApp({ ...options, routes: alertRoutes(alerts, newPools().searches) });
}
