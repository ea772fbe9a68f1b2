import { CHECKPOINTS } from './checkpoints.ts';
import { CONFIGURATION_LOG } from './configuration-log.ts';
import type { IndexPlan } from './migrate.ts';
import { LEASES } from './leases.ts';
import { OUTBOX, OUTBOX_ORDER, OUTBOX_REFUSED } from './outbox-rows.ts';
import { REVISIONS } from './revision.ts';
import { TOMBSTONES } from './tombstones.ts';

/**
 * A TTL index: MongoDB removes messages that no broker accepts so many days after they were refused. They are kept only for
 * operators.
 */
export function refusedRetention(days: number): IndexPlan {
  return {
    collection: OUTBOX_REFUSED,
    keys: { refusedAt: 1 },
    options: { expireAfterSeconds: days * 24 * 3_600 },
    serves: 'the removal of messages that no broker accepts',
  };
}

/** The collections and indexes of this package. Every service passes them to `migrate` with its own. */
export const persistenceIndexes: readonly IndexPlan[] = [
  { collection: CHECKPOINTS, keys: { _id: 1 }, serves: 'the position of a partition, read and written by each batch' },
  { collection: REVISIONS, keys: { _id: 1 }, serves: 'the revision, read first by each request and batch' },
  { collection: CONFIGURATION_LOG, keys: { _id: 1 }, serves: 'the entities that a replica that is behind reads again' },
  {
    collection: OUTBOX,
    keys: OUTBOX_ORDER,
    serves: 'the relay: rows of a topic in the order in which they were added',
  },
  { collection: LEASES, keys: { _id: 1 }, serves: 'which process does the work that one process does for all' },
  { collection: OUTBOX_REFUSED, keys: { _id: 1 }, serves: 'messages that no broker accepts, kept for operators' },
  {
    collection: TOMBSTONES,
    keys: { topic: 1 },
    serves: 'deleted entities of one topic, whose tombstones are published again each hour for a day',
  },
];
