import { isDeepStrictEqual } from 'node:util';
import {
  AlertCommands,
  type NumberRange,
  type NumberRanges,
  type StampAccount,
  type StampReport,
} from '@tocsin/contracts';
import { UnavailableError } from '@tocsin/errors';
import { collectionOf, isDuplicateKey, MongoCheckpoints, type Connection } from '@tocsin/persistence';
import { joined, spokenOf, type OwedLane } from '../domain/owed.ts';
import type { OwedInstance, StampLedger, StampLoss } from '../ports/stamp-ledger.ts';
import { STAMP_ACCOUNTS, STAMP_LOSSES, STAMP_REPORTS } from './collections.ts';

interface ReportDocument {
  readonly _id: string;
  readonly reportedAt: Date;
  readonly revision: number;
  readonly lanes: readonly OwedLane[];
}

interface AccountDocument {
  readonly _id: string;
  readonly instance: string;
  readonly partition: number;
  readonly through: number;
  readonly gaps: NumberRanges;
}

interface LossDocument extends StampLoss {
  readonly _id: string;
}

interface Live {
  readonly partition: number;
  readonly instance: string;
  readonly account: StampAccount;
}

const MOST = 1_000;
/** A process that has not reported for longer than this counts as ended. */
const ENDED_MS = 600_000;

export class MongoStampLedger implements StampLedger {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  async keep({ instance, partitions }: StampReport, now: Date): Promise<void> {
    const before = await this.#reports().findOne({ _id: instance });
    const lanes = new Map(before?.lanes.map((lane) => [lane.partition, lane]));
    for (const said of partitions) lanes.set(said.partition, spokenOf(lanes.get(said.partition), said, now));
    const revision = before?.revision ?? 0;
    const report = { reportedAt: now, revision: revision + 1, lanes: [...lanes.values()] };
    if (before === null) await this.#insert({ _id: instance, ...report });
    else {
      const { matchedCount } = await this.#reports().replaceOne({ _id: instance, revision }, report);
      if (matchedCount === 0) throw new UnavailableError('Another report was kept meanwhile. Please try again.');
    }
  }

  async owed(now: Date): Promise<readonly OwedInstance[]> {
    // Accounts are read after reports, so they can only be ahead of them.
    const reports = await this.#reports().find().sort({ reportedAt: -1 }).limit(MOST).toArray();
    const live = await this.#live();
    const kept = await this.#accounts()
      .find()
      .limit(100 * MOST)
      .toArray();
    const known = new Map(reports.map(({ _id, reportedAt }) => [_id, reportedAt]));
    const before = new Map(kept.map((account) => [account._id, account]));
    const seen = new Map<string, Map<number, StampAccount>>();
    for (const { instance, partition, through, gaps } of kept)
      lanesOf(seen, instance).set(partition, { through, gaps });
    for (const brought of live) {
      const { account, instance, partition } = brought;
      const both = joined(lanesOf(seen, instance).get(partition) ?? { through: 0, gaps: [] }, account);
      lanesOf(seen, instance).set(partition, both);
      await this.#archive(brought, both, before.get(idOf(brought)));
      const reportedAt = known.get(instance);
      // It died before its first report, so it owes nothing. An empty report lets it be removed like the others.
      if (reportedAt === undefined) await this.#insert({ _id: instance, reportedAt: now, revision: 1, lanes: [] });
      else if (now.getTime() - reportedAt.getTime() > ENDED_MS)
        await this.#checkpoints().forgetStamps(AlertCommands.name, partition, instance, account);
    }
    return reports.map(({ _id, lanes, reportedAt }) => ({
      instance: _id,
      reportedAt,
      lanes,
      seen: lanesOf(seen, _id),
    }));
  }

  async note(losses: readonly StampLoss[]): Promise<void> {
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

  async losses(since: Date): Promise<readonly StampLoss[]> {
    const found = await this.#losses()
      .find({ foundAt: { $gt: since } }, { projection: { _id: 0 } })
      .sort({ foundAt: -1 })
      .limit(MOST)
      .toArray();
    return found.map(({ numbers: [first, last], ...loss }) => ({ ...loss, numbers: [first, last] as NumberRange }));
  }

  async remove(until: Date): Promise<number> {
    const found = await this.#reports()
      .find({ reportedAt: { $lte: until } })
      .limit(MOST)
      .toArray();
    const ids = found.map(({ _id }) => _id);
    if (ids.length === 0) return 0;
    await this.#accounts().deleteMany({ instance: { $in: ids } });
    await this.#losses().deleteMany({ instance: { $in: ids } });
    return (await this.#reports().deleteMany({ _id: { $in: ids } })).deletedCount;
  }

  async #archive(
    { instance, partition }: Live,
    { through, gaps }: StampAccount,
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
      if (report.lanes.length > 0) throw new UnavailableError('Another report was kept meanwhile. Please try again.');
    }
  }

  async #live(): Promise<readonly Live[]> {
    const checkpoints = await this.#checkpoints().stamps(AlertCommands.name);
    return checkpoints.flatMap(({ partition, stamps }) =>
      Object.entries(stamps).map(([instance, account]) => ({ partition, instance, account })),
    );
  }

  #checkpoints() {
    return new MongoCheckpoints(this.#connection);
  }

  #reports() {
    return collectionOf<ReportDocument>(this.#connection, STAMP_REPORTS);
  }

  #accounts() {
    return collectionOf<AccountDocument>(this.#connection, STAMP_ACCOUNTS);
  }

  #losses() {
    return collectionOf<LossDocument>(this.#connection, STAMP_LOSSES);
  }
}

const idOf = ({ instance, partition }: { readonly instance: string; readonly partition: number }): string =>
  `${instance}/${partition}`;

function lanesOf(seen: Map<string, Map<number, StampAccount>>, instance: string): Map<number, StampAccount> {
  const lanes = seen.get(instance) ?? new Map<number, StampAccount>();
  seen.set(instance, lanes);
  return lanes;
}
