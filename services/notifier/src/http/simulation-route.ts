import { eventsOf, pagesOf, PagesToSimulate } from '@tocsin/contracts';
import { defineInternalRoute, type InternalRoute } from '@tocsin/http';
import type { SimulatePages } from '../application/simulate-pages.ts';

/** What users would be told of pages (0066). */
export const simulationRoute = (simulation: SimulatePages): InternalRoute =>
  defineInternalRoute({
    method: 'POST',
    path: '/internal/simulate',
    body: PagesToSimulate,
    handle: async ({ body }) => ({
      body: { data: await simulation.simulate(pagesOf(body), eventsOf(body.alert)) },
    }),
  });
