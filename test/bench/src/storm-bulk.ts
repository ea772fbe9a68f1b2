import { setTimeout as pause } from 'node:timers/promises';
import { AlertCommandsBulk } from '@tocsin/events';
import { KafkaConnection, backlogOf, logBounds } from '@tocsin/kafka';
import { MongoCheckpoints } from '@tocsin/mongo';
import { createConnection, type Connection } from 'mongoose';

const LIMIT_MS = 60_000;
const LOOK_EVERY_MS = 250;
const quiet = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

/** The topic to which the commands of keys that flood are moved. */
export class BulkTopic {
  readonly #kafka: KafkaConnection;
  readonly #connection: Connection;

  private constructor(kafka: KafkaConnection, connection: Connection) {
    this.#kafka = kafka;
    this.#connection = connection;
  }

  static async open({ brokers, mongoUri }: { brokers: string; mongoUri: string }): Promise<BulkTopic> {
    const connection = await createConnection(mongoUri, { dbName: 'tocsin_alert_processor' }).asPromise();
    const options = { brokers: brokers.split(','), clientId: 'bench-storm', topicPrefix: '', logger: quiet };
    return new BulkTopic(new KafkaConnection(options), connection);
  }

  /** After how many milliseconds from now all of it is settled; Infinity where that takes longer than a minute. */
  async emptyAfterMs(): Promise<number> {
    const beganAtMs = performance.now();
    while (performance.now() - beganAtMs < LIMIT_MS) {
      if ((await this.#backlog()) === 0) return performance.now() - beganAtMs;
      await pause(LOOK_EVERY_MS);
    }
    return Infinity;
  }

  async #backlog(): Promise<number> {
    const bounds = await logBounds(this.#kafka, AlertCommandsBulk);
    const checkpoints = await new MongoCheckpoints(this.#connection).read(AlertCommandsBulk.name, [...bounds.keys()]);
    const positions = new Map(checkpoints.map(({ offset, partition }) => [partition, offset]));
    return [...bounds].reduce((sum, [partition, log]) => sum + backlogOf(log, positions.get(partition)), 0);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([this.#connection.close(), this.#kafka.stop()]);
  }
}
