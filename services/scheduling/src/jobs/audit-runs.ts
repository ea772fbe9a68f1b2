import type { Publisher } from '@tocsin/messaging';
import type { Connection } from '@tocsin/persistence';
import { AUDIT_SLACK_MS, MOST_STUCK, startAudit, type Audit, type ServiceContext } from '@tocsin/service-kit';
import type { Timers } from '@tocsin/timers';
import type { Config } from '../config.ts';
import type { OverdueRuns } from '../ports/overdue-runs.ts';
import type { RuleClaim } from '../ports/run-store.ts';
import { toTimer } from '../storage/runs/documents.ts';

export interface RunAuditParts {
  readonly runs: Pick<OverdueRuns, 'find' | 'expectedTimers'>;
  readonly timers: Pick<Timers<RuleClaim['payload']>, 'schedule'>;
}

/**
 * Finds runs with something overdue for half a minute, and sets all timers that they have to have (promise 2). A timer that exists
 * loses its claim, and does nothing if its rule fires meanwhile.
 */
export const runAudit = ({ runs, timers }: RunAuditParts): Audit => ({
  kind: 'flows',
  what: 'escalations have come to a stand',
  look: async (now) => {
    const overdue = await runs.find(new Date(now.getTime() - AUDIT_SLACK_MS), MOST_STUCK);
    return overdue.map(({ alertId, dueAt }) => ({
      id: alertId,
      text: `A rule of the escalations of alert ${alertId} is due since ${dueAt.toISOString()} and has not fired.`,
    }));
  },
  redrive: async (ids) => {
    await timers.schedule(undefined, (await runs.expectedTimers(ids)).map(toTimer));
  },
});

/** Adds the task that audits the runs. */
export function auditRuns(
  context: ServiceContext<Config>,
  parts: RunAuditParts & { readonly connection: Connection; readonly publisher: Publisher },
): void {
  const { connection, publisher } = parts;
  startAudit(context, {
    connection,
    publisher,
    responders: context.config.auditResponders,
    gauge: 'tocsin_flows_overdue',
    audit: runAudit(parts),
  });
}
