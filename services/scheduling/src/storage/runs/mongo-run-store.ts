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
  inTransaction,
  isTransient,
  forTopic,
  settleBatches,
  type Connection,
  type Outbox,
  type Session,
} from '@tocsin/persistence';
import type { DueTimer, Timers } from '@tocsin/timers';
import { mayPage } from '../../domain/runs/observe.ts';
import { changesOf, type Run } from '../../domain/runs/run.ts';
import type { RuleClaim, RulesSettled, RunChange, RunStore } from '../../ports/run-store.ts';
import { BY_END, fromRun, RUNS, toRun, toTimer, WITHOUT_DATES, type RunDocument } from './documents.ts';

/** The timer of a rule as it is claimed. */
export type RuleDue = DueTimer<RuleClaim['payload']>;

export interface MongoRunStoreParts {
  readonly connection: Connection;
  /** Relays pages, commands and decisions. */
  readonly outbox: Outbox;
  readonly timers: Pick<Timers<RuleClaim['payload']>, 'schedule' | 'remove'>;
}

/** Most runs that one call removes. */
const MOST_REMOVED = 500;

/** Runs in MongoDB. A settlement writes its runs, pages, commands, decisions and timers in one transaction. */
export class MongoRunStore implements RunStore<RuleDue> {
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
        await this.#write(changes, session);
      },
    });
    return settlement;
  }

  async bury(record: BuriedRecord, decision: Decision | undefined): Promise<Settlement> {
    const { connection, outbox } = this.#parts;
    return buryWithDecision({ connection, outbox, record, decision });
  }

  async buryRule(claim: RuleDue, decision: Decision, leaveOut: (run: Run) => Run): Promise<void> {
    const { connection, timers } = this.#parts;
    const { alertId } = claim.payload;
    await inTransaction(connection, async (session) => {
      await timers.remove([claim], session);
      const before = (await this.#read([alertId], session)).get(alertId);
      const after = before && leaveOut(before);
      const change = { at: new Date(decision.at), timers: [], pages: [], commands: [], decisions: [decision] };
      await this.#write([{ ...change, run: after === before ? undefined : after }], session);
    });
  }

  async find(alertIds: readonly string[]): Promise<ReadonlyMap<string, Run>> {
    return this.#read(alertIds);
  }

  async settleRules(
    claims: readonly RuleDue[],
    decide: (run: Run, claim: RuleDue) => RunChange | undefined,
  ): Promise<RulesSettled> {
    try {
      await this.#settleRules(claims, decide);
    } catch (error) {
      if (isTransient(error)) throw error;
      return { outcome: 'refused', reason: String(error) };
    }
    return { outcome: 'done' };
  }

  async removeEnded(until: Date): Promise<number> {
    const ended = { endedAt: { $exists: true, $lte: until } };
    const oldest = { sort: BY_END, hint: BY_END, limit: MOST_REMOVED, projection: { _id: 1 } } as const;
    const ids = (await this.#runs().find(ended, oldest).toArray()).map(({ _id }) => _id);
    // A run that has changed since it was found stays.
    if (ids.length > 0) await this.#runs().deleteMany({ _id: { $in: ids }, ...ended });
    return ids.length;
  }

  async #settleRules(
    claims: readonly RuleDue[],
    decide: (run: Run, claim: RuleDue) => RunChange | undefined,
  ): Promise<void> {
    const { connection, timers } = this.#parts;
    await inTransaction(connection, async (session) => {
      await timers.remove(claims, session);
      const runs = await this.#read(claims.map(alertOfClaim), session);
      const changes = changesOf(claims, runs, alertOfClaim, (run, claim) => run && decide(run, claim));
      await this.#write(changes, session);
    });
  }

  async #read(alertIds: readonly string[], session?: Session): Promise<ReadonlyMap<string, Run>> {
    const documents = await this.#runs()
      .find({ _id: { $in: [...new Set(alertIds)] } }, { projection: WITHOUT_DATES, ...(session && { session }) })
      .toArray();
    return new Map(documents.map((document) => [document._id, toRun(document)]));
  }

  async #write(changes: readonly RunChange[], session: Session): Promise<void> {
    if (changes.length === 0) return;
    const { outbox, timers } = this.#parts;
    const documents = new Map(
      changes.flatMap(({ at, run }) => (run === undefined ? [] : [[run.alertId, fromRun(run, at)] as const])),
    );
    const writes = [...documents.values()].map(({ _id, ...replacement }) => ({
      replaceOne: { filter: { _id }, replacement, upsert: true },
    }));
    if (writes.length > 0) await this.#runs().bulkWrite(writes, { session, ordered: false, ignoreUndefined: true });
    const due = changes.flatMap((change) => change.timers);
    if (due.length > 0) await timers.schedule(session, due.map(toTimer));
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

  #runs() {
    return collectionOf<RunDocument>(this.#parts.connection, RUNS);
  }
}

const alertOfEvent = ({ alertId }: AlertEvent): string => alertId;
const alertOfClaim = ({ payload }: RuleClaim): string => payload.alertId;
