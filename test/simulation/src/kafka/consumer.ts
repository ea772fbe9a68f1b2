import type { Batch, Consumer, ConsumerRunConfig, EachBatchPayload, KafkaMessage, TopicPartitionOffset } from 'kafkajs';
import { LostError, type NetworkLink } from '../network.ts';
import { type AssignedPartitions, GroupError, type Membership } from './groups.ts';
import type { FetchedPart, StoredRecord } from './log.ts';
import type { MemoryKafka } from './memory-kafka.ts';

const EVENTS = ['GROUP_JOIN', 'CRASH', 'STOP', 'FETCH', 'REQUEST_TIMEOUT', 'HEARTBEAT', 'REBALANCING'] as const;
const RETRY_MS = 100;
/** How long the broker waits for records. */
const MAX_WAIT_MS = 500;
const MAX_WAIT_OF_SOLE_MEMBER_MS = 1_000;
/** A fetch brings at most so many records of a partition, and at least one. */
const MAX_RECORDS = 4;
/** After a lost request of its loop, kafkajs restarts the consumer once in so many. */
const RESTARTS_ONCE_IN = 4;
/** While there are faults, one fetch of so many asks all members of the group to join again. */
const REBALANCE_ONCE_IN = 40;

export interface MemoryConsumerOptions {
  readonly link: NetworkLink;
  readonly kafka: MemoryKafka;
  readonly groupId: string;
  readonly sessionTimeoutMs: number;
  readonly isSoleMember: boolean;
}

type Listener = (event: never) => void;
type Paused = Parameters<Consumer['pause']>[0];

interface WantedPartition {
  readonly topic: string;
  readonly partition: number;
  /** Undefined for the position of the group. */
  readonly position: number | undefined;
}

interface FetchedPartition extends FetchedPart {
  readonly topic: string;
  readonly partition: number;
}

const nameOf = (topic: string, partition: number): string => `${topic}/${partition}`;

/** A consumer of kafkajs: fetches, hands batches over, heartbeats, and joins again where the coordinator asks for it. */
export class MemoryConsumer {
  readonly events = Object.fromEntries(EVENTS.map((name) => [name, name])) as unknown as Consumer['events'];
  readonly #options: MemoryConsumerOptions;
  readonly #listeners = new Map<string, Listener[]>();
  /** The next offset of each partition, without those that begin at the position of the group. */
  readonly #positions = new Map<string, number>();
  /** Taken by the next fetch; a batch of such a partition is stale. */
  readonly #seeks = new Map<string, number>();
  readonly #paused = new Set<string>();
  #topics: readonly string[] = [];
  #assignment: AssignedPartitions = {};
  #membership: Membership | undefined;
  /** When the last heartbeat was sent. */
  #beatAtMs = 0;
  #beating: Promise<void> | undefined;
  #isRunning = false;
  /** Also while it joins again, but not while it restarts. */
  #hasGroup = false;

  constructor(options: MemoryConsumerOptions) {
    this.#options = options;
  }

  on(event: string, listener: Listener): () => void {
    const listeners = this.#listeners.get(event) ?? [];
    listeners.push(listener);
    this.#listeners.set(event, listeners);
    return () => void listeners.splice(listeners.indexOf(listener), 1);
  }

  connect(): Promise<void> {
    return Promise.resolve();
  }

  /** @throws Error where a topic does not exist. */
  async subscribe({ topics }: { readonly topics: (string | RegExp)[] }): Promise<void> {
    const names = topics.map(String);
    await this.#options.link.send('a look for topics', () => {
      const missing = names.find((name) => this.#options.kafka.log.partitionsOf(name) === 0);
      if (missing !== undefined) throw new Error(`There is no topic ${missing}.`);
    });
    this.#topics = names;
  }

  /** Resolves when the group has assigned partitions. */
  async run(config: ConsumerRunConfig): Promise<void> {
    this.#isRunning = true;
    this.#hasGroup = true;
    await this.#join();
    void this.#loop(config);
  }

  async disconnect(): Promise<void> {
    this.#isRunning = false;
    await this.#leave();
  }

  seek({ offset, partition, topic }: TopicPartitionOffset): void {
    this.#requireGroup();
    this.#seeks.set(nameOf(topic, partition), Number(offset));
  }

  pause(topics: Paused): void {
    this.#requireGroup();
    for (const name of this.#namesOf(topics)) this.#paused.add(name);
  }

  resume(topics: Paused): void {
    this.#requireGroup();
    for (const name of this.#namesOf(topics)) this.#paused.delete(name);
  }

  /** @throws GroupError where the partitions may be another member's by now. */
  async commitOffsets(
    offsets: readonly (TopicPartitionOffset & { readonly metadata?: string | null })[],
  ): Promise<void> {
    const { groupId, kafka, link } = this.#options;
    this.#requireGroup();
    const member = this.#membership;
    if (member === undefined) throw new GroupError('UNKNOWN_MEMBER_ID');
    const positions = new Map(
      offsets.map(({ metadata = null, offset, partition, topic }) => [nameOf(topic, partition), { offset, metadata }]),
    );
    await link.send('a commit of offsets', () => {
      kafka.groups.commit(groupId, member, positions);
    });
  }

  #emit(event: (typeof EVENTS)[number], payload: object): void {
    for (const listener of this.#listeners.get(event) ?? []) listener({ payload } as never);
  }

  #requireGroup(): void {
    if (!this.#hasGroup) throw new Error('The consumer is in no group.');
  }

  #namesOf(topics: Paused): readonly string[] {
    return topics.flatMap(({ partitions, topic }) =>
      (partitions ?? this.#assignment[topic] ?? []).map((partition) => nameOf(topic, partition)),
    );
  }

  async #join(): Promise<void> {
    const { groupId, kafka, link, sessionTimeoutMs } = this.#options;
    while (this.#isRunning) {
      const request = { groupId, memberId: this.#membership?.memberId, topics: this.#topics, sessionTimeoutMs };
      try {
        const { assignment, ...membership } = await link.send('a join', () => kafka.groups.join(request));
        this.#membership = membership;
        this.#assignment = assignment;
        this.#positions.clear();
        this.#beatAtMs = link.client.scheduler.elapsedMs;
        this.#emit('GROUP_JOIN', { groupId, ...membership, memberAssignment: assignment });
        return;
      } catch (error) {
        if (error instanceof GroupError) this.#membership = undefined;
        else if (!(error instanceof LostError)) throw error;
        await link.client.sleep(RETRY_MS);
      }
    }
  }

  async #leave(): Promise<void> {
    const { groupId, kafka, link } = this.#options;
    const member = this.#membership;
    if (member === undefined) return;
    const leave = (): void => {
      kafka.groups.leave(groupId, member.memberId);
    };
    await link.send('a leave', leave).catch(() => undefined);
    this.#membership = undefined;
  }

  async #loop(config: ConsumerRunConfig): Promise<void> {
    const { client } = this.#options.link;
    while (this.#isRunning) {
      try {
        await this.#fetchAndHandle(config);
      } catch (error) {
        if (error instanceof GroupError) {
          if (error.type === 'UNKNOWN_MEMBER_ID') this.#membership = undefined;
          await this.#join();
        } else if (!(error instanceof LostError)) throw error;
        else if (client.scheduler.choose('consumer restarts', RESTARTS_ONCE_IN) === 0) await this.#restart(error);
        else await client.sleep(RETRY_MS);
      }
    }
  }

  /** As kafkajs does after the last retry of a request. */
  async #restart(error: Error): Promise<void> {
    this.#emit('CRASH', { error, restart: true });
    await this.#leave();
    this.#hasGroup = false;
    this.#emit('STOP', {});
    this.#seeks.clear();
    this.#paused.clear();
    await this.#options.link.client.sleep(RETRY_MS);
    this.#hasGroup = true;
    await this.#join();
  }

  async #fetchAndHandle(config: ConsumerRunConfig): Promise<void> {
    const fetched = await this.#fetch();
    this.#emit('FETCH', { nodeId: 0, numberOfBatches: 0, duration: 0 });
    // A partition may have been paused or sought while the request was under way.
    const batches = fetched.filter(({ partition, topic }) => {
      const name = nameOf(topic, partition);
      return !this.#seeks.has(name) && !this.#paused.has(name);
    });
    const handled = await Promise.allSettled(batches.map((batch) => this.#handle(batch, config)));
    const failed = handled.find(({ status }) => status === 'rejected');
    if (failed?.status === 'rejected') throw failed.reason;
    if (batches.length === 0) await this.#heartbeat();
  }

  /** The batches of the assigned partitions that are not paused. The broker waits a while where there is none. */
  async #fetch(): Promise<readonly FetchedPartition[]> {
    const { isSoleMember, link } = this.#options;
    const maxWaitMs = isSoleMember ? MAX_WAIT_OF_SOLE_MEMBER_MS : MAX_WAIT_MS;
    for (const [name, offset] of this.#seeks) this.#positions.set(name, offset);
    this.#seeks.clear();
    const wanted = Object.entries(this.#assignment)
      .flatMap(([topic, partitions]) =>
        partitions.map((partition) => {
          const name = nameOf(topic, partition);
          return { topic, partition, name, position: this.#positions.get(name) };
        }),
      )
      .filter(({ name }) => !this.#paused.has(name));
    if (wanted.length === 0) {
      await link.client.sleep(maxWaitMs);
      return [];
    }
    return link.send('a fetch', () => this.#read(wanted, maxWaitMs));
  }

  /** By the broker. */
  async #read(wanted: readonly WantedPartition[], maxWaitMs: number): Promise<readonly FetchedPartition[]> {
    const { groupId, isSoleMember, kafka, link } = this.#options;
    if (link.hasFaults && !isSoleMember && link.client.scheduler.choose('rebalance', REBALANCE_ONCE_IN) === 0)
      kafka.groups.rebalance(groupId);
    const state = { isOver: false };
    const over = link.host.sleep(maxWaitMs).then(() => (state.isOver = true));
    for (;;) {
      const found = wanted.map(({ partition, position, topic }) => {
        const offset = position ?? Number(kafka.groups.committed(groupId, topic, partition)?.offset ?? 0);
        return { topic, partition, ...kafka.log.fetch(topic, partition, { offset, limit: MAX_RECORDS }) };
      });
      const filled = found.filter(({ records }) => records.length > 0);
      if (filled.length > 0 || state.isOver) return filled;
      await Promise.race([kafka.log.whenGrown(), over]);
    }
  }

  async #handle(fetched: FetchedPartition, config: ConsumerRunConfig): Promise<void> {
    const { partition, topic } = fetched;
    const name = nameOf(topic, partition);
    const payload = {
      batch: batchOf(fetched),
      resolveOffset: (offset: string) => void this.#positions.set(name, Number(offset) + 1),
      heartbeat: () => this.#heartbeat(),
      isRunning: () => this.#isRunning,
      isStale: () => this.#seeks.has(name),
    };
    await config.eachBatch?.(payload as Partial<EachBatchPayload> as EachBatchPayload);
    await this.#heartbeat();
  }

  /** Shared by the calls meanwhile. @throws GroupError where the member has to join again. */
  async #heartbeat(): Promise<void> {
    this.#beating ??= this.#beat().finally(() => (this.#beating = undefined));
    return this.#beating;
  }

  async #beat(): Promise<void> {
    const { groupId, isSoleMember, kafka, link, sessionTimeoutMs } = this.#options;
    const everyMs = isSoleMember ? 5_000 : Math.min(1_000, sessionTimeoutMs / 3);
    const now = link.client.scheduler.elapsedMs;
    const member = this.#membership;
    if (member === undefined || now < this.#beatAtMs + everyMs) return;
    await link.send('a heartbeat', () => {
      kafka.groups.heartbeat(groupId, member);
    });
    this.#beatAtMs = now;
  }
}

function batchOf({ end, partition, records, topic }: FetchedPartition): Batch {
  const offsets = records.map(({ offset }) => String(offset));
  return {
    topic,
    partition,
    highWatermark: String(end),
    messages: records.map(messageOf),
    isEmpty: () => records.length === 0,
    firstOffset: () => offsets[0] ?? null,
    lastOffset: () => offsets.at(-1) ?? '0',
    offsetLag: () => '0',
    offsetLagLow: () => '0',
  };
}

const messageOf = ({ headers, key, offset, timestampMs, value }: StoredRecord): KafkaMessage => ({
  key,
  value,
  headers,
  offset: String(offset),
  timestamp: String(timestampMs),
  attributes: 0,
});
