import { compareVersions, type StateMessage, type Version } from '@tocsin/events';

/** By the name of each index, the keys of an entity: none, one or several. */
export type Indexes<T> = Readonly<Record<string, (state: T) => string | readonly string[] | undefined>>;

const asList = (keys: string | readonly string[] | undefined): readonly string[] =>
  typeof keys === 'string' ? [keys] : (keys ?? []);

interface Row<T> {
  readonly version: Version;
  /** Undefined when the entity is deleted. Its version stays, so that an older state does not bring it back. */
  readonly state: T | undefined;
}

/** The newest state of every entity, in whatever order the states come. */
export class StateTable<T> {
  readonly #rows = new Map<string, Row<T>>();
  readonly #indexes: Indexes<T>;
  /** By index and key. */
  readonly #ids = new Map<string, Map<string, string>>();

  constructor(indexes: Indexes<T>) {
    this.#indexes = indexes;
    for (const index of Object.keys(indexes)) this.#ids.set(index, new Map());
  }

  get(id: string): T | undefined {
    return this.#rows.get(id)?.state;
  }

  /** Whether the entity is known to be deleted. */
  isDeleted(id: string): boolean {
    return this.#rows.has(id) && this.get(id) === undefined;
  }

  /** @throws RangeError when the table has no such index. */
  find(index: string, value: string): T | undefined {
    if (index === 'id') return this.get(value);
    const ids = this.#ids.get(index);
    if (ids === undefined) throw new RangeError(`There is no index '${index}'.`);
    const id = ids.get(value);
    return id === undefined ? undefined : this.get(id);
  }

  *all(): IterableIterator<T> {
    for (const { state } of this.#rows.values()) if (state !== undefined) yield state;
  }

  /** Applies the message if it is newer than the state in the table, and returns whether it was. */
  apply(message: StateMessage<T>): boolean {
    const held = this.#rows.get(message.id);
    if (held !== undefined && compareVersions(message.version, held.version) <= 0) return false;
    this.#set(message.id, { version: message.version, state: message.deleted ? undefined : message.state });
    return true;
  }

  /** Forgets the entity and its version, and returns whether there was one. */
  erase(id: string): boolean {
    if (!this.#rows.has(id)) return false;
    this.#unindex(id);
    return this.#rows.delete(id);
  }

  #set(id: string, row: Row<T>): void {
    this.#unindex(id);
    this.#rows.set(id, row);
    if (row.state === undefined) return;
    for (const [index, keyOf] of Object.entries(this.#indexes)) {
      for (const key of asList(keyOf(row.state))) this.#ids.get(index)?.set(key, id);
    }
  }

  #unindex(id: string): void {
    const state = this.#rows.get(id)?.state;
    if (state === undefined) return;
    for (const [index, keyOf] of Object.entries(this.#indexes)) {
      const ids = this.#ids.get(index);
      // Another entity may have taken over the key.
      for (const key of asList(keyOf(state))) if (ids?.get(key) === id) ids.delete(key);
    }
  }
}
