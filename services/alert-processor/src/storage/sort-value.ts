import type { AlertSortField } from '@tocsin/contracts';
import type { Alert } from '../domain/alert.ts';

type Value = string | number | boolean | undefined;

const VALUES: Record<AlertSortField, (alert: Alert) => Value> = {
  createdAt: ({ createdAt }) => createdAt.getTime(),
  updatedAt: ({ updatedAt }) => updatedAt.getTime(),
  tinyId: ({ tinyId }) => tinyId,
  alias: ({ alias }) => alias,
  message: ({ message }) => message,
  status: ({ status }) => status,
  acknowledged: ({ acknowledged }) => acknowledged,
  isSeen: ({ seen }) => seen,
  snoozed: ({ snoozed }) => snoozed,
  snoozedUntil: ({ snoozedUntil }) => snoozedUntil?.getTime(),
  count: ({ count }) => count,
  lastOccurredAt: ({ lastOccurredAt }) => lastOccurredAt.getTime(),
  source: ({ source }) => source,
  owner: ({ owner }) => owner,
  'integration.name': ({ integration }) => integration.name,
  'integration.type': ({ integration }) => integration.type,
  'report.ackTime': ({ report }) => report?.ackTimeMs,
  'report.closeTime': ({ report }) => report?.closeTimeMs,
  'report.acknowledgedBy': ({ report }) => report?.acknowledgedBy,
  'report.closedBy': ({ report }) => report?.closedBy,
};

/** The value by which an alert is sorted; undefined if it has none. */
export function sortValue(alert: Alert, field: AlertSortField): Value {
  return VALUES[field](alert);
}
