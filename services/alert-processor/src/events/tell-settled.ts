import type { Logger, Metrics } from '@tocsin/observability';
import type { RequestStatus } from '../domain/request-status.ts';

/** Measures and logs each settled command: how long after its acceptance, and with which outcome. */
export function tellSettled({
  logger,
  metrics,
}: {
  readonly logger: Pick<Logger, 'debug'>;
  readonly metrics: Pick<Metrics, 'stage'>;
}): (status: RequestStatus, seconds: number) => void {
  return ({ requestId, alertId, action, success, status }, seconds) => {
    metrics.stage('processed', seconds);
    logger.debug({ requestId, alertId, action, success, status, seconds }, 'a command settled');
  };
}
