import type { Publisher } from '@tocsin/messaging';
import type { Connection } from '@tocsin/persistence';
import { AUDIT_SLACK_MS, MOST_STUCK, startAudit, type Audit, type ServiceContext } from '@tocsin/service-kit';
import type { Config } from '../config.ts';
import type { OverdueRuns } from '../ports/overdue-runs.ts';

/**
 * Finds runs of which something is overdue for half a minute. There is nothing to start again: each process looks for due runs once
 * a second.
 */
export const runAudit = (runs: Pick<OverdueRuns, 'find'>): Audit => ({
  kind: 'flows',
  what: 'escalations are overdue',
  look: async (now) => {
    const overdue = await runs.find(new Date(now.getTime() - AUDIT_SLACK_MS), MOST_STUCK);
    return overdue.map(({ alertId, dueAt }) => ({
      id: alertId,
      text: `The escalation flow of alert ${alertId} has been overdue since ${dueAt.toISOString()}.`,
    }));
  },
});

/** Adds the task that audits the runs. */
export function auditRuns(
  context: ServiceContext<Config>,
  { runs, ...parts }: { readonly connection: Connection; readonly publisher: Publisher; readonly runs: OverdueRuns },
): void {
  startAudit(context, {
    ...parts,
    responders: context.config.auditResponders,
    gauge: 'tocsin_flows_overdue',
    audit: runAudit(runs),
  });
}
