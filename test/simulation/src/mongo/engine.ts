import { mongo } from 'mongoose';
import { ChangeLog } from './change-log.ts';
import { matches } from './filter.ts';
import { type Change, Collection, Conflict, endTransaction, Transaction } from './store.ts';
import { type Document, ServerFault } from './values.ts';

/** What the server has from outside. */
export interface ServerEnvironment {
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly sleep: (milliseconds: number) => Promise<void>;
  /** How long the server lets a transaction be open, in milliseconds; a minute by default. */
  readonly maxTransactionMs?: number;
  /** Called with what each commit changes. */
  readonly onCommit?: (changes: readonly Change[]) => void;
}

/** One command while it is executed. */
export interface Execution {
  readonly command: Document;
  readonly database: string;
  /** The transaction that it belongs to; undefined where each of its writes is committed by itself. */
  readonly transaction: Transaction | undefined;
  /** The value of `$$NOW`. */
  readonly now: Date;
  readonly deadlineMs: number | undefined;
}

/** The label of errors after which a transaction may succeed when it runs again. */
export const TRANSIENT = 'TransientTransactionError';

/** The code of an operation that ran longer than its `maxTimeMS`. */
export const TIME_LIMIT = 50;

const writeConflict = (): ServerFault =>
  new ServerFault([112, 'WriteConflict'], 'WriteConflict error: this operation conflicted with another operation.', {
    labels: [TRANSIENT],
  });
const timeLimit = (): ServerFault => new ServerFault([TIME_LIMIT, 'MaxTimeMSExpired'], 'operation exceeded time limit');

/** The collections of a server, and its transactions. */
export class Engine {
  readonly log = new ChangeLog();
  readonly environment: ServerEnvironment;
  readonly #collections = new Map<string, Collection>();
  readonly #open = new Set<Transaction>();
  #commits = 0;
  #clusterTime = { t: 0, i: 0 };

  constructor(environment: ServerEnvironment) {
    this.environment = environment;
  }

  /** A transaction that sees what is committed now. */
  begin(): Transaction {
    const transaction = new Transaction(this.#commits, this.environment.now());
    this.#open.add(transaction);
    return transaction;
  }

  end(transaction: Transaction, outcome: 'committed' | 'aborted'): void {
    this.#open.delete(transaction);
    if (outcome === 'committed') this.#commits += 1;
    const changes = endTransaction(transaction, outcome === 'committed' ? this.#commits : undefined);
    this.log.record(changes, () => this.tick());
    if (changes.length > 0) this.environment.onCommit?.(changes);
    const oldest = Math.min(this.#commits, ...[...this.#open].map(({ at }) => at));
    for (const collection of new Set(changes.map((change) => change.collection))) collection.forget(oldest);
  }

  /** Aborts transactions that are open for too long. */
  abortOld(): void {
    const { maxTransactionMs = 60_000, now } = this.environment;
    const before = now() - maxTransactionMs;
    for (const transaction of this.#open) if (transaction.startedAtMs < before) this.end(transaction, 'aborted');
  }

  /** The next time of the cluster. */
  tick(): mongo.Timestamp {
    const seconds = Math.floor(this.environment.now() / 1_000);
    const { i, t } = this.#clusterTime;
    this.#clusterTime = seconds > t ? { t: seconds, i: 1 } : { t, i: i + 1 };
    return new mongo.Timestamp(this.#clusterTime);
  }

  /** Whether the collection exists. */
  has(database: string, name: string): boolean {
    return this.#collections.has(`${database}.${name}`);
  }

  /** The collection, made where it does not exist. */
  collection(database: string, name: string): Collection {
    const known = this.#collections.get(`${database}.${name}`) ?? new Collection(database, name);
    this.#collections.set(`${database}.${name}`, known);
    return known;
  }

  collectionsOf(database: string): readonly Collection[] {
    return [...this.#collections.values()].filter((collection) => collection.database === database);
  }

  dropDatabase(database: string): void {
    for (const { name } of this.collectionsOf(database)) this.#collections.delete(`${database}.${name}`);
  }

  /** The collection that the command names. */
  target({ command, database }: Execution): Collection {
    return this.collection(database, String(Object.values(command)[0]));
  }

  /** What a command sees: its transaction, or what is committed now. */
  view({ transaction }: Pick<Execution, 'transaction'>): Transaction {
    return transaction ?? new Transaction(this.#commits, 0);
  }

  /** The documents of the command's collection that match. */
  matching(execution: Execution, filter: Document, view = this.view(execution)): Document[] {
    return this.target(execution)
      .documents(view)
      .filter((document) => matches(filter, document, execution.now));
  }

  /**
   * Runs one write: in the transaction of the command, where a conflict is refused, else in one of its own, where it waits for the
   * other transaction and runs again.
   */
  async write<T>(execution: Execution, write: (view: Transaction) => T): Promise<T> {
    for (;;) {
      const view = execution.transaction ?? this.begin();
      try {
        const result = write(view);
        if (execution.transaction === undefined) this.end(view, 'committed');
        return result;
      } catch (error) {
        if (execution.transaction === undefined) this.end(view, 'aborted');
        if (!(error instanceof Conflict)) throw error;
        if (execution.transaction !== undefined) throw writeConflict();
        await this.#whenEnded(error.by, execution);
      }
    }
  }

  async #whenEnded(other: Transaction | undefined, { deadlineMs }: Execution): Promise<void> {
    if (other === undefined) throw new TypeError('A write without a transaction sees every commit.');
    if (deadlineMs === undefined) {
      await other.ended;
      return;
    }
    const leftMs = deadlineMs - this.environment.now();
    if (leftMs <= 0) throw timeLimit();
    await Promise.race([other.ended, this.environment.sleep(leftMs)]);
    if (other.state === 'open') throw timeLimit();
  }
}
