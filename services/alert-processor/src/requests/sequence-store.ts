import { isDeepStrictEqual } from 'node:util';
import {
  AlertCommands,
  type NumberRange,
  type NumberRanges,
  type ReceivedNumbers,
  type SequenceReport,
} from '@tocsin/events';
import { UnavailableError } from '@tocsin/core';
import { collectionOf, type Connection, isDuplicateKey, MongoCheckpoints } from '@tocsin/mongo';
import { LOST_NUMBERS, RECEIVED_NUMBERS, SEQUENCE_REPORTS } from '../database.ts';
import { applyReport, joined, type PartitionSequence } from './partition-sequence.ts';

interface ReportDocument {
  readonly _id: string;
  readonly reportedAt: Date;
  readonly revision: number;
  readonly sequences: readonly PartitionSequence[];
}

interface AccountDocument {
  readonly _id: string;
  readonly instance: string;
  readonly partition: number;
  readonly through: number;
  readonly gaps: NumberRanges;
}

interface LossDocument extends LostNumbers {
  readonly _id: string;
}

interface Live {
  readonly partition: number;
  readonly instance: string;
  readonly account: ReceivedNumbers;
}

const MAX_FOUND = 1_000;
/** A process that has not reported for longer than this counts as ended. */
const ENDED_MS = 600_000;

/** The owed numbers that processes report, the received numbers of partitions, and the lost numbers. */

export class SequenceStore {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** @throws UnavailableError when another report of the process was kept meanwhile: the process reports again. */

  async keep({ instance, partitions }: SequenceReport, now: Date): Promise<void> {
    const before = await this.#reports().findOne({ _id: instance });
    const sequences = new Map(before?.sequences.map((sequence) => [sequence.partition, sequence]));
    for (const each of partitions) sequences.set(each.partition, applyReport(sequences.get(each.partition), each, now));
    const revision = before?.revision ?? 0;
    const report = { reportedAt: now, revision: revision + 1, sequences: [...sequences.values()] };
    if (before === null) await this.#insert({ _id: instance, ...report });
    else {
      const { matchedCount } = await this.#reports().replaceOne({ _id: instance, revision }, report);
      if (matchedCount === 0) throw new UnavailableError('Another report was kept meanwhile. Please try again.');
    }
  }

  /**
   * All processes that owe, at most a thousand. It also copies the accounts in the checkpoints to a place of their own,
   * and takes them out of the checkpoints once their process is silent for ten minutes. So a checkpoint stays small,
   * and accounts outlive a topic that is recreated.
   */

  async owed(now: Date): Promise<readonly InstanceSequences[]> {
    // Accounts are read after reports, so they can only be ahead of them.
    const reports = await this.#reports().find().sort({ reportedAt: -1 }).limit(MAX_FOUND).toArray();
    const live = await this.#live();
    const kept = await this.#accounts()
      .find()
      .limit(100 * MAX_FOUND)
      .toArray();
    const known = new Map(reports.map(({ _id, reportedAt }) => [_id, reportedAt]));
    const before = new Map(kept.map((account) => [account._id, account]));
    const seen = new Map<string, Map<number, ReceivedNumbers>>();
    for (const { instance, partition, through, gaps } of kept)
      receivedOf(seen, instance).set(partition, { through, gaps });
    for (const brought of live) {
      const { account, instance, partition } = brought;
      const both = joined(receivedOf(seen, instance).get(partition) ?? { through: 0, gaps: [] }, account);
      receivedOf(seen, instance).set(partition, both);
      await this.#archive(brought, both, before.get(idOf(brought)));
      const reportedAt = known.get(instance);
      // It died before its first report, so it owes nothing. An empty report lets it be removed like the others.
      if (reportedAt === undefined) await this.#insert({ _id: instance, reportedAt: now, revision: 1, sequences: [] });
      else if (now.getTime() - reportedAt.getTime() > ENDED_MS)
        await this.#checkpoints().forgetReceived(AlertCommands.name, partition, instance, account);
    }
    return reports.map(({ _id, sequences, reportedAt }) => ({
      instance: _id,
      reportedAt,
      sequences,
      seen: receivedOf(seen, _id),
    }));
  }

  /** Notes losses; a known one stays as it is. */

  async note(losses: readonly LostNumbers[]): Promise<void> {
    if (losses.length === 0) return;
    await this.#losses().bulkWrite(
      losses.map((loss) => ({
        updateOne: {
          filter: { _id: `${idOf(loss)}/${loss.numbers[0]}` },
          update: { $setOnInsert: loss },
          upsert: true,
        },
      })),
      { ordered: false },
    );
  }

  /** The losses found after `since`, newest first, at most a thousand. */

  async losses(since: Date): Promise<readonly LostNumbers[]> {
    const found = await this.#losses()
      .find({ foundAt: { $gt: since } }, { projection: { _id: 0 } })
      .sort({ foundAt: -1 })
      .limit(MAX_FOUND)
      .toArray();
    return found.map(({ numbers: [first, last], ...loss }) => ({ ...loss, numbers: [first, last] as NumberRange }));
  }

  /** Removes processes whose last report came at `until` or before, and their losses. Returns how many. */

  async remove(until: Date): Promise<number> {
    const found = await this.#reports()
      .find({ reportedAt: { $lte: until } })
      .limit(MAX_FOUND)
      .toArray();
    const ids = found.map(({ _id }) => _id);
    if (ids.length === 0) return 0;
    await this.#accounts().deleteMany({ instance: { $in: ids } });
    await this.#losses().deleteMany({ instance: { $in: ids } });
    return (await this.#reports().deleteMany({ _id: { $in: ids } })).deletedCount;
  }

  async #archive(
    { instance, partition }: Live,
    { through, gaps }: ReceivedNumbers,
    before: AccountDocument | undefined,
  ): Promise<void> {
    if (before?.through === through && isDeepStrictEqual(before.gaps, gaps)) return;
    const account = { instance, partition, through, gaps };
    // Another replica may have read later and know more.
    const filter = { _id: idOf({ instance, partition }), through: { $lte: through } };
    try {
      await this.#accounts().replaceOne(filter, account, { upsert: true });
    } catch (error) {
      if (!isDuplicateKey(error, '_id_')) throw error;
    }
  }

  /** Two replicas may insert the first report of a process at the same time. */
  async #insert(report: ReportDocument): Promise<void> {
    try {
      await this.#reports().insertOne(report);
    } catch (error) {
      if (!isDuplicateKey(error, '_id_')) throw error;
      if (report.sequences.length > 0)
        throw new UnavailableError('Another report was kept meanwhile. Please try again.');
    }
  }

  async #live(): Promise<readonly Live[]> {
    const checkpoints = await this.#checkpoints().received(AlertCommands.name);
    return checkpoints.flatMap(({ partition, received }) =>
      Object.entries(received).map(([instance, account]) => ({ partition, instance, account })),
    );
  }

  #checkpoints() {
    return new MongoCheckpoints(this.#connection);
  }

  #reports() {
    return collectionOf<ReportDocument>(this.#connection, SEQUENCE_REPORTS);
  }

  #accounts() {
    return collectionOf<AccountDocument>(this.#connection, RECEIVED_NUMBERS);
  }

  #losses() {
    return collectionOf<LossDocument>(this.#connection, LOST_NUMBERS);
  }
}

const idOf = ({ instance, partition }: { readonly instance: string; readonly partition: number }): string =>
  `${instance}/${partition}`;

function receivedOf(seen: Map<string, Map<number, ReceivedNumbers>>, instance: string): Map<number, ReceivedNumbers> {
  const sequences = seen.get(instance) ?? new Map<number, ReceivedNumbers>();
  seen.set(instance, sequences);
  return sequences;
}

/** The owed numbers of one process that numbers commands, and the received ones. */
export interface InstanceSequences {
  readonly instance: string;
  readonly reportedAt: Date;
  readonly sequences: readonly PartitionSequence[];
  /** By partition; a partition that is absent has brought nothing. */
  readonly seen: ReadonlyMap<number, ReceivedNumbers>;
}

/** Numbers that were answered 202, and that no partition will bring. */
export interface LostNumbers {
  readonly instance: string;
  readonly partition: number;
  readonly numbers: NumberRange;
  readonly foundAt: Date;
}
