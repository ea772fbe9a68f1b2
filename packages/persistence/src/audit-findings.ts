import type { Connection, mongo } from 'mongoose';
import { collectionOf } from './connection.ts';
import type { IndexPlan } from './migrate.ts';

const FINDINGS = 'audit_findings';
/** What was driven again is out of sight for the 30 s that it has: if it is still stuck then, it is the same finding. */
const KEPT_MS = 60_000;

/** What every service that audits itself needs. */
export const AUDIT_INDEXES: readonly IndexPlan[] = [
  { collection: FINDINGS, keys: { _id: 1 }, serves: 'what an audit has found, and what was done about it' },
];

/** Something that should have happened. */
export interface Stuck {
  /** The same in each audit that finds it. */
  readonly id: string;
  /** One sentence for a person. */
  readonly text: string;
  /** How many of what is counted it is; 1 unless told. */
  readonly count?: number;
}

/** What was found, since when, and what was done about it. */
export interface AuditFinding {
  readonly id: string;
  readonly text: string;
  readonly foundAt: Date;
  /** When it was driven again, or left as it was because nothing can be done. */
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

/** Remembers what audits have found, so that several replicas, and a process after a crash, do about it once what is to be done. */
export class MongoAuditFindings {
  readonly #rows: mongo.Collection<FindingDocument>;

  constructor(connection: Connection) {
    this.#rows = collectionOf(connection, FINDINGS);
  }

  /**
   * Notes what is `stuck` now; what was found before and is not among it has come right, and is forgotten, but for what was
   * handled less than a minute ago: it is not known yet whether that helped.
   */
  async meet(stuck: readonly Stuck[], now: Date): Promise<readonly AuditFinding[]> {
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

  /** Whether this process is the one to handle it: the first to ask is. */
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
