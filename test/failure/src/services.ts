import path from 'node:path';
import { SERVICES, type ServiceName } from '@tocsin/events';
import {
  Ledger,
  newInstallation,
  replicaOf,
  type Installation,
  type Reconciliation,
  type ServiceProcess,
} from '@tocsin/test-acceptance/processes';
import { twilioSettings } from '@tocsin/testkit';
import { Balancer } from './balancer.ts';
import type { Engines } from './engines.ts';
import type { Sinks } from './sinks.ts';

const REPLICAS = [1, 2] as const;
/** That of the chart: a stopping process still answers, until it gets no further connections. */
const STOP_WAIT_MS = '5000';

/** Two processes of each service, and what distributes connections to them. */
export class Services {
  readonly #installation: Installation;
  readonly #replicas: ReadonlyMap<ServiceName, readonly ServiceProcess[]>;
  readonly #balancers: Balancer[] = [];
  readonly #ledger: Ledger;

  private constructor(installation: Installation, replicas: ReadonlyMap<ServiceName, readonly ServiceProcess[]>) {
    this.#installation = installation;
    this.#replicas = replicas;
    this.#ledger = new Ledger(installation);
  }

  /** Makes topics and processes, not started yet. Logs go to the folder `logs`. */
  static async prepare(engines: Engines, sinks: Sinks, logs: string): Promise<Services> {
    const installation = await newInstallation(sinks.smtpUrl, 'warn', {
      kafka: { brokers: engines.brokers, topicPrefix: engines.topicPrefix },
      mongo: { uri: engines.mongoUri, databasePrefix: 'failure_' },
    });
    const settings = { STOP_WAIT_MS, SMS_PROVIDERS: 'twilio', ...twilioSettings(sinks.textsUrl) };
    const replicas = new Map<ServiceName, readonly ServiceProcess[]>();
    for (const name of SERVICES) {
      const own: ServiceProcess[] = [];
      for (const number of REPLICAS) {
        const logFile = path.join(logs, `${name}-${number}.log`);
        own.push(await replicaOf(name, installation, number, { settings, logFile }));
      }
      replicas.set(name, own);
    }
    return new Services(installation, replicas);
  }

  /** Resolves when all are ready. The first of each prepares the database alone. */
  async start(): Promise<void> {
    for (const name of SERVICES) {
      const { PORT = '' } = this.#installation.environmentOf(name);
      this.#balancers.push(await Balancer.start(Number(PORT), this.#of(name)));
    }
    for (const number of REPLICAS) await Promise.all(SERVICES.map((name) => this.replica(name, number).start()));
  }

  /** A process of a service; its number is 1 or 2. */
  replica(name: ServiceName, number: 1 | 2): ServiceProcess {
    const replica = this.#of(name)[number - 1];
    if (replica === undefined) throw new Error(`There is no replica ${number} of ${name}.`);
    return replica;
  }

  /** The URLs of both gateways. */
  get gatewayUrls(): readonly [string, string] {
    const url = (number: 1 | 2) => `http://127.0.0.1:${this.replica('gateway', number).port}`;
    return [url(1), url(2)];
  }

  /** What the installation has published and stored. */
  get results(): Pick<Installation, 'published' | 'stored'> {
    return this.#installation;
  }

  async areReady(): Promise<boolean> {
    const all = [...this.#replicas.values()].flat();
    return (await Promise.all(all.map((replica) => replica.isReady(2_000)))).every(Boolean);
  }

  /** The ledger of the installation. @throws SyntaxError when a service could not be asked. */
  ledger(): Promise<Reconciliation> {
    return this.#ledger.read();
  }

  async stop(): Promise<void> {
    await Promise.all([...this.#replicas.values()].flat().map((replica) => replica.stop()));
    await Promise.all(this.#balancers.map((balancer) => balancer.stop()));
    await this.#installation.published.stop();
  }

  #of(name: ServiceName): readonly ServiceProcess[] {
    return this.#replicas.get(name) ?? [];
  }
}
