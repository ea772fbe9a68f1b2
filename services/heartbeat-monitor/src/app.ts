import type { RequestListener } from 'node:http';
import { createServiceApp, type ServiceAppOptions } from '@tocsin/http';
import type { Heartbeats } from './application/heartbeats.ts';
import { heartbeatRoutes } from './http/heartbeat-routes.ts';

export interface AppParts extends Omit<ServiceAppOptions, 'routes' | 'internalRoutes'> {
  readonly heartbeats: Heartbeats;
}

/** The HTTP face of the service, without a port or a database: what component tests drive. */
export function createApp({ heartbeats, ...common }: AppParts): RequestListener {
  return createServiceApp({ ...common, routes: heartbeatRoutes(heartbeats) });
}
