import { Kafka, logLevel } from 'kafkajs';
import { createConnection, type Connection } from 'mongoose';

/** What the engines of an installation have written so far. */
export class PagesWrites {
  readonly #mongo: Connection;
  readonly #admin: ReturnType<Kafka['admin']>;

  private constructor(mongo: Connection, admin: ReturnType<Kafka['admin']>) {
    this.#mongo = mongo;
    this.#admin = admin;
  }

  static async open(mongoUri: string, brokers: string): Promise<PagesWrites> {
    const kafka = new Kafka({ clientId: 'bench-pages', brokers: brokers.split(','), logLevel: logLevel.NOTHING });
    const admin = kafka.admin();
    await admin.connect();
    return new PagesWrites(await createConnection(mongoUri).asPromise(), admin);
  }

  /** Documents inserted, updated and deleted by all services. */
  async documents(): Promise<ReadonlyMap<string, number>> {
    const status = await this.#mongo.db?.admin().serverStatus();
    const { inserted, updated, deleted } = (status?.['metrics'] as { document: Record<string, unknown> }).document;
    return new Map(Object.entries({ inserted, updated, deleted }).map(([name, count]) => [name, Number(count)]));
  }

  /** Records of each topic. */
  async records(): Promise<ReadonlyMap<string, number>> {
    const topics = (await this.#admin.listTopics()).filter((topic) => !topic.startsWith('__'));
    const counts = topics.map(async (topic): Promise<[string, number]> => {
      const partitions = await this.#admin.fetchTopicOffsets(topic);
      return [topic, partitions.reduce((sum, { high }) => sum + Number(high), 0)];
    });
    return new Map(await Promise.all(counts));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([this.#mongo.close(), this.#admin.disconnect()]);
  }
}
