import type { Checkpoint, CheckpointStore, NamedTopic } from '@tocsin/events';
import { z } from 'zod';
import type { StartPosition } from './start-position.ts';
import type { FetchedRecord } from './fetched-record.ts';
import type { KafkaConnection } from './kafka-connection.ts';
import type { MessagingLogger } from './ports.ts';

const LastProcessed = z.object({ lastKey: z.string().optional(), lastTimestampMs: z.number() });

/** The stored positions of a consumer group. */
export interface Positions {
  /** The start position of each of `partitions`. @throws why the store does not answer. */
  read(
    topic: NamedTopic,
    partitions: readonly number[],
    clusterId: string,
  ): Promise<ReadonlyMap<number, StartPosition>>;
  /** Sets the stored position of a recreated or truncated log back from `checkpoint` to `offset`. */
  goBack(checkpoint: Checkpoint, offset: number): Promise<void>;
}

/**
 * Positions that a service stores with its effects. Each has the last processed record, by which a recreated topic is recognised.
 */
export class CheckpointPositions implements Positions {
  readonly #store: CheckpointStore;
  readonly #logger: MessagingLogger;

  constructor(store: CheckpointStore, logger: MessagingLogger) {
    this.#store = store;
    this.#logger = logger;
  }

  async read(
    { name }: NamedTopic,
    partitions: readonly number[],
    clusterId: string,
  ): Promise<ReadonlyMap<number, StartPosition>> {
    const found = new Map<number, StartPosition>(partitions.map((partition) => [partition, { kind: 'beginning' }]));
    for (const checkpoint of await this.#store.read(name, partitions)) {
      if (checkpoint.clusterId !== clusterId) {
        this.#logger.error({ checkpoint, clusterId }, 'This is another cluster; reading the topic from its beginning.');
        await this.#store.forget(checkpoint);
      } else if (checkpoint.offset > 0) found.set(checkpoint.partition, { kind: 'verify', checkpoint });
    }
    return found;
  }

  goBack(checkpoint: Checkpoint, offset: number): Promise<void> {
    return this.#store.goBack(checkpoint, offset);
  }
}

/** Positions that Kafka stores for the group, for processors whose effects are idempotent. */
export class CommittedPositions implements Positions {
  readonly #kafka: Pick<KafkaConnection, 'ask' | 'wireName'>;
  readonly #groupId: string;

  constructor(kafka: Pick<KafkaConnection, 'ask' | 'wireName'>, groupId: string) {
    this.#kafka = kafka;
    this.#groupId = groupId;
  }

  async read(
    topic: NamedTopic,
    partitions: readonly number[],
    clusterId: string,
  ): Promise<ReadonlyMap<number, StartPosition>> {
    const topics = [this.#kafka.wireName(topic)];
    const answer = await this.#kafka.ask((admin) => admin.fetchOffsets({ groupId: this.#groupId, topics }));
    const committed = new Map(answer.flatMap((entry) => entry.partitions).map((p) => [p.partition, p]));
    return new Map(
      partitions.map((partition) => {
        const { offset = '-1', metadata = null } = committed.get(partition) ?? {};
        return [
          partition,
          startPositionOf({ topic: topic.name, partition, clusterId, offset: Number(offset) }, metadata),
        ];
      }),
    );
  }

  /** Writes nothing. Until a record is processed, the same committed position leads to the same result. */
  goBack(): Promise<void> {
    return Promise.resolve();
  }
}

/** Kafka refuses a commit with longer metadata, bytes. */
const MAX_METADATA_BYTES = 4_000;

/** The last processed record as metadata of the commit; null where its key is too long. */
export function lastProcessed({ key, timestampMs }: Pick<FetchedRecord, 'key' | 'timestampMs'>): string | null {
  const metadata = JSON.stringify({ lastKey: key, lastTimestampMs: timestampMs });
  return Buffer.byteLength(metadata) > MAX_METADATA_BYTES ? null : metadata;
}

type Committed = Omit<Checkpoint, 'lastKey' | 'lastTimestampMs'>;

function startPositionOf(committed: Committed, metadata: string | null): StartPosition {
  if (committed.offset <= 0) return { kind: 'beginning' };
  const last = LastProcessed.safeParse(parseOrUndefined(metadata));
  if (!last.success) return { kind: 'at', offset: committed.offset };
  const { lastKey, lastTimestampMs } = last.data;
  return { kind: 'verify', checkpoint: { ...committed, lastKey, lastTimestampMs } };
}

/** A tool that resets the offsets of a group writes no such metadata. */
function parseOrUndefined(metadata: string | null): unknown {
  try {
    return JSON.parse(metadata ?? '');
  } catch {
    return undefined;
  }
}
