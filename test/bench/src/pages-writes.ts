import { Kafka, logLevel } from 'kafkajs';
import { createConnection, mongo, type Connection } from 'mongoose';

/** The writes of the engines of an installation so far. */
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

  /** The last entry of the database's log. */
  async now(): Promise<mongo.Timestamp> {
    const [last] = await this.#log().find().sort({ $natural: -1 }).limit(1).toArray();
    return last?.ts ?? new mongo.Timestamp({ t: 0, i: 0 });
  }

  /** How many documents of each collection were written after one entry and up to another, those of transactions included. */
  async documents(after: mongo.Timestamp, until: mongo.Timestamp): Promise<ReadonlyMap<string, number>> {
    const counted = this.#log().aggregate<{ _id: string; count: number }>([
      { $match: { ts: { $gt: after, $lte: until }, op: { $in: ['i', 'u', 'd', 'c'] } } },
      { $project: { writes: { $ifNull: ['$o.applyOps.ns', ['$ns']] } } },
      { $unwind: '$writes' },
      { $group: { _id: '$writes', count: { $sum: 1 } } },
      { $sort: { count: -1 } },
    ]);
    return new Map(await counted.map(({ _id, count }): [string, number] => [_id, count]).toArray());
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

  #log() {
    return this.#mongo.useDb('local').collection<{ ts: mongo.Timestamp }>('oplog.rs');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([this.#mongo.close(), this.#admin.disconnect()]);
  }
}
