/**
 * The least that could be called an ingest: node:http, one zod schema, and one kafkajs produce with `acks=all` for each
 * request. Run as a process of its own; prints its port when it listens.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Kafka, logLevel, Partitioners } from 'kafkajs';
import { z } from 'zod';

const TOPIC = 'bench-baseline';
const PARTITIONS = 6;

const Body = z.object({
  message: z.string().min(1).max(130),
  alias: z.string().max(512).optional(),
  description: z.string().max(15_000).optional(),
  entity: z.string().max(512).optional(),
  source: z.string().max(100).optional(),
  priority: z.enum(['P1', 'P2', 'P3', 'P4', 'P5']).optional(),
  tags: z.array(z.string().max(50)).max(20).optional(),
  details: z.record(z.string(), z.string()).optional(),
});

const brokers = (process.env['KAFKA_BROKERS'] ?? '').split(',');
const kafka = new Kafka({ clientId: TOPIC, brokers, logLevel: logLevel.NOTHING });
const admin = kafka.admin();
await admin.connect();
await admin.createTopics({ topics: [{ topic: TOPIC, numPartitions: PARTITIONS }], waitForLeaders: true });
await admin.disconnect();
const producer = kafka.producer({ createPartitioner: Partitioners.DefaultPartitioner });
await producer.connect();

const server = createServer((request, response) => {
  answer(request, response).catch(() => {
    response.writeHead(500).end();
  });
});

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const body = Body.safeParse(JSON.parse(Buffer.concat(chunks).toString('utf8')));
  if (!body.success) {
    response.writeHead(422).end();
    return;
  }
  const message = { key: body.data.alias ?? null, value: JSON.stringify(body.data) };
  await producer.send({ topic: TOPIC, acks: -1, messages: [message] });
  response.writeHead(202, { 'content-type': 'application/json' }).end('{"result":"Request will be processed"}');
}

server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`${(server.address() as AddressInfo).port}\n`);
});
process.on('disconnect', () => process.exit(0));
