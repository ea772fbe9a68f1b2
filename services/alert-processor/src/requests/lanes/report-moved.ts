import type { AlertCommand } from '@tocsin/events';
import type { Logger, Metrics } from '@tocsin/service';
import type { MoveReason } from './command-lanes.ts';

/** An integration is logged once in this time. */
const LOG_EVERY_MS = 60_000;
const MAX_INTEGRATIONS = 10_000;

/** Counts each command that is moved to the bulk topic. Logs once a minute each integration whose commands are delayed because it floods. */
export function reportMoved({
  logger,
  metrics,
  nowMs,
}: {
  readonly logger: Pick<Logger, 'warn'>;
  readonly metrics: Pick<Metrics, 'commandDelayed'>;
  readonly nowMs: () => number;
}): (command: AlertCommand, reason: MoveReason) => void {
  const loggedAt = new Map<string, number>();
  return ({ integration: { id, name } }, reason) => {
    metrics.commandDelayed(reason);
    const now = nowMs();
    if (reason === 'order' || now - (loggedAt.get(id) ?? -Infinity) < LOG_EVERY_MS) return;
    if (loggedAt.size >= MAX_INTEGRATIONS) loggedAt.clear();
    loggedAt.set(id, now);
    const text = 'commands of an integration are delayed: it sends more than FAIR_RATE while commands wait';
    logger.warn({ integrationId: id, integration: name }, text);
  };
}
