import type { Connection, mongo } from 'mongoose';
import { collectionOf } from './connection.ts';
import type { IndexPlan } from './migrate.ts';

const FINDINGS = 'audit_findings';
/** Work that was redriven does not count as stuck for 30 s. If it is stuck after that, it is the same finding. */
const HANDLED_KEPT_MS = 60_000;

/** The collection of findings, for each service that audits itself. */
export const AUDIT_INDEXES: readonly IndexPlan[] = [
  { collection: FINDINGS, keys: { _id: 1 }, serves: 'the findings of an audit, and how each was handled' },
];

/** Work that should have been done and was not. */
export interface StuckWork {
  /** The same in each audit. */
  readonly id: string;
  /** One sentence for a person. */
  readonly text: string;
  /** How much it adds to the count of stuck work; 1 by default. */
  readonly count?: number;
}

/** Stuck work, and how it was handled. */
export interface AuditFinding {
  readonly id: string;
  readonly text: string;
  readonly foundAt: Date;
  /** When it was redriven, or left because nothing can be done. */
  readonly handledAt: Date | undefined;
  /** When an alert was raised for it. */
  readonly raisedAt: Date | undefined;
}

interface FindingDocument {
  readonly _id: string;
  readonly text: string;
  readonly foundAt: Date;
  readonly handledAt?: Date;
  readonly raisedAt?: Date;
}

/**
 * Stores the findings of audits, so that each is handled once by several replicas, and over a crash.
 */
export class MongoAuditFindings {
  readonly #rows: mongo.Collection<FindingDocument>;

  constructor(connection: Connection) {
    this.#rows = collectionOf(connection, FINDINGS);
  }

  /**
   * Stores the work that is `stuck` now, and returns its findings. Findings of work that is no longer stuck are removed, unless they were
   * handled less than a minute ago: whether that helped is not known yet.
   */
  async record(stuck: readonly StuckWork[], now: Date): Promise<readonly AuditFinding[]> {
    const ids = stuck.map(({ id }) => id);
    const handledBefore = new Date(now.getTime() - HANDLED_KEPT_MS);
    await this.#rows.deleteMany({ _id: { $nin: ids }, handledAt: { $not: { $gt: handledBefore } } });
    if (stuck.length === 0) return [];
    await this.#rows.bulkWrite(
      stuck.map(({ id, text }) => ({
        updateOne: { filter: { _id: id }, update: { $setOnInsert: { foundAt: now }, $set: { text } }, upsert: true },
      })),
      { ordered: false },
    );
    const found = await this.#rows.find({ _id: { $in: ids } }).toArray();
    return found.map(({ _id, handledAt, raisedAt, ...rest }) => ({ id: _id, ...rest, handledAt, raisedAt }));
  }

  /** Marks a finding as handled. True for the first caller, which then has to handle it. */
  async claim(id: string, now: Date): Promise<boolean> {
    const { modifiedCount } = await this.#rows.updateOne(
      { _id: id, handledAt: { $exists: false } },
      { $set: { handledAt: now } },
    );
    return modifiedCount === 1;
  }

  async recordRaised(ids: readonly string[], now: Date): Promise<void> {
    await this.#rows.updateMany({ _id: { $in: [...ids] }, raisedAt: { $exists: false } }, { $set: { raisedAt: now } });
  }
}
