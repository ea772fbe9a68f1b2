import { AlertCommands, type ResponderReference } from '@tocsin/events';
import type { Publisher } from '@tocsin/kafka';
import type { AuditGauge } from '../observability/index.ts';
import { MongoAuditFindings, type Connection } from '@tocsin/mongo';
import { Auditor, type Audit } from '../audit/auditor.ts';
import type { ServiceContext } from '../context.ts';
import { SWEEP_TIMEOUT_MS } from '../retention.ts';

const EVERY_MS = 10_000;

/** The parts of {@link startAudit} besides the context. */
export interface AuditSettings {
  readonly connection: Connection;
  readonly publisher: Pick<Publisher, 'publish'>;
  readonly responders: readonly ResponderReference[];
  readonly gauge: AuditGauge;
  readonly audit: Audit;
}

/** Adds a task that audits the service every ten seconds. Several processes may do so at once. */
export function startAudit(
  context: Pick<ServiceContext, 'clock' | 'logger' | 'metrics' | 'name' | 'tasks'>,
  { audit, connection, gauge, publisher, responders }: AuditSettings,
): void {
  const { clock, logger, metrics, name: service, tasks } = context;
  const auditor = new Auditor({
    service,
    audit,
    clock,
    responders,
    findings: new MongoAuditFindings(connection),
    publish: (command) => publisher.publish(AlertCommands, [command]),
    onCounted: (stuck, now) => {
      metrics.audited(gauge, stuck, now);
    },
    onFailure: (error, text) => {
      logger.error({ err: error }, text);
    },
  });
  tasks.add({
    name: `audit-${audit.kind}`,
    everyMs: EVERY_MS,
    startAfterMs: EVERY_MS,
    timeoutMs: SWEEP_TIMEOUT_MS,
    activate: (signal) => auditor.run(signal),
  });
}
