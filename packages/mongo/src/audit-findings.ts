import type { Connection, mongo } from 'mongoose';
import { collectionOf } from './connection.ts';
import type { IndexPlan } from './migrate.ts';

const FINDINGS = 'audit_findings';
/** A redriven entity is not stuck for the next 30 s. If it is stuck after that, it is the same finding. */
const KEPT_MS = 60_000;

/** The collection of findings, for each service that audits itself. */
export const AUDIT_INDEXES: readonly IndexPlan[] = [
  { collection: FINDINGS, keys: { _id: 1 }, serves: 'the findings of an audit, and how each was handled' },
];

/** Something that should have happened and did not. */
export interface Stuck {
  /** The same in each audit. */
  readonly id: string;
  /** One sentence for a person. */
  readonly text: string;
  /** How much it adds to the count of stuck things; 1 by default. */
  readonly count?: number;
}

/** A {@link Stuck}, and how it was handled. */
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
   * Stores the entities that are `stuck` now, and returns their findings. Earlier findings that are not among it are solved and removed, unless
   * they were handled less than a minute ago: whether that helped is not known yet.
   */
  async record(stuck: readonly Stuck[], now: Date): Promise<readonly AuditFinding[]> {
    const ids = stuck.map(({ id }) => id);
    const settledBy = new Date(now.getTime() - KEPT_MS);
    await this.#rows.deleteMany({ _id: { $nin: ids }, handledAt: { $not: { $gt: settledBy } } });
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

  /** True for the first caller, which has to handle the finding. */
  async handle(id: string, now: Date): Promise<boolean> {
    const { modifiedCount } = await this.#rows.updateOne(
      { _id: id, handledAt: { $exists: false } },
      { $set: { handledAt: now } },
    );
    return modifiedCount === 1;
  }

  async raised(ids: readonly string[], now: Date): Promise<void> {
    await this.#rows.updateMany({ _id: { $in: [...ids] }, raisedAt: { $exists: false } }, { $set: { raisedAt: now } });
  }
}
