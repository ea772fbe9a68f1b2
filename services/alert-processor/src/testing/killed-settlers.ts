import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { AlertCommands, AlertEvents, ALL_TOPICS, type AlertCommand, type AlertEvent } from '@tocsin/contracts';
import { BatchingPublisher, ensureTopics, KafkaConnection } from '@tocsin/messaging';
import { createLogger } from '@tocsin/observability';
import { collectionOf, type Connection } from '@tocsin/persistence';
import { deathOf, eventually, readTopic, testKafka, testMongo } from '@tocsin/testing';
import type { KilledSettler } from './killed-settler.ts';
import { openDatabase } from './mongo-fixture.ts';

const SETTLER = fileURLToPath(new URL('./killed-settler.ts', import.meta.url));

/** How a settler ends or misbehaves. */
type Fate = Pick<KilledSettler, 'dieAt' | 'isMute'>;

/** A row of the outbox. */
interface OutboxRow {
  readonly messages: string;
}

/** Names a change of an alert. */
export const nameOf = ({ alertId, version }: Pick<AlertEvent, 'alertId' | 'version'>): string =>
  `${alertId}/${String(version)}`;

/** Settlers in separate processes, with topics and a database for one test. */
export class KilledSettlers {
  readonly connection: Connection;
  /** The fixed time of the settlers' clocks. */
  readonly settlesAt: Date;
  /** All commands that were published, in order. */
  readonly commands: AlertCommand[] = [];
  /** The events that were in the outbox when a process was killed. They may come twice. */
  readonly left = new Set<string>();
  readonly #told: Omit<KilledSettler, 'groupId'>;
  readonly #kafka: KafkaConnection;
  readonly #publisher: BatchingPublisher;
  readonly #running: ChildProcess[] = [];

  private constructor(connection: Connection, told: Omit<KilledSettler, 'groupId'>) {
    const logger = createLogger('alert-processor', 'silent');
    const { brokers, topicPrefix } = told;
    this.connection = connection;
    this.settlesAt = new Date(told.settlesAt);
    this.#told = told;
    this.#kafka = new KafkaConnection({ brokers: brokers.split(','), clientId: 'test', topicPrefix, logger });
    this.#publisher = new BatchingPublisher({ kafka: this.#kafka, logger });
  }

  static async open(partitions: number): Promise<KilledSettlers> {
    const [{ brokers, topicPrefix }, { uri: mongoUri }] = await Promise.all([testKafka(), testMongo()]);
    await ensureTopics({ brokers, prefix: topicPrefix, topics: ALL_TOPICS, partitions });
    const connection = await openDatabase();
    const settlesAt = new Date().toISOString();
    const told = { brokers: brokers.join(','), topicPrefix, mongoUri, database: connection.name, settlesAt };
    const settlers = new KilledSettlers(connection, told);
    await settlers.#publisher.start();
    return settlers;
  }

  async close(): Promise<void> {
    for (const child of this.#running) child.kill('SIGKILL');
    await this.#publisher.stop();
    await this.#kafka.stop();
    await this.connection.dropDatabase();
    await this.connection.close();
  }

  async give(commands: readonly AlertCommand[]): Promise<void> {
    this.commands.push(...commands);
    await this.#publisher.publish(AlertCommands, commands);
  }

  /** Starts a settler in the consumer group `group`. */
  start(group: string, fate: Fate = {}): ChildProcess {
    const groupId = `${this.#told.topicPrefix}alert-processor-${group}`;
    const settler: KilledSettler = { ...this.#told, groupId, ...fate };
    const child = spawn(process.execPath, ['--conditions=source', SETTLER, JSON.stringify(settler)], {
      stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    });
    this.#running.push(child);
    return child;
  }

  /** Like {@link start}; resolves when the group has assigned it partitions. */
  async join(group: string, fate: Fate = {}): Promise<ChildProcess> {
    const child = this.start(group, fate);
    await once(child, 'message');
    return child;
  }

  /** Waits until `child` has killed itself, and remembers which events were left in the outbox. */
  async death(child: ChildProcess): Promise<NodeJS.Signals | null> {
    const { signal } = await deathOf(child, this.connection);
    const rows = await collectionOf<OutboxRow>(this.connection, 'outbox').find().toArray();
    for (const { messages } of rows)
      for (const event of JSON.parse(messages) as readonly AlertEvent[]) this.left.add(nameOf(event));
    return signal;
  }

  /** Waits until every command is settled. */
  async settled(): Promise<void> {
    await this.#waitFor('request_statuses', this.commands.length);
  }

  /** Waits until every command is settled and every event published. */
  async published(): Promise<void> {
    await this.settled();
    await this.#waitFor('outbox', 0);
  }

  /** All published events, in the order of their partitions. */
  async events(): Promise<readonly AlertEvent[]> {
    const records = await readTopic(this.#kafka, AlertEvents);
    return records.map(({ value }) => AlertEvents.schema.parse(JSON.parse(String(value))));
  }

  async #waitFor(collection: string, wanted: number): Promise<void> {
    await eventually(async () => {
      const count = await this.connection.collection(collection).countDocuments();
      if (count !== wanted) throw new Error(`${collection} has ${count} documents, not ${wanted}`);
    });
  }
}
