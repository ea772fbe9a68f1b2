import { createConnection } from 'mongoose';
import { Kafka, logLevel, Partitioners } from 'kafkajs';

const TOPIC = 'bench-round-trip';
/** So much comes before what counts. */
const WARM_UP = 20;

/** The time of reading pages of 100 users by name with only the driver, at the given offsets. */
export async function plainPages(uri: string, dbName: string, offsets: readonly number[]): Promise<readonly number[]> {
  const connection = await createConnection(uri, { dbName }).asPromise();
  try {
    const users = connection.collection('users');
    const page = async (offset: number): Promise<void> => {
      const read = users
        .find({}, { projection: { notificationRules: 0 } })
        .sort({ username: 1 })
        .skip(offset)
        .limit(100);
      if ((await read.toArray()).length === 0) throw new Error(`There are no users in ${dbName} at ${offset}.`);
    };
    for (const offset of offsets.slice(0, WARM_UP)) await page(offset);
    return await durations(offsets, page);
  } finally {
    await connection.close();
  }
}

/** The times of one record to a topic and back with only the client. */
export async function roundTrips(brokers: readonly string[], times: number): Promise<readonly number[]> {
  const kafka = new Kafka({ clientId: TOPIC, brokers: [...brokers], logLevel: logLevel.NOTHING });
  await createTopic(kafka);
  const producer = kafka.producer({ createPartitioner: Partitioners.DefaultPartitioner });
  const consumer = kafka.consumer({ groupId: TOPIC, maxWaitTimeInMs: 50 });
  const arrivals = new Map<string, () => void>();
  const there = async (value: string): Promise<void> => {
    const { promise, resolve } = Promise.withResolvers<undefined>();
    arrivals.set(value, () => {
      resolve(undefined);
    });
    await producer.send({ topic: TOPIC, acks: -1, messages: [{ value }] });
    await promise;
  };
  await Promise.all([producer.connect(), consumer.connect()]);
  try {
    await consumer.subscribe({ topic: TOPIC, fromBeginning: true });
    await consumer.run({
      eachMessage: ({ message }) => Promise.resolve(arrivals.get(message.value?.toString() ?? '')?.()),
    });
    for (let time = 0; time < WARM_UP; time += 1) await there(`warm up ${time}`);
    return await durations([...Array(times).keys()], (time) => there(`round trip ${time}`));
  } finally {
    await Promise.all([producer.disconnect(), consumer.disconnect()]);
  }
}

async function createTopic(kafka: Kafka): Promise<void> {
  const admin = kafka.admin();
  await admin.connect();
  await admin.createTopics({ topics: [{ topic: TOPIC, numPartitions: 1 }], waitForLeaders: true });
  await admin.disconnect();
}

async function durations<T>(items: readonly T[], work: (item: T) => Promise<unknown>): Promise<readonly number[]> {
  const found: number[] = [];
  for (const item of items) {
    const startedAt = performance.now();
    await work(item);
    found.push(performance.now() - startedAt);
  }
  return found;
}
