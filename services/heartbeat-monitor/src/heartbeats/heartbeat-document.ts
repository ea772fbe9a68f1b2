import { type Heartbeat, intervalMsOf } from './heartbeat.ts';

export const HEARTBEATS = 'heartbeats';

/** A heartbeat as it is stored. What is undefined is absent. */
export interface HeartbeatDocument extends Omit<Heartbeat, 'id'> {
  readonly _id: string;
  readonly intervalMs: number;
  /** Grows with each write: a write replaces only the revision that it has read. */
  readonly revision: number;
}

export function toDocument({ id, ...heartbeat }: Heartbeat, revision: number): HeartbeatDocument {
  return { ...heartbeat, _id: id, intervalMs: intervalMsOf(heartbeat), revision };
}

export function toHeartbeat(document: HeartbeatDocument): Heartbeat {
  const { createdBy } = document;
  return {
    id: document._id,
    name: document.name,
    createdAt: document.createdAt,
    description: document.description,
    interval: document.interval,
    intervalUnit: document.intervalUnit,
    enabled: document.enabled,
    ownerTeamId: document.ownerTeamId,
    alertMessage: document.alertMessage,
    alertTags: document.alertTags,
    alertPriority: document.alertPriority,
    createdBy: { ...createdBy, ownerTeamId: createdBy.ownerTeamId },
    lastPingAt: document.lastPingAt,
    expiresAt: document.expiresAt,
    nextDueAt: document.nextDueAt,
    step: document.step,
    steppedAt: document.steppedAt,
  };
}
