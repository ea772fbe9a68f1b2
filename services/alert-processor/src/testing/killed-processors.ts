import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { AlertCommands, AlertEvents, ALL_TOPICS, type AlertCommand, type AlertEvent } from '@tocsin/events';
import { BatchingPublisher, ensureTopics, KafkaConnection } from '@tocsin/kafka';
import { createLogger } from '@tocsin/service';
import { collectionOf, type Connection } from '@tocsin/mongo';
import { deathOf, eventually, readTopic, testKafka, testMongo } from '@tocsin/testkit';
import type { KilledProcessor } from './killed-processor.ts';
import { openDatabase } from './mongo-fixture.ts';

const PROCESSOR = fileURLToPath(new URL('./killed-processor.ts', import.meta.url));

/** How a processor ends or misbehaves. */
type Fate = Pick<KilledProcessor, 'dieAt' | 'isMute'>;

/** A row of the outbox. */
interface OutboxRow {
  readonly messages: string;
}

/** Names a change of an alert. */
export const nameOf = ({ alertId, version }: Pick<AlertEvent, 'alertId' | 'version'>): string =>
  `${alertId}/${String(version)}`;

/** Processors in separate processes, with topics and a database for one test. */
export class KilledProcessors {
  readonly connection: Connection;
  /** The fixed time of the processors' clocks. */
  readonly processedAt: Date;
  /** All commands that were published, in order. */
  readonly commands: AlertCommand[] = [];
  /** The events that were in the outbox when a process was killed. They may come twice. */
  readonly left = new Set<string>();
  readonly #options: Omit<KilledProcessor, 'groupId'>;
  readonly #kafka: KafkaConnection;
  readonly #publisher: BatchingPublisher;
  readonly #running: ChildProcess[] = [];

  private constructor(connection: Connection, options: Omit<KilledProcessor, 'groupId'>) {
    const logger = createLogger('alert-processor', 'silent');
    const { brokers, topicPrefix } = options;
    this.connection = connection;
    this.processedAt = new Date(options.processedAt);
    this.#options = options;
    this.#kafka = new KafkaConnection({ brokers: brokers.split(','), clientId: 'test', topicPrefix, logger });
    this.#publisher = new BatchingPublisher({ kafka: this.#kafka, logger });
  }

  static async open(partitions: number): Promise<KilledProcessors> {
    const [{ brokers, topicPrefix }, { uri: mongoUri }] = await Promise.all([testKafka(), testMongo()]);
    await ensureTopics({ brokers, prefix: topicPrefix, topics: ALL_TOPICS, partitions });
    const connection = await openDatabase();
    const processedAt = new Date().toISOString();
    const options = { brokers: brokers.join(','), topicPrefix, mongoUri, database: connection.name, processedAt };
    const processors = new KilledProcessors(connection, options);
    await processors.#publisher.start();
    return processors;
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

  /** Starts a processor in the consumer group `group`. */
  start(group: string, fate: Fate = {}): ChildProcess {
    const groupId = `${this.#options.topicPrefix}alert-processor-${group}`;
    const processor: KilledProcessor = { ...this.#options, groupId, ...fate };
    const child = spawn(process.execPath, ['--conditions=source', PROCESSOR, JSON.stringify(processor)], {
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

  /** Waits until every command is processed. */
  async processed(): Promise<void> {
    await this.#waitFor('request_statuses', this.commands.length);
  }

  /** Waits until every command is processed and every event published. */
  async published(): Promise<void> {
    await this.processed();
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
