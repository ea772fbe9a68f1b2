import { TOPIC_DAYS } from '@tocsin/contracts';
import type { Publisher } from '@tocsin/messaging';
import type { Connection } from '@tocsin/persistence';
import { startAudit, sweepRetained, type ServiceContext } from '@tocsin/service-kit';
import type { AuditStamps } from '../application/audit-stamps.ts';
import type { Config } from '../config.ts';
import type { StampLedger } from '../ports/stamp-ledger.ts';

export interface AlertAuditParts {
  readonly connection: Connection;
  readonly publisher: Pick<Publisher, 'publish'>;
  readonly stamps: AuditStamps;
  readonly ledger: Pick<StampLedger, 'remove'>;
}

/**
 * Audits accepted commands until the stop. It removes reports of processes once Kafka has dropped their commands
 * (promise 1).
 */
export function auditAlerts(
  context: ServiceContext<Config>,
  { connection, ledger, publisher, stamps }: AlertAuditParts,
): void {
  const removals = [(until: Date) => ledger.remove(until)];
  sweepRetained(context, { name: 'retention-stamps', days: TOPIC_DAYS, removals });
  startAudit(context, {
    connection,
    publisher,
    responders: context.config.auditResponders,
    gauge: 'tocsin_alerts_unsettled',
    audit: { kind: 'alerts', what: 'accepted alerts are not settled', look: (now) => stamps.look(now) },
  });
}
