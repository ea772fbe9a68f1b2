import mongoose from 'mongoose';
import { eventually } from '@tocsin/testkit';
import type { StartedNetwork } from 'testcontainers';
import { Part } from './part.ts';

/** One broker, which speaks to the network of the stack alone. It keeps its data while it is down. */
export async function startKafka(image: string, network: StartedNetwork, run: string): Promise<Part> {
  const environment = {
    CLUSTER_ID: '5L6g3nShT-eMCtK--X86sw',
    KAFKA_NODE_ID: '1',
    KAFKA_PROCESS_ROLES: 'broker,controller',
    KAFKA_LISTENERS: 'PLAINTEXT://:9092,CONTROLLER://:9093',
    KAFKA_ADVERTISED_LISTENERS: 'PLAINTEXT://kafka:9092',
    KAFKA_LISTENER_SECURITY_PROTOCOL_MAP: 'PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT',
    KAFKA_INTER_BROKER_LISTENER_NAME: 'PLAINTEXT',
    KAFKA_CONTROLLER_LISTENER_NAMES: 'CONTROLLER',
    KAFKA_CONTROLLER_QUORUM_VOTERS: '1@localhost:9093',
    KAFKA_OFFSETS_TOPIC_REPLICATION_FACTOR: '1',
    KAFKA_TRANSACTION_STATE_LOG_REPLICATION_FACTOR: '1',
    KAFKA_TRANSACTION_STATE_LOG_MIN_ISR: '1',
    KAFKA_GROUP_INITIAL_REBALANCE_DELAY_MS: '0',
    KAFKA_AUTO_CREATE_TOPICS_ENABLE: 'false',
    KAFKA_HEAP_OPTS: '-Xms128m -Xmx384m',
  };
  const kafka = await Part.start({ name: 'kafka', image, network, environment }, run);
  await kafka.logged('Kafka Server started');
  return kafka;
}

/** A replica set of one, which the network of the stack calls `mongo`. It keeps its data while it is down. */
export async function startMongo(image: string, network: StartedNetwork, run: string): Promise<Part> {
  const command = ['mongod', '--replSet', 'rs0', '--bind_ip_all', '--wiredTigerCacheSizeGB', '0.25'];
  const mongo = await Part.start({ name: 'mongo', image, network, command, ports: [27_017] }, run);
  await mongo.logged('Waiting for connections');
  await mongo.until(() => initiate(`mongodb://${mongo.address(27_017)}/?directConnection=true`));
  return mongo;
}

async function initiate(uri: string): Promise<void> {
  const connection = await mongoose.createConnection(uri, { serverSelectionTimeoutMS: 5_000 }).asPromise();
  try {
    const admin = connection.getClient().db('admin');
    const members = [{ _id: 0, host: 'mongo:27017' }];
    await admin.command({ replSetInitiate: { _id: 'rs0', members } }).catch(unlessInitiated);
    await eventually(async () => {
      const { isWritablePrimary } = await admin.command({ hello: 1 });
      if (isWritablePrimary !== true) throw new Error('MongoDB has no primary');
    });
  } finally {
    await connection.close();
  }
}

function unlessInitiated(error: unknown): void {
  if ((error as { readonly codeName?: string }).codeName !== 'AlreadyInitialized') throw error;
}
