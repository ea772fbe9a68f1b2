import type { ServiceContext } from '@tocsin/service';
import type { ReadinessReports } from './operations.ts';
import { countsOf } from './readiness.ts';

/** People mend findings, and this process also pages users, so it computes them by itself no more often. */
const EVERY_MS = 300_000;

/** Adds a task that reports how many findings there are of each kind. */
export function reportReadiness(
  {
    metrics,
    tasks,
  }: {
    readonly metrics: Pick<ServiceContext['metrics'], 'readiness'>;
    readonly tasks: Pick<ServiceContext['tasks'], 'add'>;
  },
  reports: Pick<ReadinessReports, 'current'>,
): void {
  const activate = async (): Promise<void> => {
    const { findings, incompleteServices } = await reports.current();
    // The counts of before are closer to the truth than counts without the findings of a service.
    if (incompleteServices.length > 0) return;
    for (const [kind, count] of Object.entries(countsOf(findings))) metrics.readiness(kind, count);
  };
  tasks.add({ name: 'report-readiness', everyMs: EVERY_MS, timeoutMs: EVERY_MS, activate });
}
