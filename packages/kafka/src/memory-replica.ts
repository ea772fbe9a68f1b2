import type { ChangeListener, ReplicaView } from './ports.ts';
import { type Indexes, StateTable } from './state-table.ts';

/** A replica for component tests, which holds what it is given. */
export class MemoryReplica<T> implements ReplicaView<T> {
  readonly #table: StateTable<T>;
  readonly #listeners = new Set<ChangeListener>();
  readonly #owner = new Map<string, T>();
  #refusal: Error | undefined;
  #writes = 0;

  constructor(indexes: Indexes<T> = {}) {
    this.#table = new StateTable(indexes);
  }

  put(id: string, state: T): void {
    this.#write({ id, deleted: false, state });
  }

  remove(id: string): void {
    this.#write({ id, deleted: true });
  }

  /** As if no record of the entity had ever come. */
  forget(id: string): void {
    this.#table.erase(id);
  }

  /** From now on the owner answers `state` to a `fetch` of `value`, which the replica lacks. */
  ownerHas(index: string, value: string, state: T): void {
    this.#owner.set(`${index}=${value}`, state);
  }

  /** From now on a `fetch` that asks the owner fails with `error`, or succeeds again with `undefined`. */
  refuseWith(error: Error | undefined): void {
    this.#refusal = error;
  }

  get(id: string): T | undefined {
    return this.#table.get(id);
  }

  isDeleted(id: string): boolean {
    return this.#table.isDeleted(id);
  }

  find(index: string, value: string): T | undefined {
    return this.#table.find(index, value);
  }

  all(): IterableIterator<T> {
    return this.#table.all();
  }

  fetch(index: string, value: string): Promise<T | undefined> {
    const held = this.#table.find(index, value);
    if (held !== undefined || (index === 'id' && this.#table.isDeleted(value))) return Promise.resolve(held);
    if (this.#refusal !== undefined) return Promise.reject(this.#refusal);
    return Promise.resolve(this.#owner.get(`${index}=${value}`));
  }

  whenChanged(listener: ChangeListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #write(change: { id: string; deleted: false; state: T } | { id: string; deleted: true }): void {
    this.#writes += 1;
    const version = { epoch: 0, n: this.#writes };
    this.#table.apply({ ...change, version });
    for (const listener of this.#listeners) listener(change.id, version);
  }
}
