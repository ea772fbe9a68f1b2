import type { Express } from 'express';
import { createServiceApp, type ServiceAppOptions } from '@tocsin/http';

/** The HTTP face of the notifier: no documented operation is its own yet. */
export function createApp(options: Omit<ServiceAppOptions, 'routes'>): Express {
  return createServiceApp({ ...options, routes: [] });
}
