import { once } from 'node:events';
import net from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import type { ServiceProcess } from '@tocsin/test-acceptance/processes';

/** What the balancer needs of a replica. */
type Replica = Pick<ServiceProcess, 'port' | 'isReady'>;

/** Those of the readiness probe of charts/tocsin/values.yaml. */
const PROBE_EVERY_MS = 2_000;
const PROBE_TIMEOUT_MS = 5_000;
const UNREADY_AFTER = 2;

interface Backend {
  readonly replica: Replica;
  failures: number;
}

/**
 * Distributes connections to the replicas of a service, as the Service of a cluster does: a new connection goes to the next replica
 * that is ready by its probe, and an open one stays where it is. A connection that this replica refuses is closed.
 */
export class Balancer {
  readonly #backends: readonly Backend[];
  readonly #server: net.Server;
  readonly #sockets = new Set<net.Socket>();
  readonly #stopping = new AbortController();
  #next = 0;

  private constructor(replicas: readonly Replica[]) {
    this.#backends = replicas.map((replica) => ({ replica, failures: 0 }));
    this.#server = net.createServer({ pauseOnConnect: true }, (client) => {
      this.#sockets.add(client.on('close', () => this.#sockets.delete(client)));
      client.on('error', () => client.destroy());
      connect(client, this.#nextReady());
    });
  }

  /** Listens on `port` of 127.0.0.1. */
  static async start(
    port: number,
    replicas: readonly Replica[],
    probeEveryMs: number = PROBE_EVERY_MS,
  ): Promise<Balancer> {
    const balancer = new Balancer(replicas);
    await once(balancer.#server.listen(port, '127.0.0.1'), 'listening');
    for (const backend of balancer.#backends) void balancer.#probe(backend, probeEveryMs);
    return balancer;
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    for (const socket of this.#sockets) socket.destroy();
    await once(this.#server.close(), 'close');
  }

  /** The next replica that is ready. */
  #nextReady(): Replica | undefined {
    const ready = this.#backends.filter(({ failures }) => failures < UNREADY_AFTER);
    this.#next += 1;
    return ready[this.#next % ready.length]?.replica;
  }

  async #probe(backend: Backend, everyMs: number): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      backend.failures = (await backend.replica.isReady(PROBE_TIMEOUT_MS)) ? 0 : backend.failures + 1;
      await pause(everyMs, undefined, { signal }).catch(() => undefined);
    }
  }
}

function connect(client: net.Socket, replica: Replica | undefined): void {
  if (replica === undefined) {
    client.destroy();
    return;
  }
  const server = net.connect({ port: replica.port, host: '127.0.0.1', noDelay: true });
  let isConnected = false;
  server
    .on('connect', () => {
      isConnected = true;
      client.setNoDelay(true).pipe(server).pipe(client);
    })
    .on('error', () => client.destroy())
    .on('close', () => {
      if (isConnected) client.destroySoon();
    });
  client.on('close', () => server.destroy());
}
