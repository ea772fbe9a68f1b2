import { ConflictError } from '@tocsin/errors';
import { collectionOf, isDuplicateKey, type Connection } from '@tocsin/persistence';
import type { SavedSearch, SavedSearchReference } from '../domain/saved-search.ts';
import type { SavedSearchChange, SavedSearchStore } from '../ports/saved-search-store.ts';
import { SAVED_SEARCHES, SEARCH_NAME } from './collections.ts';
import { MOST_MS, reading } from './reading.ts';

type SavedSearchDocument = Omit<SavedSearch, 'id'> & { readonly _id: string };

/** Each write is one statement on one document; the unique index refuses a name that is taken. */
export class MongoSavedSearchStore implements SavedSearchStore {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  async insert({ id, ...search }: SavedSearch): Promise<void> {
    await refusing(search.name, this.#searches().insertOne({ _id: id, ...search }));
  }

  async find({ type, value }: SavedSearchReference): Promise<SavedSearch | undefined> {
    const filter = type === 'id' ? { _id: value } : { name: value };
    return fromDocument(await reading(this.#searches().findOne(filter)));
  }

  async list(): Promise<readonly SavedSearch[]> {
    const found = this.#searches().find({}, { maxTimeMS: MOST_MS }).sort({ createdAt: 1, _id: 1 });
    return (await reading(found.toArray())).map(({ _id: id, ...search }) => ({ id, ...search }));
  }

  async change(id: string, change: SavedSearchChange): Promise<SavedSearch | undefined> {
    const changed = this.#searches().findOneAndUpdate({ _id: id }, { $set: change }, { returnDocument: 'after' });
    return fromDocument(await refusing(change.name ?? '', changed));
  }

  async remove(id: string): Promise<void> {
    await reading(this.#searches().deleteOne({ _id: id }));
  }

  #searches() {
    return collectionOf<SavedSearchDocument>(this.#connection, SAVED_SEARCHES);
  }
}

function fromDocument(document: SavedSearchDocument | null): SavedSearch | undefined {
  if (document === null) return undefined;
  const { _id: id, ...search } = document;
  return { id, ...search };
}

async function refusing<T>(name: string, write: Promise<T>): Promise<T> {
  try {
    return await reading(write);
  } catch (error) {
    if (!isDuplicateKey(error, SEARCH_NAME)) throw error;
    throw new ConflictError(`Saved search with name [${name}] already exists.`, { cause: error });
  }
}
