import type { RequestListener } from 'node:http';
import { createServiceApp, type ServiceAppOptions } from '@tocsin/http';

/** The HTTP face of the notifier: no documented operation is its own yet. */
export function createApp(options: Omit<ServiceAppOptions, 'routes'>): RequestListener {
  return createServiceApp({ ...options, routes: [] });
}
