import { withTimeout, TooLargeError, UnavailableError } from '@tocsin/core';
import {
  compareVersions,
  nextVersion,
  STATE_TOMBSTONE_MS,
  type StateMessage,
  type TopicDefinition,
  type Version,
} from '@tocsin/events';
import type { Connection } from 'mongoose';
import type { Announcements, StateSource } from './configuration-collection.ts';
import type { Session } from './connection.ts';
import { orUnavailable } from './failures.ts';
import { waitingDeletions } from './outbox-rows.ts';
import type { Outbox } from './outbox.ts';
import type { RelayLogger, StatePublisher } from './relay-ports.ts';
import { Tombstones, type AgedTombstone, type Tombstone } from './tombstones.ts';

/** Durations are real time. */
export interface EntityStatesOptions<T> extends StateSource<T> {
  readonly connection: Connection;
  readonly topic: TopicDefinition<StateMessage<T>>;
  /** Relays the topic. */
  readonly outbox: Pick<Outbox, 'add' | 'flush'>;
  readonly publisher: StatePublisher;
  readonly logger: RelayLogger;
  /** How long a tombstone is published again before its key is erased; a day by default. */
  readonly tombstoneMs?: number;
}

/** How many entities are read and published together. To read and encode 100 of 4 kB holds the event loop up for 40 ms. */
const PAGE_SIZE = 20;
const PUBLISH_DEADLINE_MS = 5_000;
const FLUSH_TIMEOUT_MS = 2_000;
/** How many rows with tombstones one call publishes. */
const MAX_WAITING_DELETIONS = 100;

/**
 * The states of the entities of one kind on their compacted topic. A state or a tombstone is a message of the outbox, so for one
 * entity they first appear in the order of their commits.
 *
 * A repeat may be the last message of an entity, and compaction keeps the last one. So `republish` publishes every present state
 * and every tombstone again; a process that starts in between reads both messages and keeps the newer version, because the topic
 * keeps messages for longer than the time between two calls before it compacts them ({@link STATE_COMPACTION_LAG_MS}).
 */
export class EntityStates<T> implements Announcements {
  readonly #options: EntityStatesOptions<T>;
  readonly #tombstones: Tombstones;

  constructor(options: EntityStatesOptions<T>) {
    this.#options = options;
    this.#tombstones = new Tombstones(options.connection, options.topic.name);
  }

  /** Adds the states of entities to the transaction of `session`, which has written the entities. */
  async addStates(session: Session, states: readonly StateMessage<T>[]): Promise<void> {
    const { outbox, topic } = this.#options;
    await outbox.add(session, topic, states);
  }

  /** Adds the tombstone of an entity to the transaction that deletes it. `version` is greater than that of its last state. */
  async addTombstone(session: Session, id: string, version: Version): Promise<void> {
    const { outbox, topic } = this.#options;
    await this.#tombstones.add(session, id, version);
    await outbox.add(session, topic, [tombstoneMessage({ entity: id, version })]);
  }

  /**
   * The version of an entity that the transaction of `session` creates: `first` or, where an entity of its id was deleted under a later
   * one, the next one after that. Readers ignore a version that is older than the deletion. Needed where ids come back, as in an import.
   */
  async versionOfNew(session: Session, id: string, first: Version): Promise<Version> {
    const [removal] = await this.#tombstones.find([id], session);
    return removal === undefined || compareVersions(first, removal.version) > 0 ? first : nextVersion(removal.version);
  }

  /** As `Outbox.flush`, for 2 s at most. */
  async flush(): Promise<void> {
    const { outbox, topic } = this.#options;
    await withTimeout(outbox.flush([topic]), FLUSH_TIMEOUT_MS, () => undefined);
  }

  /**
   * Resolves when the topic has the latest committed state of each of `ids`, or its tombstone (K2). The outbox publishes it once
   * more in its order.
   *
   * @throws UnavailableError when Kafka or MongoDB refuses, when a state is too large, or after `deadlineMs`, 3 s by default. The
   * outbox publishes the states that are not too large later.
   */
  async publishNow(ids: readonly string[], { deadlineMs = 3_000 }: { deadlineMs?: number } = {}): Promise<void> {
    const published = this.#publishLatest(ids, deadlineMs).then(
      () => true,
      (error: unknown) => {
        this.#options.logger.warn(
          { err: error, topic: this.#options.topic.name },
          'Entities cannot be published now. The outbox tries again.',
        );
        return false;
      },
    );
    if (!(await withTimeout(published, deadlineMs, () => false))) {
      throw new UnavailableError('The change is stored, but could not be published yet.');
    }
  }

  /**
   * Resolves when the topic has the tombstone of each entity whose deletion was committed before the call, or a later state.
   *
   * @throws UnavailableError as `publishNow`, and while the outbox has more than 100 rows of deletions.
   */
  async publishDeletions(): Promise<void> {
    const { connection, topic } = this.#options;
    const ids = await orUnavailable(waitingDeletions(connection, topic.name, MAX_WAITING_DELETIONS));
    if (ids === undefined) throw new UnavailableError('Too many deletions wait to be published.');
    if (ids.length > 0) await this.publishNow(ids);
  }

  /**
   * Publishes all states and tombstones again, and erases the keys of entities that were deleted more than a day ago. Call it at the
   * start and every {@link STATE_REPUBLISH_MS}.
   *
   * @throws the failure of MongoDB or Kafka; a later call does all of it again.
   */
  async republish(signal?: AbortSignal): Promise<void> {
    for await (const ids of inPages(this.#options.ids())) {
      signal?.throwIfAborted();
      await this.#publishAgain([...(await this.#options.load(ids)).values()]);
    }
    for await (const tombstones of inPages(this.#tombstones.all())) {
      signal?.throwIfAborted();
      await this.#republishTombstones(tombstones);
    }
  }

  async #publishLatest(ids: readonly string[], deadlineMs: number): Promise<void> {
    const [states, tombstones] = await Promise.all([this.#options.load(ids), this.#tombstones.find(ids)]);
    const deleted = tombstones.filter(({ entity }) => !states.has(entity));
    await this.#publish([...states.values(), ...deleted.map(tombstoneMessage)], deadlineMs);
  }

  async #republishTombstones(tombstones: readonly AgedTombstone[]): Promise<void> {
    const { load, publisher, tombstoneMs = STATE_TOMBSTONE_MS, topic } = this.#options;
    const present = await load(tombstones.map(({ entity }) => entity));
    const deleted = tombstones.filter(({ entity }) => !present.has(entity));
    const isOld = ({ ageMs }: AgedTombstone) => ageMs > tombstoneMs;
    await this.#publishAgain(deleted.filter((each) => !isOld(each)).map(tombstoneMessage));
    const erased = deleted.filter(isOld).map(({ entity }) => entity);
    if (erased.length > 0) {
      await publisher.erase(topic, erased);
      // An entity that was created again before its key was erased.
      await this.#publishAgain([...(await load(erased)).values()]);
    }
    await this.#tombstones.remove(tombstones.filter(isOld));
  }

  async #publishAgain(messages: readonly StateMessage<T>[]): Promise<void> {
    const { logger, topic } = this.#options;
    try {
      await this.#publish(messages, PUBLISH_DEADLINE_MS);
    } catch (error) {
      if (!(error instanceof TooLargeError)) throw error;
      // The others are on the topic. A retry of this one would delay them for ever.
      logger.error({ err: error, topic: topic.name }, 'An entity is too large to be published.');
    }
  }

  async #publish(messages: readonly StateMessage<T>[], deadlineMs: number): Promise<void> {
    const { publisher, topic } = this.#options;
    if (messages.length > 0) await publisher.publish(topic, messages, { deadlineMs });
  }
}

function tombstoneMessage({ entity, version }: Pick<Tombstone, 'entity' | 'version'>): {
  readonly id: string;
  readonly version: Version;
  readonly deleted: true;
} {
  return { id: entity, version, deleted: true };
}

async function* inPages<Item>(items: AsyncIterable<Item>): AsyncIterable<readonly Item[]> {
  let page: Item[] = [];
  for await (const item of items) {
    page.push(item);
    if (page.length < PAGE_SIZE) continue;
    yield page;
    page = [];
  }
  if (page.length > 0) yield page;
}
