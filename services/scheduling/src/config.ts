import { timeZone, TOPIC_DAYS } from '@tocsin/events';
import { AuditResponders, serviceConfig } from '@tocsin/service';
import { z } from 'zod';

const days = 'should be a whole number of days';
const tooFew = `should be at least ${TOPIC_DAYS + 1}: Kafka keeps events for ${TOPIC_DAYS} days, and a repeated event must not begin a flow again`;

/** The environment of the service; `ACCOUNT_TIMEZONE` is the zone of schedules that name none (K5). */
export const Config = serviceConfig({
  ACCOUNT_TIMEZONE: timeZone.default('UTC'),
  /**
   * For how many days the escalation state of a closed or deleted alert is kept after its last change. At least one day longer than Kafka
   * keeps events, because an event that comes twice is recognised by its state.
   */
  RUN_RETENTION_DAYS: z.coerce
    .number(days)
    .int(days)
    .min(TOPIC_DAYS + 1, tooFew)
    .max(3_650, 'should be at most 3650 days')
    .default(30),
  /** The responders of the alerts of audits. */
  AUDIT_RESPONDERS: AuditResponders,
});
export type Config = z.infer<typeof Config>;
