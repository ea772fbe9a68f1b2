import { formatInstant } from '@tocsin/contracts';
import type { Alert, AlertReport } from '../domain/alert.ts';
import type { LogEntry, Note } from '../domain/history.ts';
import { formatPosition } from '../domain/position.ts';
import type { Recipient } from '../domain/recipients.ts';
import type { RequestStatus } from '../domain/request-status.ts';

type Json = Readonly<Record<string, unknown>>;

/** An alert as an item of a list (part 1, 2.2; wire facts 4.1), with empty values but without absent dates. */
export function alertItem(alert: Alert): Json {
  const { id, alias, message, status, acknowledged, seen, tags, snoozed, count } = alert;
  const { source, owner, priority, responders, integration, report } = alert;
  return {
    id,
    tinyId: String(alert.tinyId),
    alias,
    message,
    status,
    acknowledged,
    isSeen: seen,
    seen,
    tags,
    snoozed,
    count,
    ...(alert.snoozedUntil !== undefined && { snoozedUntil: formatInstant(alert.snoozedUntil) }),
    lastOccurredAt: formatInstant(alert.lastOccurredAt),
    createdAt: formatInstant(alert.createdAt),
    updatedAt: formatInstant(alert.updatedAt),
    source,
    owner,
    ownerTeamId: alert.ownerTeamId ?? '',
    priority,
    teams: responders.filter(({ type }) => type === 'team').map((team) => ({ id: team.id })),
    responders: responders.map(({ type, id: responderId }) => ({ type, id: responderId })),
    integration: { id: integration.id, name: integration.name, type: integration.type },
    ...(report !== undefined && { report: reportJson(report) }),
  };
}

/** A single alert: the list item plus the fields that lists leave out. */
export function alertJson(alert: Alert): Json {
  const { actions, entity, description, details } = alert;
  return { ...alertItem(alert), actions, entity, description, details };
}

function reportJson({ ackTimeMs, closeTimeMs, acknowledgedBy, closedBy }: AlertReport): Json {
  return {
    ...(ackTimeMs !== undefined && { ackTime: ackTimeMs }),
    ...(closeTimeMs !== undefined && { closeTime: closeTimeMs }),
    ...(acknowledgedBy !== undefined && { acknowledgedBy }),
    ...(closedBy !== undefined && { closedBy }),
  };
}

export function logJson({ log, type, owner, createdAt, position }: LogEntry): Json {
  return { log, type, owner, createdAt: formatInstant(createdAt), offset: formatPosition(position) };
}

export function noteJson({ note, owner, createdAt, position }: Note): Json {
  return { note, owner, createdAt: formatInstant(createdAt), offset: formatPosition(position) };
}

/** Wire facts, section 4. */
export function recipientJson({ userId: id, username, state, method, createdAt, updatedAt }: Recipient): Json {
  const times = { createdAt: formatInstant(createdAt), updatedAt: formatInstant(updatedAt) };
  return { user: { id, username }, state, method, ...times };
}

/** Part 1, 2.3. */
export function requestStatusJson(settled: RequestStatus): Json {
  const { success, action, integrationId, status, alertId, alias } = settled;
  const processedAt = formatInstant(settled.processedAt);
  return { success, action, processedAt, integrationId, isSuccess: success, status, alertId, alias };
}
