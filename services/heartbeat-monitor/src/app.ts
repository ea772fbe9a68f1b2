import type { Express } from 'express';
import { createServiceApp, type ServiceAppOptions } from '@tocsin/http';

/** The HTTP face of the service: its operations are known and checked for their rights; none of them is built yet. */
export function createApp(options: Omit<ServiceAppOptions, 'routes'>): Express {
  return createServiceApp({ ...options, routes: [] });
}
