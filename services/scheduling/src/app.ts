import type { RequestListener } from 'node:http';
import { Admission, createServiceApp, type ServiceAppOptions } from '@tocsin/http';
import type { Scheduling } from './application/scheduling.ts';
import { calendarRoutes } from './http/calendar-routes.ts';
import { escalationRoutes } from './http/escalation-routes.ts';
import { forwardingRoutes } from './http/forwarding-routes.ts';
import { internalRoutes } from './http/internal-routes.ts';
import { ledgerRoute } from './http/ledger-route.ts';
import { onCallRoutes } from './http/on-call-routes.ts';
import { overrideRoutes } from './http/override-routes.ts';
import { rotationRoutes } from './http/rotation-routes.ts';
import { scheduleRoutes } from './http/schedule-routes.ts';
import type { OverdueRuns } from './ports/overdue-runs.ts';

/**
 * Reads that take long, such as timelines, of all keys and of one (F1). Further ones wait: this process also settles the events
 * that page people.
 */
const LONG_READS = { atOnce: { inAll: 4, each: 2 }, waiting: { inAll: 128, each: 96 }, waitMs: 1_500 };

/** The HTTP face of the service, without a port or a database: what component tests drive. */
export function createApp(
  scheduling: Scheduling,
  runs: Pick<OverdueRuns, 'find' | 'countOpen'>,
  options: Omit<ServiceAppOptions, 'routes' | 'internalRoutes'>,
): RequestListener {
  const { store, schedules, escalations, onCalls, calendars, directoryRequests, snapshots } = scheduling;
  const { simulation, rotations, overrides, forwardingRules } = scheduling;
  const longReads = new Admission(LONG_READS);
  return createServiceApp({
    ...options,
    routes: [
      ...scheduleRoutes(schedules, snapshots),
      ...rotationRoutes(rotations, schedules, snapshots),
      ...overrideRoutes(overrides, schedules, snapshots),
      ...forwardingRoutes(forwardingRules, snapshots),
      ...escalationRoutes(escalations, snapshots),
      ...onCallRoutes(onCalls, options.clock, longReads),
      ...calendarRoutes(calendars, schedules, snapshots, options.clock).map((route) => ({ ...route, pool: longReads })),
    ],
    internalRoutes: [...internalRoutes(store, directoryRequests, simulation), ledgerRoute(runs, options.clock)],
  });
}
