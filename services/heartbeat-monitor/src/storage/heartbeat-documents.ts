import type { IndexPlan } from '@tocsin/persistence';
import { intervalMsOf, type Heartbeat } from '../domain/heartbeat.ts';
import type { Outage } from '../domain/outage.ts';

export const HEARTBEATS = 'heartbeats';
export const BEATS = 'beats';

/**
 * A heartbeat as it is stored: what is undefined is absent, and so is `live` of a deleted one. Whether it is waited for, and
 * whether it has steps to tell, is a field that is there or not, which the indexes hold.
 */
export interface HeartbeatDocument extends Omit<Heartbeat, 'id' | 'deleted'> {
  readonly _id: string;
  readonly live?: true;
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

export function documentOf({ id, deleted, ...heartbeat }: Heartbeat, revision: number): HeartbeatDocument {
  return {
    ...heartbeat,
    _id: id,
    ...(!deleted && { live: true }),
    intervalMs: intervalMsOf(heartbeat),
    revision,
  };
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
    step: document.step,
    steppedAt: document.steppedAt,
    told: document.told,
    untoldSince: document.untoldSince,
    deleted: document.live === undefined,
  };
}

export const heartbeatIndexes: readonly IndexPlan[] = [
  {
    collection: HEARTBEATS,
    keys: { name: 1 },
    options: { unique: true, partialFilterExpression: { live: true } },
    serves: 'the heartbeat that a path names, and one of each name (H3)',
  },
  {
    collection: HEARTBEATS,
    keys: { createdAt: 1, _id: 1 },
    options: { partialFilterExpression: { live: true } },
    serves: 'the list in the order of creation (E7)',
  },
  {
    collection: HEARTBEATS,
    keys: { ownerTeamId: 1, createdAt: 1, _id: 1 },
    options: { partialFilterExpression: { live: true } },
    serves: 'the list of a team in the order of creation, and the bytes that it has',
  },
  {
    collection: HEARTBEATS,
    keys: { expiresAt: 1, intervalMs: 1 },
    options: { partialFilterExpression: { expiresAt: { $exists: true } } },
    serves: 'heartbeats that are due, in each turn of a monitor',
  },
  {
    collection: HEARTBEATS,
    keys: { untoldSince: 1 },
    options: { partialFilterExpression: { untoldSince: { $exists: true } } },
    serves: 'heartbeats whose alerts are to be opened or closed, in each turn of a monitor',
  },
  { collection: BEATS, keys: { _id: 1 }, serves: 'the one beat of all monitors' },
];
