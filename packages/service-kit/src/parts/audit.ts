import { AlertCommands, type ResponderReference } from '@tocsin/contracts';
import type { Publisher } from '@tocsin/messaging';
import type { AuditGauge } from '@tocsin/observability';
import { MongoAuditFindings, type Connection } from '@tocsin/persistence';
import { Auditor, type Audit } from '../audit/auditor.ts';
import type { ServiceContext } from '../context.ts';
import { everySeconds } from '../every.ts';

const EVERY_SECONDS = 10;

/** What {@link startAudit} needs beside the context. */
export interface AuditSettings {
  readonly connection: Connection;
  readonly publisher: Pick<Publisher, 'publish'>;
  readonly responders: readonly ResponderReference[];
  readonly gauge: AuditGauge;
  readonly audit: Audit;
}

/** Audits the service every ten seconds of real time until the stop. Several processes may do so at once. */
export async function startAudit(
  context: Pick<ServiceContext, 'clock' | 'lifecycle' | 'logger' | 'metrics' | 'name'>,
  { audit, connection, gauge, publisher, responders }: AuditSettings,
): Promise<void> {
  const { clock, logger, metrics, name: service } = context;
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
    onTrouble: (error, text) => {
      logger.error({ err: error }, text);
    },
  });
  await everySeconds(context, EVERY_SECONDS, `the audit of ${audit.kind}`, () => auditor.run());
}
