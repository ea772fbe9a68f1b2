import fs from 'node:fs/promises';
import path from 'node:path';
import { KafkaConnection } from '@tocsin/kafka';
import {
  startKafkaCluster,
  startReplicaSet,
  testDataFolder,
  type NodePlace,
  type OwnKafka,
  type OwnKafkaCluster,
  type OwnMongo,
  type OwnReplicaSet,
} from '@tocsin/testkit';
import { NodeNetwork } from './node-network.ts';
import { SmallDisk } from './small-disk.ts';

const NODES = [0, 1, 2] as const;
const TOPIC_PREFIX = 'failure.';
const OFFSETS = '__consumer_offsets';
const COMMANDS = 'alert-commands.v1';
/** Of the three brokers and the three members. mongod keeps 200 MB of journal. */
const DISKS_MB = [512, 512, 512, 1_024, 1_024, 1_024];
const silent = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

/** One broker or one member of the replica set, and what can be done to it. */
export interface EngineNode {
  readonly name: string;
  readonly process: OwnKafka | OwnMongo;
  cutOff(): Promise<void>;
  join(): Promise<void>;
  readonly disk: SmallDisk | undefined;
}

/** Removes what was done: starts again what was killed, lets a frozen process go on. */
export type Undo = () => Promise<unknown>;

/** Three brokers and a replica set of three members. As root each has a network and a disk of its own. */
export class Engines {
  readonly topicPrefix = TOPIC_PREFIX;
  readonly #kafka: OwnKafkaCluster;
  readonly #mongo: OwnReplicaSet;
  readonly #client: KafkaConnection;
  readonly #network: NodeNetwork | undefined;
  readonly #disks: readonly SmallDisk[];

  private constructor(parts: {
    readonly kafka: OwnKafkaCluster;
    readonly mongo: OwnReplicaSet;
    readonly network: NodeNetwork | undefined;
    readonly disks: readonly SmallDisk[];
    readonly client: KafkaConnection;
  }) {
    this.#kafka = parts.kafka;
    this.#mongo = parts.mongo;
    this.#network = parts.network;
    this.#disks = parts.disks;
    this.#client = parts.client;
  }

  /**
   * Resolves when all of them work. `undo` gets, step by step, what ends and removes what it started; to be done from the last to the
   * first, also after an error.
   */
  static async start(isIsolated: boolean, undo: Undo[]): Promise<Engines> {
    const scratch = await testDataFolder('tocsin-failure-');
    undo.push(() => fs.rm(scratch, { recursive: true, force: true }));
    const network = isIsolated ? await NodeNetwork.open(2 * NODES.length) : undefined;
    undo.push(async () => network?.close());
    const disks: SmallDisk[] = [];
    undo.push(() => Promise.all(disks.map((disk) => disk.unmount())));
    for (const megabytes of isIsolated ? DISKS_MB : [])
      disks.push(await SmallDisk.mount(path.join(scratch, `disk-${disks.length}`), megabytes));
    const place = (index: number): NodePlace => ({
      ...network?.places[index],
      dataDir: path.join(disks[index]?.path ?? path.join(scratch, `node-${index}`), 'data'),
    });
    const [kafka, mongo] = await Promise.all([
      startKafkaCluster([place(0), place(1), place(2)]),
      startReplicaSet({ members: NODES.length, places: NODES.map((node) => place(node + NODES.length)) }),
    ]);
    undo.push(() => Promise.all([kafka.stop(), mongo.stop()]));
    const { brokers } = kafka;
    const client = new KafkaConnection({ brokers, clientId: 'failure', topicPrefix: TOPIC_PREFIX, logger: silent });
    undo.push(() => client.stop());
    return new Engines({ kafka, mongo, network, disks, client });
  }

  get brokers(): readonly string[] {
    return this.#kafka.brokers;
  }

  get mongoUri(): string {
    return this.#mongo.uri;
  }

  /** The broker that leads the first partition of the commands. */
  commandsLeader(): Promise<EngineNode> {
    return this.#leaderOf(this.topicPrefix + COMMANDS);
  }

  /** The broker that coordinates the consumer groups. */
  coordinator(): Promise<EngineNode> {
    return this.#leaderOf(OFFSETS);
  }

  /** A broker other than this one. */
  anotherBroker(than: EngineNode): EngineNode {
    const [other] = NODES.map((node) => this.#broker(node + 1)).filter(({ name }) => name !== than.name);
    if (other === undefined) throw new Error('There is one broker.');
    return other;
  }

  /** The primary of the replica set. @throws Error while there is none. */
  async primary(): Promise<EngineNode> {
    const index = await this.#mongo.primary();
    const member = this.#mongo.members[index ?? -1];
    if (index === undefined || member === undefined) throw new Error('The replica set has no primary.');
    return this.#node(`member ${index + 1} of MongoDB`, member, index + NODES.length);
  }

  /** The primary steps down for 3 s, as for maintenance. */
  stepDown(): Promise<void> {
    return this.#mongo.stepDown();
  }

  /** Whether all replicas of all partitions are in sync, and all members follow a primary. */
  async areInSync(): Promise<boolean> {
    const { topics } = await this.#client.ask((admin) => admin.fetchTopicMetadata());
    return areTopicsInSync(topics, NODES.length) && (await this.#mongo.isWhole());
  }

  #broker(id: number): EngineNode {
    return this.#node(`broker ${id}`, this.#kafka.node(id), id - 1);
  }

  #node(name: string, process: OwnKafka | OwnMongo, index: number): EngineNode {
    return {
      name,
      process,
      disk: this.#disks[index],
      cutOff: async () => this.#network?.cutOff(index),
      join: async () => this.#network?.join(index),
    };
  }

  async #leaderOf(topic: string): Promise<EngineNode> {
    const { topics } = await this.#client.ask((admin) => admin.fetchTopicMetadata({ topics: [topic] }));
    const first = topics.flatMap(({ partitions }) => partitions).find(({ partitionId }) => partitionId === 0);
    return this.#broker(first?.leader ?? 0);
  }
}

/** Whether there are topics, and each of their partitions has so many replicas in sync. */
export const areTopicsInSync = (
  topics: readonly { readonly partitions: readonly { readonly isr: readonly number[] }[] }[],
  replicas: number,
): boolean =>
  topics.length > 0 && topics.every(({ partitions }) => partitions.every(({ isr }) => isr.length === replicas));
