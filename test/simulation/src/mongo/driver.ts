import { createRequire } from 'node:module';
import { Duplex } from 'node:stream';
import { createConnection, mongo, type Connection } from 'mongoose';
import { HELLO } from './server.ts';
import type { Document } from './values.ts';

const { BSON } = mongo;

/**
 * Sends one command and resolves with the answer of the server. It rejects with a `MongoNetworkError` where the command or the answer
 * is lost.
 */
export type Exchange = (command: Document) => Promise<Document>;

interface Message {
  toBin(): Promise<readonly Uint8Array[]>;
}

interface ResponseType {
  make(bytes: Uint8Array): unknown;
}

/** The parts of the driver that stand between its operations and a socket. The driver does not export them. */
const driver = createRequire(createRequire(import.meta.url).resolve('mongoose'));
const { Topology } = driver('mongodb/lib/sdam/topology') as { Topology: new (...parts: unknown[]) => TopologyParts };
const { Server } = driver('mongodb/lib/sdam/server') as { Server: new (...parts: unknown[]) => ServerParts };
const { ServerDescription } = driver('mongodb/lib/sdam/server_description') as {
  ServerDescription: new (...parts: unknown[]) => unknown;
};
const { Connection: DriverConnection } = driver('mongodb/lib/cmap/connection') as {
  Connection: new (...parts: unknown[]) => ConnectionParts;
};
const { MongoDBResponse } = driver('mongodb/lib/cmap/wire_protocol/responses') as { MongoDBResponse: ResponseType };

interface TopologyParts {
  readonly s: {
    state: string;
    description: { update(server: unknown): never };
    readonly servers: Map<string, unknown>;
  };
  selectServer(): Promise<unknown>;
}
interface ServerParts {
  readonly s: { state: string };
  readonly pool: { checkOut(): Promise<unknown>; checkIn(connection: unknown): void };
}
interface ConnectionParts {
  hello: Document;
  sendWire(message: Message, options: object, responseType?: ResponseType): AsyncGenerator;
}
interface ClientParts {
  readonly s: { readonly options: Readonly<Record<string, unknown>> & { readonly hosts: readonly unknown[] } };
  topology: TopologyParts | undefined;
}

/**
 * A connection of mongoose to the database `name` behind `exchange`. Operations, sessions, cursors, retries and labels of errors are
 * those of the real driver; only sockets, their pool and the monitoring of the server are not used. The settings are those of
 * `connectMongo`.
 */
export function connectMemory(exchange: Exchange, name: string): Connection {
  const client = new mongo.MongoClient(`mongodb://memory:27017/${name}?replicaSet=memory`, {
    retryWrites: true,
    writeConcern: { w: 'majority' },
    readPreference: 'primary',
  });
  const parts = client as unknown as ClientParts;
  const { options } = parts.s;
  const [host] = options.hosts;
  const topology = new Topology(client, options.hosts, options);
  const description = new ServerDescription(host, HELLO, { roundTripTime: 1, minRoundTripTime: 1 });
  const server = new Server(topology, description, options);
  const connection = new DriverConnection(new UnusedSocket(), { ...options, hostAddress: host, id: 1, generation: 0 });
  connection.hello = { ...HELLO };
  connection.sendWire = async function* (message, _, responseType = MongoDBResponse) {
    const answer = await exchange(commandOf(Buffer.concat(await message.toBin())));
    yield responseType.make(BSON.serialize(answer));
  };
  server.s.state = 'connected';
  server.pool.checkOut = () => Promise.resolve(connection);
  server.pool.checkIn = () => undefined;
  topology.s.description = topology.s.description.update(description);
  topology.s.servers.set('memory:27017', server);
  topology.s.state = 'connected';
  topology.selectServer = () => Promise.resolve(server);
  parts.topology = topology;
  return createConnection().setClient(client);
}

/** The driver makes listeners on a socket, and sends nothing through this one. */
class UnusedSocket extends Duplex {
  readonly remoteAddress = 'memory';
  readonly remotePort = 27_017;

  override _read(): void {
    // Nothing arrives.
  }

  setTimeout(): this {
    return this;
  }
}

/** Header of a message and its flags, in bytes. */
const PREAMBLE = 20;

/** The command of an OP_MSG: the body, and the documents that travel beside it. */
function commandOf(message: Buffer): Document {
  let command: Document = {};
  for (let at = PREAMBLE; at < message.length;) {
    const isSequence = message[at] === 1;
    const size = message.readInt32LE(at + 1);
    const part = message.subarray(at + 1, at + 1 + size);
    if (isSequence) {
      const nameEnd = part.indexOf(0, 4);
      command[part.toString('utf8', 4, nameEnd)] = documentsIn(part.subarray(nameEnd + 1));
    } else command = { ...BSON.deserialize(part), ...command };
    at += 1 + size;
  }
  return command;
}

function documentsIn(bytes: Buffer): readonly Document[] {
  const documents: Document[] = [];
  for (let at = 0; at < bytes.length; at += bytes.readInt32LE(at))
    documents.push(BSON.deserialize(bytes.subarray(at, at + bytes.readInt32LE(at))));
  return documents;
}
