import type { mongo } from 'mongoose';
import { aggregate } from './pipeline.ts';
import type { Change } from './store.ts';
import { areEqual, type Document, NotBuiltError } from './values.ts';

interface LoggedChange {
  readonly database: string;
  readonly event: Document;
}

export const isChangeStream = (stages: readonly Document[]): boolean => stages[0]?.['$changeStream'] !== undefined;

/** The commits in their order, for change streams. */
export class ChangeLog {
  readonly #changes: LoggedChange[] = [];
  #grown = Promise.withResolvers<undefined>();

  /** `tick` gives the time of the cluster at the commit. */
  record(changes: readonly Change[], tick: () => mongo.Timestamp): void {
    if (changes.length === 0) return;
    const clusterTime = tick();
    for (const change of changes) {
      const event = eventOf(change);
      if (event === undefined) continue;
      const token = { _data: String(this.#changes.length + 1).padStart(12, '0') };
      this.#changes.push({ database: change.collection.database, event: { _id: token, clusterTime, ...event } });
    }
    this.#grown.resolve(undefined);
    this.#grown = Promise.withResolvers();
  }

  /** A stream of what is committed from now on, or after the token that its first stage names. */
  open(database: string, [first, ...stages]: readonly Document[], now: Date): ChangeReader {
    const options = first?.['$changeStream'] as { readonly resumeAfter?: { readonly _data: string } };
    let position = options.resumeAfter === undefined ? this.#changes.length : Number(options.resumeAfter._data);
    const read = (): readonly Document[] => {
      const own = this.#changes.slice(position).filter((change) => change.database === database);
      position = this.#changes.length;
      return aggregate(
        own.map(({ event }) => event),
        stages,
        { now, collection: noCollection },
      );
    };
    return {
      get token() {
        return { _data: String(position).padStart(12, '0') };
      },
      next: async (timeLimit) => {
        const state = { isOver: false };
        const over = timeLimit().then(() => (state.isOver = true));
        for (let found = read(); ; found = read()) {
          if (found.length > 0 || state.isOver) return found;
          await Promise.race([this.#grown.promise, over]);
        }
      },
    };
  }
}

/** Reads the changes that one stream shows. */
export interface ChangeReader {
  /** Where a stream that is opened again goes on. */
  readonly token: Document;
  /** Resolves with the changes that transactions committed since the last call. Without any it waits for the next ones until `timeLimit` resolves, then gives none. */
  readonly next: (timeLimit: () => Promise<unknown>) => Promise<readonly Document[]>;
}

const noCollection = (): never => {
  throw new NotBuiltError('$lookup in a change stream');
};

function eventOf({ after, before, collection }: Change): Document | undefined {
  const ns = { db: collection.database, coll: collection.name };
  if (before === undefined)
    return after && { operationType: 'insert', ns, documentKey: { _id: after['_id'] }, fullDocument: after };
  const documentKey = { _id: before['_id'] };
  if (after === undefined) return { operationType: 'delete', ns, documentKey };
  return { operationType: 'update', ns, documentKey, updateDescription: descriptionOf(before, after) };
}

/** Fields at the top level only: the server names the paths inside them, or calls a large change a replacement. */
function descriptionOf(before: Document, after: Document): Document {
  const changed = Object.entries(after).filter(([name, value]) => !areEqual(value, before[name]));
  const removedFields = Object.keys(before).filter((name) => !Object.hasOwn(after, name));
  return { updatedFields: Object.fromEntries(changed), removedFields, truncatedArrays: [] };
}
