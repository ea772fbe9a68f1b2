import {
  AlertCommands,
  Decisions,
  Pages,
  type AlertEvent,
  type BuriedRecord,
  type ConsumedBatch,
  type Decision,
  type Settlement,
} from '@tocsin/contracts';
import {
  buryWithDecision,
  collectionOf,
  forTopic,
  settleBatches,
  type Connection,
  type DueWork,
  type Outbox,
  type Session,
} from '@tocsin/persistence';
import { mayPage } from '../../domain/runs/apply-event.ts';
import { changesOf, type Run } from '../../domain/runs/run.ts';
import type { RunChange, RunStore } from '../../ports/run-store.ts';
import { BY_END, fromRun, RUNS, toRun, type RunDocument } from './documents.ts';

export interface MongoRunStoreParts {
  readonly connection: Connection;
  /** Relays pages, commands and decisions. */
  readonly outbox: Outbox;
  /** Does what runs have to do at their time. */
  readonly dueWork: Pick<DueWork<RunDocument>, 'written'>;
}

/** Most runs that one call removes. */
const MOST_REMOVED = 500;

/** Runs in MongoDB. A settlement writes its runs, pages, commands and decisions in one transaction. */
export class MongoRunStore implements RunStore {
  readonly #parts: MongoRunStoreParts;

  constructor(parts: MongoRunStoreParts) {
    this.#parts = parts;
  }

  async settleEvents(
    batches: readonly ConsumedBatch<AlertEvent>[],
    decide: (run: Run | undefined, event: AlertEvent) => RunChange | undefined,
  ): Promise<Settlement> {
    const { connection } = this.#parts;
    const settlement = await settleBatches({
      connection,
      batches,
      work: async (session, records) => {
        const events = records.map(({ value }) => value).filter(mayPage);
        if (events.length === 0) return;
        const runs = await this.#read(events.map(alertOfEvent), session);
        const changes = changesOf(events, runs, alertOfEvent, decide);
        await this.write(session, changes);
      },
    });
    return settlement;
  }

  async bury(record: BuriedRecord, decision: Decision | undefined): Promise<Settlement> {
    const { connection, outbox } = this.#parts;
    return buryWithDecision({ connection, outbox, record, decision });
  }

  async find(alertIds: readonly string[]): Promise<ReadonlyMap<string, Run>> {
    return this.#read(alertIds);
  }

  async removeEnded(until: Date): Promise<number> {
    const ended = { endedAt: { $exists: true, $lte: until } };
    const oldest = { sort: BY_END, hint: BY_END, limit: MOST_REMOVED, projection: { _id: 1 } } as const;
    const ids = (await this.#runs().find(ended, oldest).toArray()).map(({ _id }) => _id);
    // A run that has changed since it was found stays.
    if (ids.length > 0) await this.#runs().deleteMany({ _id: { $in: ids }, ...ended });
    return ids.length;
  }

  /** Writes changes in the transaction of `session`. */
  async write(session: Session, changes: readonly RunChange[]): Promise<void> {
    if (changes.length === 0) return;
    const { dueWork, outbox } = this.#parts;
    const documents = new Map(
      changes.flatMap(({ at, run }) => (run === undefined ? [] : [[run.alertId, fromRun(run, at)] as const])),
    );
    const writes = [...documents.values()].map(({ _id, ...replacement }) => ({
      replaceOne: { filter: { _id }, replacement, upsert: true },
    }));
    if (writes.length > 0) await this.#runs().bulkWrite(writes, { session, ordered: false, ignoreUndefined: true });
    dueWork.written(
      session,
      [...documents.values()].map(({ nextDueAt }) => nextDueAt),
    );
    await outbox.addAll(session, [
      forTopic(
        Pages,
        changes.flatMap(({ pages }) => pages),
      ),
      forTopic(
        AlertCommands,
        changes.flatMap(({ commands }) => commands),
      ),
      forTopic(
        Decisions,
        changes.flatMap(({ decisions }) => decisions),
      ),
    ]);
  }

  async #read(alertIds: readonly string[], session?: Session): Promise<ReadonlyMap<string, Run>> {
    const documents = await this.#runs()
      .find({ _id: { $in: [...new Set(alertIds)] } }, session && { session })
      .toArray();
    return new Map(documents.map((document) => [document._id, toRun(document)]));
  }

  #runs() {
    return collectionOf<RunDocument>(this.#parts.connection, RUNS);
  }
}

const alertOfEvent = ({ alertId }: AlertEvent): string => alertId;
