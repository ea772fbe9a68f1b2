import { matches } from './filter.ts';
import { areEqual, type Document, indexKey, isDocument, NotBuiltError, ServerFault } from './values.ts';

/** What a transaction, or a single write, sees and writes. Its snapshot is the state at a commit. */
export class Transaction {
  /** The number of the last commit that it sees. */
  readonly at: number;
  readonly startedAtMs: number;
  readonly writes = new Set<StoredDocument>();
  readonly claims = new Set<KeyClaim>();
  state: 'open' | 'committed' | 'aborted' = 'open';
  readonly #ended = Promise.withResolvers<undefined>();

  constructor(at: number, startedAtMs: number) {
    this.at = at;
    this.startedAtMs = startedAtMs;
  }

  /** Resolves when it is committed or aborted. */
  get ended(): Promise<undefined> {
    return this.#ended.promise;
  }

  end(state: 'committed' | 'aborted'): void {
    this.state = state;
    this.#ended.resolve(undefined);
  }
}

/** Thrown where another transaction wrote the same document or unique key. */
export class Conflict extends Error {
  override readonly name = 'Conflict';
  /** The transaction to wait for; undefined where it has committed after the snapshot. */
  readonly by: Transaction | undefined;

  constructor(by: Transaction | undefined) {
    super('Another transaction wrote the same document or key.');
    this.by = by;
  }
}

/** One `_id` of a collection: what was committed under it, and what an open transaction has written. */
interface StoredDocument {
  readonly collection: Collection;
  readonly versions: { readonly at: number; readonly document: Document | undefined }[];
  pending?: { readonly transaction: Transaction; readonly document: Document | undefined } | undefined;
}

/** The key of a unique index that was inserted last, whether or not a document still has it. */
interface KeyClaim {
  lastAt: number;
  by?: Transaction | undefined;
}

/** An index as `createIndexes` describes it. */
export interface IndexDescription {
  readonly name: string;
  readonly key: Readonly<Record<string, number>>;
  readonly unique?: boolean;
  readonly sparse?: boolean;
  readonly partialFilterExpression?: Document;
  readonly expireAfterSeconds?: number;
}

/** What a commit changed. */
export interface Change {
  readonly collection: Collection;
  readonly before: Document | undefined;
  readonly after: Document | undefined;
}

const NO_NOW = new Date(0);

/** The documents of a collection, in versions by commit. */
export class Collection {
  readonly database: string;
  readonly name: string;
  readonly indexes: IndexDescription[] = [{ name: '_id_', key: { _id: 1 } }];
  readonly #stored = new Map<string, StoredDocument>();
  readonly #claims = new Map<string, Map<string, KeyClaim>>();

  constructor(database: string, name: string) {
    this.database = database;
    this.name = name;
  }

  /** What the transaction sees, its own writes among it, in the order of insertion. */
  documents(view: Transaction): Document[] {
    return [...this.#stored.values()].map((stored) => visible(stored, view)).filter((found) => found !== undefined);
  }

  document(id: unknown, view: Transaction): Document | undefined {
    const stored = this.#stored.get(indexKey([id]));
    return stored && visible(stored, view);
  }

  /** @throws ServerFault where a visible document has the same `_id` or unique key. @throws Conflict */
  insert(document: Document, view: Transaction): void {
    const key = indexKey([document['_id']]);
    const stored = this.#stored.get(key) ?? { collection: this, versions: [] };
    if (visible(stored, view) !== undefined) throw this.#duplicate({ name: '_id_', key: { _id: 1 } }, document);
    this.#write(stored, document, view);
    this.#stored.delete(key);
    this.#stored.set(key, stored);
  }

  /** Replaces the visible document of the same `_id`. @throws as `insert` does. */
  replace(document: Document, view: Transaction): void {
    this.#write(this.#existing(document['_id']), document, view);
  }

  /** Removes the visible document. @throws Conflict */
  remove(id: unknown, view: Transaction): void {
    const stored = this.#existing(id);
    const before = visible(stored, view);
    this.#write(stored, undefined, view);
    if (before !== undefined) for (const index of this.indexes) this.#unindex(index, before, view);
  }

  /** @throws ServerFault where two documents have the same key. */
  createIndex(index: IndexDescription, view: Transaction): void {
    const same = this.indexes.find(({ key, name }) => name === index.name || areSameKeys(key, index.key));
    if (same !== undefined) {
      if (areEqual({ ...same }, { ...index })) return;
      throw new ServerFault([85, 'IndexOptionsConflict'], `Index already exists with different options: ${same.name}`);
    }
    if (index.unique === true) {
      const keys = this.documents(view).flatMap((document) => uniqueKey(index, document) ?? []);
      if (new Set(keys).size < keys.length)
        throw new ServerFault([11000, 'DuplicateKey'], 'E11000 duplicate key error');
    }
    this.indexes.push(index);
  }

  /** Removes the versions that no transaction sees whose snapshot is `oldest` or later. */
  forget(oldest: number): void {
    for (const [key, stored] of this.#stored) {
      const seen = stored.versions.findLastIndex(({ at }) => at <= oldest);
      if (seen > 0) stored.versions.splice(0, seen);
      const [only] = stored.versions;
      const isGone = stored.versions.length === 1 && only?.document === undefined && (only?.at ?? 0) <= oldest;
      if (isGone && stored.pending === undefined) this.#stored.delete(key);
    }
  }

  #existing(id: unknown): StoredDocument {
    const stored = this.#stored.get(indexKey([id]));
    if (stored === undefined) throw new TypeError('The document was never stored.');
    return stored;
  }

  #write(stored: StoredDocument, document: Document | undefined, view: Transaction): void {
    const { pending, versions } = stored;
    if (pending !== undefined && pending.transaction !== view) throw new Conflict(pending.transaction);
    if ((versions.at(-1)?.at ?? 0) > view.at) throw new Conflict(undefined);
    const before = visible(stored, view);
    for (const index of this.indexes)
      if (index.unique === true && document !== undefined) this.#claim(index, before, document, view);
    stored.pending = { transaction: view, document };
    view.writes.add(stored);
  }

  /**
   * As WiredTiger does: each insert of a key into a unique index writes the key itself first, so two transactions that insert the same
   * one conflict. Only then the server looks whether a document has the key.
   */
  #claim(index: IndexDescription, before: Document | undefined, after: Document, view: Transaction): void {
    const key = uniqueKey(index, after);
    if (key === undefined || (before !== undefined && uniqueKey(index, before) === key)) return;
    const claims = this.#claims.get(index.name) ?? new Map<string, KeyClaim>();
    const claim = claims.get(key) ?? { lastAt: 0 };
    refuseConflict(claim, view);
    const isHeld = this.documents(view).some(
      (other) => uniqueKey(index, other) === key && !areEqual(other['_id'], after['_id']),
    );
    if (isHeld) throw this.#duplicate(index, after);
    claim.by = view;
    view.claims.add(claim);
    this.#claims.set(index.name, claims.set(key, claim));
  }

  /**
   * The server removes the key of a deleted document from a partial unique index also where the index has left the document out. That
   * conflicts with another transaction that inserts the same key, and writes nothing with which others conflict.
   */
  #unindex(index: IndexDescription, document: Document, view: Transaction): void {
    if (index.unique !== true || uniqueKey(index, document) !== undefined) return;
    const key = uniqueKey({ ...index, partialFilterExpression: {} }, document);
    const claim = key === undefined ? undefined : this.#claims.get(index.name)?.get(key);
    if (claim !== undefined) refuseConflict(claim, view);
  }

  #duplicate({ key, name }: Pick<IndexDescription, 'key' | 'name'>, document: Document): ServerFault {
    const keyValue = Object.fromEntries(Object.keys(key).map((path) => [path, at(document, path) ?? null]));
    const shown = Object.entries(keyValue).map(([path, value]) => `${path}: ${JSON.stringify(value)}`);
    return new ServerFault(
      [11000, 'DuplicateKey'],
      `E11000 duplicate key error collection: ${this.database}.${this.name} index: ${name} dup key: { ${shown.join(', ')} }`,
      { details: { keyPattern: key, keyValue } },
    );
  }
}

/** @throws Conflict where another transaction has inserted the key, and is open or has committed after the snapshot of `view`. */
function refuseConflict({ by, lastAt }: KeyClaim, view: Transaction): void {
  if (by !== undefined && by !== view) throw new Conflict(by);
  if (lastAt > view.at) throw new Conflict(undefined);
}

/** Ends a transaction: its writes become versions of the commit `at`, or are undone where `at` is undefined. Returns the changes. */
export function endTransaction(transaction: Transaction, at: number | undefined): readonly Change[] {
  const changes: Change[] = [];
  for (const stored of transaction.writes) {
    const { pending } = stored;
    stored.pending = undefined;
    if (at === undefined || pending === undefined) continue;
    const before = stored.versions.at(-1)?.document;
    stored.versions.push({ at, document: pending.document });
    changes.push({ collection: stored.collection, before, after: pending.document });
  }
  for (const claim of transaction.claims) {
    claim.by = undefined;
    if (at !== undefined) claim.lastAt = at;
  }
  transaction.end(at === undefined ? 'aborted' : 'committed');
  return changes;
}

function visible({ pending, versions }: StoredDocument, view: Transaction): Document | undefined {
  if (pending?.transaction === view) return pending.document;
  return versions.findLast(({ at: committedAt }) => committedAt <= view.at)?.document;
}

const areSameKeys = (one: object, other: object): boolean => JSON.stringify(one) === JSON.stringify(other);

/** The key that a document has in a unique index; undefined where the index leaves the document out. */
function uniqueKey({ key, partialFilterExpression, sparse }: IndexDescription, document: Document): string | undefined {
  if (sparse === true) throw new NotBuiltError('sparse unique index');
  if (partialFilterExpression !== undefined && !matches(partialFilterExpression, document, NO_NOW)) return undefined;
  const values = Object.keys(key).map((path) => at(document, path));
  if (values.some((value) => Array.isArray(value))) throw new NotBuiltError('unique index of arrays');
  return indexKey(values);
}

function at(document: Document, path: string): unknown {
  return path.split('.').reduce<unknown>((inside, part) => (isDocument(inside) ? inside[part] : undefined), document);
}
