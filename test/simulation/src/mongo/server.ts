import { isChangeStream } from './change-log.ts';
import { Cursors } from './cursors.ts';
import { Engine, type Execution, type ServerEnvironment, TRANSIENT } from './engine.ts';
import { aggregate, project, sorted } from './pipeline.ts';
import type { IndexDescription, Transaction } from './store.ts';
import { type Document, indexKey, NotBuiltError, ServerFault } from './values.ts';
import { deleteAll, findAndModify, insertAll, updateAll } from './writes.ts';

interface Session {
  txnNumber: number;
  transaction?: Transaction | undefined;
  /** The answer to the last write that the driver may send again. */
  answer?: Promise<Document> | undefined;
}

type Handler = (execution: Execution) => Document | Promise<Document>;

interface FindCommand {
  readonly filter?: Document;
  readonly sort?: Document;
  readonly projection?: Document;
  readonly skip?: number;
  readonly limit?: number;
}

const noSuchTransaction = (txnNumber: number): ServerFault =>
  new ServerFault([251, 'NoSuchTransaction'], `Transaction ${txnNumber} has been aborted, or never began.`, {
    labels: [TRANSIENT],
  });

/**
 * The primary of a replica set with one member, in memory: it executes the commands that the driver sends. A command, an operator or
 * an option that is not built throws `NotBuiltError`.
 */
export class MemoryMongoServer {
  /** What `execute` threw: commands, operators and options that are not built, and faults of this server itself. */
  readonly internalErrors: unknown[] = [];
  readonly #engine: Engine;
  readonly #sessions = new Map<string, Session>();
  readonly #cursors = new Cursors();

  constructor(environment: ServerEnvironment) {
    this.#engine = new Engine(environment);
  }

  /** The answer to one command, `{ok: 0, …}` where the server refuses it. */
  async execute(command: Document): Promise<Document> {
    this.#engine.abortOld();
    try {
      return { ...(await this.#inSession(command)), ok: 1 };
    } catch (error) {
      if (!(error instanceof ServerFault)) {
        this.internalErrors.push(error);
        throw error;
      }
      const { code, codeName, details, labels, message } = error;
      return { ok: 0, errmsg: message, code, codeName, ...details, ...(labels.length > 0 && { errorLabels: labels }) };
    }
  }

  async #inSession(command: Document): Promise<Document> {
    const { autocommit, lsid, txnNumber } = command;
    if (txnNumber === undefined) return this.#run(command, undefined);
    const number = Number(txnNumber);
    const id = indexKey([(lsid as Document)['id']]);
    const session = this.#sessions.get(id) ?? { txnNumber: -1 };
    this.#sessions.set(id, session);
    if (number < session.txnNumber) throw new ServerFault([225, 'TransactionTooOld'], `Cannot use number ${number}.`);
    if (autocommit === false) return this.#inTransaction(command, session, number);
    if (session.txnNumber !== number || session.answer === undefined) {
      this.#beginNumber(session, number);
      session.answer = this.#run(command, undefined);
    }
    return session.answer;
  }

  #beginNumber(session: Session, number: number): void {
    if (session.transaction?.state === 'open') this.#engine.end(session.transaction, 'aborted');
    session.txnNumber = number;
    session.transaction = undefined;
    session.answer = undefined;
  }

  async #inTransaction(command: Document, session: Session, number: number): Promise<Document> {
    if (command['startTransaction'] === true) {
      this.#beginNumber(session, number);
      session.transaction = this.#engine.begin();
    }
    const { transaction } = session;
    if (session.txnNumber !== number || transaction === undefined) throw noSuchTransaction(number);
    const isCommit = 'commitTransaction' in command;
    if (isCommit && transaction.state === 'committed') return {};
    if (transaction.state !== 'open') throw noSuchTransaction(number);
    if (isCommit || 'abortTransaction' in command) {
      this.#engine.end(transaction, isCommit ? 'committed' : 'aborted');
      return {};
    }
    return this.#orAborted(transaction, this.#run(command, transaction));
  }

  /** A statement that is refused aborts its transaction. */
  async #orAborted(transaction: Transaction, running: Promise<Document>): Promise<Document> {
    let isRefused = true;
    try {
      const answer = await running;
      isRefused = answer['writeErrors'] !== undefined;
      return answer;
    } finally {
      if (isRefused && transaction.state === 'open') this.#engine.end(transaction, 'aborted');
    }
  }

  async #run(command: Document, transaction: Transaction | undefined): Promise<Document> {
    const [name = ''] = Object.keys(command);
    const handler = this.#handlers[name];
    if (handler === undefined) throw new NotBuiltError(`command ${name}`);
    const nowMs = this.#engine.environment.now();
    const { maxTimeMS } = command;
    const deadlineMs = typeof maxTimeMS === 'number' ? nowMs + maxTimeMS : undefined;
    return handler({ command, database: String(command['$db']), transaction, now: new Date(nowMs), deadlineMs });
  }

  readonly #handlers: Readonly<Record<string, Handler>> = {
    hello: ({ now }) => ({ ...HELLO, localTime: now }),
    ping: () => ({}),
    endSessions: () => ({}),
    insert: (execution) => insertAll(this.#engine, execution),
    update: (execution) => updateAll(this.#engine, execution),
    delete: (execution) => deleteAll(this.#engine, execution),
    findAndModify: (execution) => findAndModify(this.#engine, execution),
    find: (execution) => this.#find(execution),
    aggregate: (execution) => this.#aggregate(execution),
    count: (execution) => {
      const { limit = 0, query = {} } = execution.command as { readonly limit?: number; readonly query?: Document };
      const found = this.#engine.matching(execution, query).length;
      return { n: limit > 0 ? Math.min(limit, found) : found };
    },
    getMore: ({ command }) =>
      this.#cursors.next(command, (milliseconds) => this.#engine.environment.sleep(milliseconds)),
    killCursors: ({ command }) => ({ cursorsKilled: this.#cursors.close(command['cursors'] as readonly unknown[]) }),
    create: ({ command, database }) => {
      const name = String(command['create']);
      if (this.#engine.has(database, name))
        throw new ServerFault([48, 'NamespaceExists'], `Collection ${database}.${name} already exists.`);
      this.#engine.collection(database, name);
      return {};
    },
    createIndexes: (execution) => {
      for (const index of execution.command['indexes'] as readonly IndexDescription[])
        this.#engine.target(execution).createIndex(index, this.#engine.view(execution));
      return {};
    },
    listIndexes: (execution) => {
      const { indexes } = this.#engine.target(execution);
      return this.#cursors.open(
        indexes.map((index) => ({ ...index, v: 2 })),
        execution,
      );
    },
    listCollections: (execution) => {
      const own = this.#engine.collectionsOf(execution.database);
      return this.#cursors.open(
        own.map(({ name }) => ({ name, type: 'collection' })),
        execution,
      );
    },
    dropDatabase: ({ database }) => {
      this.#engine.dropDatabase(database);
      return {};
    },
  };

  #find(execution: Execution): Document {
    const { filter = {}, limit = 0, projection = {}, skip = 0, sort = {} } = execution.command as FindCommand;
    const found = sorted(this.#engine.matching(execution, filter), sort);
    const part = found.slice(skip, limit === 0 ? undefined : skip + Math.abs(limit));
    return this.#cursors.open(
      part.map((document) => project(document, projection, execution.now)),
      execution,
    );
  }

  #aggregate(execution: Execution): Document {
    const { command, database, now } = execution;
    const stages = command['pipeline'] as readonly Document[];
    if (isChangeStream(stages)) {
      return this.#cursors.openStream(this.#engine.log.open(database, stages, now), execution);
    }
    const view = this.#engine.view(execution);
    const collection = (name: string): readonly Document[] => this.#engine.collection(database, name).documents(view);
    const results = aggregate(this.#engine.target(execution).documents(view), stages, { now, collection });
    return this.#cursors.open(results, execution);
  }
}

/** The answer by which the driver takes the server for the primary of a replica set. */
export const HELLO: Document = {
  isWritablePrimary: true,
  setName: 'memory',
  hosts: ['memory:27017'],
  me: 'memory:27017',
  maxBsonObjectSize: 16_777_216,
  maxMessageSizeBytes: 48_000_000,
  maxWriteBatchSize: 100_000,
  logicalSessionTimeoutMinutes: 30,
  minWireVersion: 0,
  maxWireVersion: 17,
};
