export type { Connection } from 'mongoose';
export { AUDIT_INDEXES, MongoAuditFindings } from './audit-findings.ts';
export type { AuditFinding, StuckWork } from './audit-findings.ts';
export { CheckpointTransactions, transactionFailureResult, idempotentWrites } from './checkpoint-transactions.ts';
export type { CheckpointTransactionOptions } from './checkpoint-transactions.ts';
export { MongoCheckpoints } from './checkpoints.ts';
export type { PartitionNumbers } from './checkpoints.ts';
export { addNumbers } from './received-numbers.ts';
export { changeConfiguration } from './change-configuration.ts';
export { reconcileStates } from './reconcile-states.ts';
export type { ReconcileOptions } from './reconcile-states.ts';
export { whenCommitted } from './commit-listeners.ts';
export { ConfigurationCollection, statesOf, withMissing } from './configuration-collection.ts';
export type {
  AnnouncedKind,
  Announcements,
  ConfigurationKind,
  Filter,
  Selection,
  StateSource,
  Stored,
  Writes,
} from './configuration-collection.ts';
export { ConfigurationSnapshot } from './configuration-snapshot.ts';
export {
  collectionOf,
  connectMongo,
  databaseOf,
  mongoUriProblem,
  requireReplicaSet,
  type PoolBounds,
} from './connection.ts';
export type { Session } from './connection.ts';
export { BY_DUE, DueWork, dueIndex } from './due-work.ts';
export type { DueDocument, DueWorkOptions } from './due-work.ts';
export { EntityStates } from './entity-states.ts';
export type { EntityStatesOptions } from './entity-states.ts';
export {
  asUnavailable,
  isDuplicateKey,
  isTimeLimitPassed,
  isTransient,
  isUnavailable,
  orUnavailable,
} from './failures.ts';
export { persistenceIndexes, refusedRetention } from './index-plans.ts';
export { insertNew } from './insert-new.ts';
export { LEASES, type Lease, Leases } from './leases.ts';
export { migrate, missingFrom } from './migrate.ts';
export type { IndexPlan } from './migrate.ts';
export { Outbox } from './outbox.ts';
export type { OutboxOptions, RelayedTopic } from './outbox.ts';
export { forTopic } from './outbox-rows.ts';
export type { RelayLogger, RelayMetrics, RelayPublisher } from './relay-ports.ts';
export { requireNoRestore, RESTORES, type RestoreMarker } from './restore-marker.ts';
export { Revision } from './revision.ts';
export { serverTime } from './server-time.ts';
export { inTransaction } from './transaction.ts';
export { WriteGate } from './write-gate.ts';
