import { compareVersions, Version } from '@tocsin/events';
import { z } from 'zod';
import type { FetchedRecord } from './fetched-record.ts';
import type { ChangeListener } from './ports.ts';

/** The version of an entity on its topic, without its state. */
export interface StateVersion {
  readonly version: Version;
  readonly deleted: boolean;
}

/** Read without the schema of the topic, so that a state from a newer release counts too. */
const Versioned = z.object({ version: Version, deleted: z.boolean() });

/** The newest version of each entity of one compacted topic, without erased and unreadable states. */
export class StateVersions {
  readonly #newest = new Map<string, StateVersion>();
  readonly #listeners = new Set<ChangeListener>();
  /** Unlike a replica, a start does not wait for a newer release. */
  readonly isComplete = true;

  /** By the id of the entity. */
  get newest(): ReadonlyMap<string, StateVersion> {
    return this.#newest;
  }

  /** As that of `ReplicaView`. */
  whenChanged(listener: ChangeListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Applies one record of the topic. */
  apply({ bytes, key }: FetchedRecord): void {
    if (key === undefined) return;
    if (bytes.value === null) this.#newest.delete(key);
    else this.#apply(key, bytes.value.toString());
  }

  #apply(key: string, text: string): void {
    const found = versionIn(text);
    const known = this.#newest.get(key);
    if (found === undefined || (known !== undefined && compareVersions(found.version, known.version) <= 0)) return;
    this.#newest.set(key, found);
    for (const listener of this.#listeners) listener(key, found.version);
  }
}

function versionIn(text: string): StateVersion | undefined {
  try {
    return Versioned.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}
