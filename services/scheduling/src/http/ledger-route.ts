import type { Clock } from '@tocsin/clock';
import { defineInternalRoute, type InternalRoute } from '@tocsin/http';
import { AUDIT_SLACK_MS, MOST_STUCK } from '@tocsin/service-kit';
import type { OverdueRuns } from '../ports/overdue-runs.ts';

/** Whether every run of an open alert goes on. */
export const ledgerRoute = (runs: Pick<OverdueRuns, 'find' | 'countOpen'>, clock: Clock): InternalRoute =>
  defineInternalRoute({
    method: 'GET',
    path: '/internal/ledger',
    handle: async () => {
      const overdue = await runs.find(new Date(clock.now().getTime() - AUDIT_SLACK_MS), MOST_STUCK);
      return { body: { data: { runs: await runs.countOpen(), overdue: overdue.length } } };
    },
  });
