import type { Express } from 'express';
import { createServiceApp, type ServiceAppOptions } from '@tocsin/http';

/** The HTTP face of the service, without a port: its operations answer 404 `No handler found` after the rights check. */
export function createApp(options: Omit<ServiceAppOptions, 'routes' | 'internalRoutes'>): Express {
  return createServiceApp({ ...options, routes: [] });
}
