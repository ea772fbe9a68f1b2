import { compareVersions, Version } from '@tocsin/events';
import { z } from 'zod';
import type { FetchedRecord } from './fetched-record.ts';

/** The version of an entity on its topic, without its state. */
export interface StateVersion {
  readonly version: Version;
  readonly deleted: boolean;
}

/** Read without the schema of the topic, so that a state from a newer release counts too. */
const Versioned = z.object({ version: Version, deleted: z.boolean() });

/** The newest version of each entity of one compacted topic, for the owner of the topic, without erased and unreadable states. */
export class StateVersions {
  readonly #newest = new Map<string, StateVersion>();
  /** Unlike a replica, a start does not wait for a newer release. */
  readonly isComplete = true;

  /** By the id of the entity. */
  get newest(): ReadonlyMap<string, StateVersion> {
    return this.#newest;
  }

  /** Applies one record of the topic. */
  take({ bytes, key }: FetchedRecord): void {
    if (key === undefined) return;
    if (bytes.value === null) this.#newest.delete(key);
    else this.#apply(key, bytes.value.toString());
  }

  #apply(key: string, text: string): void {
    const found = versionIn(text);
    const known = this.#newest.get(key);
    if (found !== undefined && (known === undefined || compareVersions(found.version, known.version) > 0))
      this.#newest.set(key, found);
  }
}

function versionIn(text: string): StateVersion | undefined {
  try {
    return Versioned.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}
