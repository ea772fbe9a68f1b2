import { mongo } from 'mongoose';
import { type Engine, type Execution, TIME_LIMIT } from './engine.ts';
import { matches } from './filter.ts';
import { project, sorted } from './pipeline.ts';
import type { Collection, Transaction } from './store.ts';
import { type Update, updated, upserted } from './update.ts';
import { areEqual, areSameBytes, copyOf, type Document, NotBuiltError, ServerFault } from './values.ts';

/** The answer to `insert`. */
export async function insertAll(engine: Engine, execution: Execution): Promise<Document> {
  const collection = engine.target(execution);
  const documents = execution.command['documents'] as readonly Document[];
  let n = 0;
  const errors = await eachStatement(execution, documents, async (document) => {
    const { _id = new mongo.ObjectId(), ...fields } = document;
    const stored = { _id, ...withTimes(engine, fields) };
    await engine.write(execution, (view) => {
      collection.insert(stored, view);
    });
    n += 1;
  });
  return { n, ...errors };
}

/** Replaces empty timestamps at the top level by the time of the cluster. */
function withTimes(engine: Engine, fields: Document): Document {
  const isEmpty = (value: unknown): boolean => value instanceof mongo.Timestamp && value.t === 0 && value.i === 0;
  const entries = Object.entries(fields).map(
    ([name, value]) => [name, isEmpty(value) ? engine.tick() : value] as const,
  );
  return Object.fromEntries(entries);
}

interface UpdateStatement {
  readonly q: Document;
  readonly u: Update;
  readonly multi?: boolean;
  readonly upsert?: boolean;
}

/** The answer to `update`. */
export async function updateAll(engine: Engine, execution: Execution): Promise<Document> {
  const upsertedIds: Document[] = [];
  const total = { n: 0, nModified: 0 };
  const statements = execution.command['updates'] as readonly UpdateStatement[];
  const errors = await eachStatement(execution, statements, async (statement, index) => {
    const { n, nModified, upsertedId } = await updateMatching(engine, execution, statement);
    total.n += n;
    total.nModified += nModified;
    if (upsertedId !== undefined) upsertedIds.push({ index, _id: upsertedId });
  });
  return { ...total, ...(upsertedIds.length > 0 && { upserted: upsertedIds }), ...errors };
}

/** Each document is a write of its own where there is no transaction. */
async function updateMatching(
  engine: Engine,
  execution: Execution,
  { multi = false, q, u, upsert = false }: UpdateStatement,
): Promise<{ readonly n: number; readonly nModified: number; readonly upsertedId?: unknown }> {
  const { now } = execution;
  const collection = engine.target(execution);
  const result = { n: 0, nModified: 0 };
  const found = engine.matching(execution, q);
  for (const { _id } of multi ? found : found.slice(0, 1)) {
    const written = await engine.write(execution, (view) => {
      const before = collection.document(_id, view);
      if (before === undefined || !matches(q, before, now)) return undefined;
      return { isChanged: replaceChanged(collection, before, updated(before, u, now), view) };
    });
    if (written === undefined) continue;
    result.n += 1;
    result.nModified += Number(written.isChanged);
  }
  if (result.n > 0 || !upsert) return result;
  const document = await insertUpserted(engine, execution, q, u);
  if (document === undefined) return updateMatching(engine, execution, { multi, q, u, upsert });
  return { n: 1, nModified: 0, upsertedId: document['_id'] };
}

/**
 * Inserts the document of an upsert. Undefined where the upsert is to run again: another transaction has inserted a document meanwhile,
 * which the filter names by nothing but its unique key.
 */
async function insertUpserted(
  engine: Engine,
  execution: Execution,
  filter: Document,
  update: Update,
): Promise<Document | undefined> {
  const document = upserted(filter, update, execution.now);
  try {
    await engine.write(execution, (view) => {
      engine.target(execution).insert(document, view);
    });
    return document;
  } catch (error) {
    const isRepeated = error instanceof ServerFault && areEqual(error.details['keyValue'], filter);
    if (isRepeated && execution.transaction === undefined) return undefined;
    throw error;
  }
}

/** The answer to `delete`. */
export async function deleteAll(engine: Engine, execution: Execution): Promise<Document> {
  const collection = engine.target(execution);
  const statements = execution.command['deletes'] as readonly { readonly q: Document; readonly limit: number }[];
  let n = 0;
  const errors = await eachStatement(execution, statements, async ({ limit, q }) => {
    const found = engine.matching(execution, q);
    for (const { _id } of limit === 1 ? found.slice(0, 1) : found) {
      const isRemoved = await engine.write(execution, (view) => {
        const before = collection.document(_id, view);
        if (before === undefined || !matches(q, before, execution.now)) return false;
        collection.remove(_id, view);
        return true;
      });
      n += Number(isRemoved);
    }
  });
  return { n, ...errors };
}

interface FindAndModify {
  readonly query: Document;
  readonly update: Update;
  readonly sort?: Document;
  readonly fields?: Document;
  readonly new?: boolean;
  readonly upsert?: boolean;
  readonly remove?: boolean;
}

/** The answer to `findAndModify`. */
export async function findAndModify(engine: Engine, execution: Execution): Promise<Document> {
  const command = execution.command as unknown as FindAndModify;
  if (command.remove === true) throw new NotBuiltError('findAndModify that removes');
  const { after, before } = await modifyFirst(engine, execution, command);
  const shown = command.new === true ? after : before;
  const isUpserted = before === undefined && after !== undefined;
  return {
    lastErrorObject: {
      n: after === undefined ? 0 : 1,
      updatedExisting: before !== undefined,
      ...(isUpserted && { upserted: after['_id'] }),
    },
    value: shown === undefined ? null : copyOf(project(shown, command.fields ?? {}, execution.now)),
  };
}

interface Modified {
  readonly before: Document | undefined;
  readonly after: Document | undefined;
}

async function modifyFirst(engine: Engine, execution: Execution, command: FindAndModify): Promise<Modified> {
  const { query, sort = {}, update, upsert = false } = command;
  const { before, after } = await engine.write(execution, (view): Modified => {
    const [found] = sorted(engine.matching(execution, query, view), sort);
    if (found === undefined) return { before: undefined, after: undefined };
    const changed = updated(found, update, execution.now);
    replaceChanged(engine.target(execution), found, changed, view);
    return { before: found, after: changed };
  });
  if (before !== undefined || !upsert) return { before, after };
  const inserted = await insertUpserted(engine, execution, query, update);
  return inserted === undefined ? modifyFirst(engine, execution, command) : { before, after: inserted };
}

/** Writes nothing where the update leaves the document as it is, so that it conflicts with no other transaction. */
function replaceChanged(collection: Collection, before: Document, after: Document, view: Transaction): boolean {
  if (areSameBytes(before, after)) return false;
  collection.replace(copyOf(after), view);
  return true;
}

/** Runs the statements of a command one after the other, until one is refused where they are ordered. */
async function eachStatement<S>(
  { command, transaction }: Execution,
  statements: readonly S[],
  run: (statement: S, index: number) => Promise<void>,
): Promise<Document> {
  const writeErrors: Document[] = [];
  for (const [index, statement] of statements.entries()) {
    try {
      await run(statement, index);
    } catch (error) {
      if (!(error instanceof ServerFault) || error.labels.length > 0 || error.code === TIME_LIMIT) throw error;
      writeErrors.push({ index, code: error.code, errmsg: error.message, ...error.details });
      if (command['ordered'] !== false || transaction !== undefined) break;
    }
  }
  return writeErrors.length > 0 ? { writeErrors } : {};
}
