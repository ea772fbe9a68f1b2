import { afterEach, describe, expect, test } from '@jest/globals';
import { mongo } from 'mongoose';
import { freePort, portAnswers } from './local-stack/index.ts';
import { eventually, KafkaProxy, startKafka, startMongo } from './index.ts';

const stops: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop();
});

describe('startMongo', () => {
  test('keeps what was committed over a kill and a restart on the same port', async () => {
    const server = await startMongo();
    stops.push(() => server.stop());
    const client = new mongo.MongoClient(server.uri);
    stops.push(() => client.close());
    await client
      .db('test')
      .collection('things')
      .insertOne({ kept: true }, { writeConcern: { w: 'majority' } });

    await server.kill();
    expect(await portAnswers(server.port)).toBe(false);
    await server.restart();

    expect(await client.db('test').collection('things').countDocuments({ kept: true })).toBe(1);
  });

  test('takes no compressed message, because its release has a weakness there (CVE-2025-14847)', async () => {
    const server = await startMongo();
    stops.push(() => server.stop());
    const client = new mongo.MongoClient(server.uri);
    stops.push(() => client.close());

    const answer = await client.db('admin').command({ hello: 1, compression: ['zlib', 'snappy', 'zstd'] });

    expect(answer['compression']).toBeUndefined();
  });

  test('commits a transaction, as only a replica set can', async () => {
    const server = await startMongo();
    stops.push(() => server.stop());
    const client = new mongo.MongoClient(server.uri);
    stops.push(() => client.close());
    const things = client.db('test').collection('things');

    await client.withSession((session) =>
      session.withTransaction(() => things.insertOne({ within: 'transaction' }, { session })),
    );

    expect(await things.countDocuments()).toBe(1);
  });
});

describe('startKafka', () => {
  test('comes back on the same port after a kill', async () => {
    const broker = await startKafka();
    stops.push(() => broker.stop());

    await broker.kill();
    expect(await portAnswers(broker.port)).toBe(false);
    await broker.restart();

    expect(await portAnswers(broker.port)).toBe(true);
  });

  test('sends clients to the advertised port, so that a proxy can stand between', async () => {
    const proxy = await KafkaProxy.start();
    stops.push(() => proxy.stop());
    const broker = await startKafka({ advertisedPort: proxy.port });
    stops.push(() => broker.stop());
    proxy.forwardTo(broker.port);

    expect(broker.brokers).toBe(proxy.brokers);
    expect(broker.port).not.toBe(proxy.port);
  });
});

describe('a server', () => {
  test('answers nothing while it is paused and goes on when it is resumed', async () => {
    const server = await startMongo({ port: await freePort() });
    stops.push(() => server.stop());
    const client = new mongo.MongoClient(server.uri, { socketTimeoutMS: 3_000, retryReads: false });
    stops.push(() => client.close());
    await client.db('admin').command({ ping: 1 });

    await server.pause();
    await expect(client.db('admin').command({ ping: 1 })).rejects.toThrow();
    server.resume();

    expect(await eventually(() => client.db('admin').command({ ping: 1 }))).toMatchObject({ ok: 1 });
  });
});
