import { compareVersions, type StateMessage, type TopicDefinition, type Version } from '@tocsin/contracts';
import { TooLargeError } from '@tocsin/errors';
import type { DirtyRow, DirtyRows } from './dirty-rows.ts';
import type { RelayLogger, RelayPublisher } from './relay-ports.ts';

/** Returns the present states of those of `ids` that exist. */
export type LoadStates<T> = (ids: readonly string[]) => Promise<ReadonlyMap<string, StateMessage<T>>>;

/**
 * Publishes entities of one compacted topic so that the last value of each key is the latest state.
 *
 * Another process may publish a newer state between our read and our write, and compaction would keep the older one. So each
 * entity is read again after it is published, and published again where it differs. The last publisher always reads after its
 * write.
 */
export class StateRelay<T> {
  readonly #topic: TopicDefinition<StateMessage<T>>;
  readonly #load: LoadStates<T>;
  readonly #publisher: RelayPublisher;
  readonly #dirty: DirtyRows;
  readonly #logger: RelayLogger;

  constructor(options: {
    topic: TopicDefinition<StateMessage<T>>;
    load: LoadStates<T>;
    publisher: RelayPublisher;
    dirty: DirtyRows;
    logger: RelayLogger;
  }) {
    this.#topic = options.topic;
    this.#load = options.load;
    this.#publisher = options.publisher;
    this.#dirty = options.dirty;
    this.#logger = options.logger;
  }

  /** Resolves when the topic holds the latest state of each of `ids`, or its tombstone. */
  async publish(ids: readonly string[], deadlineMs: number): Promise<void> {
    let left = ids;
    while (left.length > 0) left = await this.#publishOnce(left, deadlineMs);
  }

  /** Returns the ids of those that changed meanwhile. */
  async #publishOnce(ids: readonly string[], deadlineMs: number): Promise<readonly string[]> {
    const rows = await this.#dirty.of(ids);
    const states = await this.#load(ids);
    const tombstones = rows.flatMap(tombstoneOf).filter((message) => !states.has(message.id));
    await this.#send([...states.values(), ...tombstones], deadlineMs);
    const changed = await this.#changedSince(states);
    await this.#dirty.settle(rows);
    return changed;
  }

  async #send(messages: readonly StateMessage<T>[], deadlineMs: number): Promise<void> {
    if (messages.length === 0) return;
    try {
      await this.#publisher.publish(this.#topic, messages, { deadlineMs });
    } catch (error) {
      if (!(error instanceof TooLargeError)) throw error;
      // The others are on the topic. A retry of this one would delay them for ever.
      this.#logger.error({ err: error, topic: this.#topic.name }, 'an entity is too large to be published');
    }
  }

  async #changedSince(published: ReadonlyMap<string, StateMessage<T>>): Promise<readonly string[]> {
    if (published.size === 0) return [];
    const now = await this.#load([...published.keys()]);
    const gone = [...published.keys()].filter((id) => !now.has(id));
    // Another process may have published the tombstone before this state.
    if (gone.length > 0) await this.#dirty.republishTombstones(gone);
    const newer = [...now.values()].filter((state) => !sameVersion(state, published.get(state.id)));
    return [...gone, ...newer.map((state) => state.id)];
  }
}

function sameVersion(a: { version: Version }, b: { version: Version } | undefined): boolean {
  return b !== undefined && compareVersions(a.version, b.version) === 0;
}

function tombstoneOf({ entity, tombstone }: DirtyRow): { id: string; version: Version; deleted: true }[] {
  return tombstone === null ? [] : [{ id: entity, version: tombstone.version, deleted: true }];
}
