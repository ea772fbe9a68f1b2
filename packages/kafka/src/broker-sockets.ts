import net from 'node:net';
import tls from 'node:tls';
import type { ISocketFactory, ISocketFactoryArgs, RequestTimeoutEvent } from 'kafkajs';

/** The socket factory and time-out handler of one kafkajs client. */
export interface ClientSockets {
  readonly socketFactory: ISocketFactory;
  /** The handler for each REQUEST_TIMEOUT event of the client. */
  readonly onRequestTimeout: (event: Pick<RequestTimeoutEvent, 'payload'>) => void;
}

interface Broker {
  /** The open connections, with the client that each belongs to. */
  readonly sockets: Map<net.Socket, ClientSockets>;
  /** The address of the last connection. */
  address: Pick<ISocketFactoryArgs, 'host' | 'port' | 'ssl'>;
  isProbed: boolean;
  isSilent: boolean;
}

const KEEP_ALIVE_MS = 60_000;
/** After a request that timed out, a broker that leaves a probe unanswered for this long is silent. */
const SILENT_AFTER_MS = 1_000;
/** Each probe is a new connection, because a broker that was replaced never answers on an old one. */
const PROBE_EVERY_MS = 5_000;
/** Codes of a connection to a machine that no network leads to, such as one that is cut off. */
const UNREACHABLE: ReadonlySet<string> = new Set(['EHOSTUNREACH', 'ENETUNREACH', 'EHOSTDOWN', 'ETIMEDOUT']);
/** The pause after a probe that failed so. It is short, because all brokers may be reachable again at the same time. */
const UNREACHABLE_PAUSE_MS = 1_000;
/** A request of the Kafka protocol with its length: version 0, no client id. Brokers answer it before any login. */
const API_VERSIONS_REQUEST = Buffer.from('0000000a0012000000000000ffff', 'hex');

/**
 * The connections of one process to the brokers. It makes kafkajs leave a broker that keeps its connections and answers nothing:
 * kafkajs itself closes no connection whose request timed out, asks for no new metadata then, and sends the next request to the
 * same broker.
 *
 * A request that times out closes the connections of its client to that broker. When the broker leaves a probe unanswered too,
 * it is silent: all connections to it are closed, and new ones are refused until a probe is answered. kafkajs then treats it as a
 * broker that is down: it asks another broker for the new leaders and coordinators.
 */
export class BrokerSockets {
  readonly #brokers = new Map<string, Broker>();
  readonly #stopped = new AbortController();

  /** For one producer, consumer or admin. */
  client(): ClientSockets {
    const client: ClientSockets = {
      socketFactory: (args) => this.#open(args, client),
      onRequestTimeout: ({ payload }) => {
        const broker = this.#brokers.get(payload.broker);
        if (broker === undefined) return;
        for (const [socket, owner] of broker.sockets) if (owner === client) socket.destroy(unanswered(payload.broker));
        if (!broker.isProbed) void this.#probe(broker, payload.broker);
      },
    };
    return client;
  }

  /** Ends the probes. */
  stopProbes(): void {
    this.#stopped.abort();
  }

  #open(args: ISocketFactoryArgs, client: ClientSockets): net.Socket {
    const { host, port, ssl } = args;
    const name = `${host}:${String(port)}`;
    const broker = this.#brokers.get(name) ?? {
      sockets: new Map<net.Socket, ClientSockets>(),
      address: { host, port, ssl },
      isProbed: false,
      isSilent: false,
    };
    broker.address = { host, port, ssl };
    this.#brokers.set(name, broker);
    if (broker.isSilent) return new net.Socket().destroy(unanswered(name));
    const socket = connect(args);
    socket.setKeepAlive(true, KEEP_ALIVE_MS);
    broker.sockets.set(socket, client);
    socket.once('close', () => broker.sockets.delete(socket));
    return socket;
  }

  async #probe(broker: Broker, name: string): Promise<void> {
    broker.isProbed = true;
    const silence = setTimeout(() => {
      broker.isSilent = true;
      for (const socket of broker.sockets.keys()) socket.destroy(unanswered(name));
    }, SILENT_AFTER_MS).unref();
    let answered = false;
    while (!answered) answered = await isAnswering(broker.address, this.#stopped.signal);
    clearTimeout(silence);
    broker.isSilent = false;
    broker.isProbed = false;
  }
}

/** An error with the code of a refused connection, because kafkajs looks for another coordinator only after that code. */
function unanswered(broker: string): Error {
  return Object.assign(new Error(`The broker ${broker} leaves requests unanswered.`), { code: 'ECONNREFUSED' });
}

function connect({ host, port, ssl, onConnect }: ISocketFactoryArgs): net.Socket {
  // kafkajs passes null where there is no TLS.
  if ((ssl as tls.ConnectionOptions | null) === null) return net.connect({ host, port }, onConnect);
  return tls.connect({ host, port, ...(net.isIP(host) === 0 && { servername: host }), ...ssl }, onConnect);
}

/**
 * Whether the broker answered in time. A refused connection counts as an answer, because kafkajs treats that as a broker that is down; a
 * broker to which no network leads does not: kafkajs would ask it again and again.
 */
function isAnswering(address: Broker['address'], stopped: AbortSignal): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ ...address, onConnect: () => socket.write(API_VERSIONS_REQUEST) });
    socket.unref();
    const settle = (answered: boolean): void => {
      clearTimeout(timer);
      stopped.removeEventListener('abort', stop);
      socket.destroy();
      resolve(answered);
    };
    const stop = (): void => {
      settle(true);
    };
    const timer = setTimeout(settle, PROBE_EVERY_MS, false).unref();
    stopped.addEventListener('abort', stop);
    for (const event of ['data', 'end']) socket.once(event, stop);
    socket.once('error', (error: NodeJS.ErrnoException) => {
      if (UNREACHABLE.has(error.code ?? '')) setTimeout(settle, UNREACHABLE_PAUSE_MS, false).unref();
      else stop();
    });
    if (stopped.aborted) stop();
  });
}
