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
  lotOf,
  settleBatches,
  type Connection,
  type Outbox,
  type Session,
} from '@tocsin/persistence';
import type { DueTimer, Timers } from '@tocsin/timers';
import { mayPage } from '../../domain/runs/observe.ts';
import type { Run } from '../../domain/runs/run.ts';
import type { RuleClaim, RulesSettled, RunChange, RunStore } from '../../ports/run-store.ts';
import { fromRun, RUNS, toRun, WITHOUT_DATES, type RunDocument } from './documents.ts';
import { toTimer } from './timer-id.ts';

/** The timer of a rule as it is claimed. */
export type RuleDue = DueTimer<RuleClaim['payload']>;

export interface MongoRunStoreParts {
  readonly connection: Connection;
  /** Relays pages, commands and decisions. */
  readonly outbox: Outbox;
  readonly timers: Pick<Timers<RuleClaim['payload']>, 'schedule' | 'remove'>;
}

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
    const { connection, outbox } = this.#parts;
    const settlement = await settleBatches({
      connection,
      batches,
      work: async (session, records) => {
        const events = records.map(({ value }) => value).filter(mayPage);
        if (events.length === 0) return;
        const runs = new Map(await this.#read(unique(events.map(({ alertId }) => alertId)), session));
        const changes = events.flatMap((event) => {
          const change = decide(runs.get(event.alertId), event);
          if (change === undefined) return [];
          if (change.run !== undefined) runs.set(event.alertId, change.run);
          return [change];
        });
        await this.#write(changes, session);
      },
    });
    void outbox.flush();
    return settlement;
  }

  async bury(record: BuriedRecord, decision: Decision | undefined): Promise<Settlement> {
    const { connection, outbox } = this.#parts;
    return buryWithDecision({ connection, outbox, record, decision });
  }

  async buryRule(claim: RuleDue, decision: Decision, leaveOut: (run: Run) => Run): Promise<void> {
    const { connection, outbox, timers } = this.#parts;
    const { alertId } = claim.payload;
    await inTransaction(connection, async (session) => {
      await timers.remove([claim], session);
      const before = (await this.#read([alertId], session)).get(alertId);
      const after = before && leaveOut(before);
      const change = { at: new Date(decision.at), timers: [], pages: [], commands: [], decisions: [decision] };
      await this.#write([{ ...change, run: after === before ? undefined : after }], session);
    });
    void outbox.flush();
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
    void this.#parts.outbox.flush();
    return { outcome: 'done' };
  }

  async #settleRules(
    claims: readonly RuleDue[],
    decide: (run: Run, claim: RuleDue) => RunChange | undefined,
  ): Promise<void> {
    const { connection, timers } = this.#parts;
    await inTransaction(connection, async (session) => {
      await timers.remove(claims, session);
      const runs = new Map(await this.#read(unique(claims.map(({ payload }) => payload.alertId)), session));
      const changes = claims.flatMap((claim) => {
        const run = runs.get(claim.payload.alertId);
        const change = run && decide(run, claim);
        if (change === undefined) return [];
        if (change.run !== undefined) runs.set(change.run.alertId, change.run);
        return [change];
      });
      await this.#write(changes, session);
    });
  }

  async #read(alertIds: readonly string[], session?: Session): Promise<ReadonlyMap<string, Run>> {
    const documents = await this.#runs()
      .find({ _id: { $in: [...alertIds] } }, { projection: WITHOUT_DATES, ...(session && { session }) })
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
      lotOf(
        Pages,
        changes.flatMap(({ pages }) => pages),
      ),
      lotOf(
        AlertCommands,
        changes.flatMap(({ commands }) => commands),
      ),
      lotOf(
        Decisions,
        changes.flatMap(({ decisions }) => decisions),
      ),
    ]);
  }

  #runs() {
    return collectionOf<RunDocument>(this.#parts.connection, RUNS);
  }
}

const unique = (ids: readonly string[]): readonly string[] => [...new Set(ids)];
