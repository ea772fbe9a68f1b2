import { timeZone } from '@tocsin/events';
import { AuditResponders, serviceConfig } from '@tocsin/service';
import { z } from 'zod';

const MAX_DAYS = 3_650;
const days = z.coerce
  .number('should be a whole number of days')
  .int('should be a whole number of days')
  .min(1, 'should be at least 1 day')
  .max(MAX_DAYS, `should be at most ${MAX_DAYS} days`);

const mebibytes = z.coerce.number().int().min(0).max(1_000_000_000);

export const Config = serviceConfig({
  /** The time zone of policies (S3). */
  ACCOUNT_TIMEZONE: timeZone.default('UTC'),
  /** How many days closed alerts are kept, with all that belongs to them. */
  ALERT_RETENTION_DAYS: days.default(365),
  /** How many days request statuses can be read (A8). */
  REQUEST_STATUS_RETENTION_DAYS: days.default(7),
  /** How many MiB the files of mails take, and those of mails to one integration (P13). */
  MAIL_FILES_MB: mebibytes.default(4_096),
  MAIL_FILES_MB_PER_INTEGRATION: mebibytes.default(1_024),
  /** How many commands a second of an integration are never delayed because it floods (F3). */
  FAIR_RATE: z.coerce.number().int().min(1).max(100_000).default(10),
  /** The responders of audit alerts. */
  AUDIT_RESPONDERS: AuditResponders,
});
export type Config = ReturnType<typeof Config.parse>;
