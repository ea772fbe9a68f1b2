import { z } from 'zod';
import type { Clock } from '@tocsin/core';
import { SequenceReport } from '@tocsin/events';
import { defineInternalRoute, type InternalRoute } from '@tocsin/http';
import type { Reconciliation } from './reconciliation-operations.ts';
import type { RequestStatusStore } from './store.ts';

const LedgerQuery = z.object({ since: z.iso.datetime() });

export interface LedgerRoutesPorts {
  readonly reconciliation: Reconciliation;
  readonly processed: Pick<RequestStatusStore, 'countSince'>;
  readonly clock: Clock;
}

/** Takes the reports of processes that accept commands, and says which accepted commands are not processed. */
export function ledgerRoutes({ reconciliation, processed, clock }: LedgerRoutesPorts): readonly InternalRoute[] {
  return [
    defineInternalRoute({
      method: 'POST',
      path: '/internal/sequence-reports',
      body: SequenceReport,
      handle: async ({ body }) => {
        await reconciliation.keep(body, clock.now());
        return { body: { data: { kept: true } } };
      },
    }),
    defineInternalRoute({
      method: 'GET',
      path: '/internal/ledger',
      query: LedgerQuery,
      handle: async ({ query }) => {
        const [now, since] = [clock.now(), new Date(query.since)];
        const balance = await reconciliation.balance(now, since);
        return { body: { data: { ...balance, settledSince: await processed.countSince(since) } } };
      },
    }),
  ];
}
