import { z } from 'zod';
import type { Clock } from '@tocsin/clock';
import { StampReport } from '@tocsin/contracts';
import { defineInternalRoute, type InternalRoute } from '@tocsin/http';
import type { AuditStamps } from '../application/audit-stamps.ts';
import type { SettledCounts } from '../ports/settled-counts.ts';

const LedgerQuery = z.object({ since: z.iso.datetime() });

export interface LedgerRoutesPorts {
  readonly stamps: AuditStamps;
  readonly settled: SettledCounts;
  readonly clock: Clock;
}

/** Takes the reports of processes that accept commands, and says whether the books of this service balance. */
export function ledgerRoutes({ stamps, settled, clock }: LedgerRoutesPorts): readonly InternalRoute[] {
  return [
    defineInternalRoute({
      method: 'POST',
      path: '/internal/stamps',
      body: StampReport,
      handle: async ({ body }) => {
        await stamps.keep(body, clock.now());
        return { body: { data: { kept: true } } };
      },
    }),
    defineInternalRoute({
      method: 'GET',
      path: '/internal/ledger',
      query: LedgerQuery,
      handle: async ({ query }) => {
        const [now, since] = [clock.now(), new Date(query.since)];
        const balance = await stamps.balance(now, since);
        return { body: { data: { ...balance, settledSince: await settled.countSince(since) } } };
      },
    }),
  ];
}
