import { dueIndex, type IndexPlan } from '@tocsin/persistence';
import { intervalMsOf, type Heartbeat } from '../domain/heartbeat.ts';
import type { Outage } from '../domain/outage.ts';

export const HEARTBEATS = 'heartbeats';
export const BEATS = 'beats';

/** A heartbeat as it is stored. What is undefined is absent, and so is `nextDueAt` of one that is not waited for. */
export interface HeartbeatDocument extends Omit<Heartbeat, 'id'> {
  readonly _id: string;
  readonly intervalMs: number;
  /** Grows with each write: whoever replaces a document has seen all of it. */
  readonly revision: number;
}

/** The one beat of all monitors (H2). */
export interface BeatDocument {
  readonly _id: 'monitor';
  /** By the database's clock. */
  readonly beatAt: Date;
  /** The same by the clock of the service. */
  readonly beatenAt: Date;
  /** The latest outages, the last one at the end. */
  readonly outages: readonly Outage[];
}

export function documentOf({ id, ...heartbeat }: Heartbeat, revision: number): HeartbeatDocument {
  return { ...heartbeat, _id: id, intervalMs: intervalMsOf(heartbeat), revision };
}

export function heartbeatOf(document: HeartbeatDocument): Heartbeat {
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

export const heartbeatIndexes: readonly IndexPlan[] = [
  {
    collection: HEARTBEATS,
    keys: { name: 1 },
    options: { unique: true },
    serves: 'the heartbeat that a path names, and one of each name (H3)',
  },
  { collection: HEARTBEATS, keys: { createdAt: 1, _id: 1 }, serves: 'the list in the order of creation (E7)' },
  {
    collection: HEARTBEATS,
    keys: { ownerTeamId: 1, createdAt: 1, _id: 1 },
    serves: 'the list of a team in the order of creation, and the bytes that it has',
  },
  dueIndex(HEARTBEATS),
  { collection: BEATS, keys: { _id: 1 }, serves: 'the one beat of all monitors' },
];
