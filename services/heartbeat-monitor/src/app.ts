import type { RequestListener } from 'node:http';
import { createServiceApp, type ServiceAppOptions } from '@tocsin/http';

/** The HTTP face of the service, without a port: its operations answer 404 `No handler found` after the rights check. */
export function createApp(options: Omit<ServiceAppOptions, 'routes' | 'internalRoutes'>): RequestListener {
  return createServiceApp({ ...options, routes: [] });
}
