import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { bindable, freePort, SmtpSink } from '@tocsin/local-stack';
import { DataFolder, type Secrets } from './data-folder.ts';
import { demoPlan } from './demo/plan.ts';
import { seedDemo, type CallApi } from './demo/seed.ts';
import { runKafka, runMongo, type Engine } from './engines.ts';
import { httpCall } from './http-call.ts';
import { MailboxPage } from './mailbox-page.ts';
import { createTopics, requireMongo } from './preparation.ts';
import { RunRecord, type RunningProcess } from './run-record.ts';
import {
  environmentOf,
  flagsOf,
  SERVICES,
  type ServiceName,
  type ServicePorts,
  type Surroundings,
} from './service-plan.ts';
import type { Settings } from './settings.ts';
import { allReady, Supervised } from './supervised.ts';
import { terminal } from './terminal.ts';
import { TroubleError } from './trouble.ts';

const READY_WITHIN_MS = 120_000;
const LEFTOVERS_WITHIN_MS = 30_000;
/** One Tocsin on this machine: its engines, its mailbox, its seven services. */
export class Installation {
  readonly #root: string;
  readonly #settings: Settings;
  readonly #folder: DataFolder;
  readonly #record: RunRecord;
  readonly #stops: (() => Promise<void>)[] = [];
  #secrets: Secrets = { apiKey: '', signingKey: '' };
  #mailboxUrl: string | undefined;
  #mailPort = 0;
  #stopping: Promise<void> | undefined;

  constructor(root: string, settings: Settings) {
    this.#root = root;
    this.#settings = settings;
    this.#folder = new DataFolder(settings.dataFolder);
    this.#record = new RunRecord(this.#folder.runRecord);
  }

  get apiKey(): string {
    return this.#secrets.apiKey;
  }

  /** The file that keeps the key. */
  get secretsFile(): string {
    return this.#folder.secretsFile;
  }

  /** Where the bundled sink shows its mails; undefined where mails go elsewhere. */
  get mailboxUrl(): string | undefined {
    return this.#mailboxUrl;
  }

  /** Where mail for Email integrations is taken, once `start` has begun. */
  get mailPort(): number {
    return this.#mailPort;
  }

  /**
   * Resolves when every service is ready and the demo, if wanted, is there.
   *
   * @throws TroubleError for whatever the person at the terminal can mend.
   */
  async start(): Promise<void> {
    await this.#claim();
    this.#secrets = this.#folder.secrets(this.#settings.apiKey);
    const surroundings = await this.#surroundings();
    this.#record.tell({ brokers: surroundings.kafkaBrokers, topicPrefix: this.#settings.topicPrefix });
    terminal.say('Topics: creating those that are missing');
    await createTopics(surroundings.kafkaBrokers, this.#settings.topicPrefix);
    const ports = await servicePorts(this.#settings.gatewayPort);
    await this.#services(ports, surroundings);
    if (!this.#settings.demo) return;
    terminal.say('Demo: making sure that its team is there');
    await seedDemo(demoPlan(new Date(), this.#settings.account.timeZone), this.#callApi);
  }

  /** Stops what was started, in the reverse order. Called again, it waits for the same end. */
  async stop(): Promise<void> {
    this.#stopping ??= this.#stopAll();
    await this.#stopping;
  }

  /** Remembers how to stop a part; one that comes up while everything stops is stopped at once. */
  async #keep(stop: () => Promise<void>): Promise<void> {
    this.#stops.push(stop);
    if (this.#stopping === undefined) return;
    await this.#stopAll();
    throw new TroubleError('Stopped while it was starting.');
  }

  async #stopAll(): Promise<void> {
    for (const stop of this.#stops.splice(0).reverse()) await stop();
  }

  /** Takes the data folder and the gateway's port for this process, or says who has them. */
  async #claim(): Promise<void> {
    this.#folder.open();
    const running = this.#record.runningSupervisor();
    if (running !== undefined) {
      throw new TroubleError(
        `Tocsin already runs on ${this.#folder.path} (process ${running.pid}). Stop it, or choose another TOCSIN_DATA and GATEWAY_PORT.`,
      );
    }
    await ended(this.#record.leftovers(), () => this.#record.leftovers());
    const { gatewayPort, mailPort } = this.#settings;
    await requireFree('GATEWAY_PORT', gatewayPort);
    if (mailPort !== undefined) await requireFree('SMTP_PORT', mailPort);
    this.#mailPort = mailPort ?? (await freePort());
    this.#record.claim({ name: 'supervisor', pid: process.pid, mark: process.argv[1] ?? '' });
    await this.#keep(() => {
      this.#record.release();
      return Promise.resolve();
    });
  }

  async #surroundings(): Promise<Surroundings> {
    const { kafkaBrokers, mongoUri } = this.#settings;
    terminal.say(
      `Engines: starting ${kafkaBrokers === undefined ? 'Kafka' : 'with your Kafka'} and ${mongoUri === undefined ? 'MongoDB' : 'your MongoDB'}`,
    );
    const [kafka, mongo] = await Promise.all([
      kafkaBrokers ?? this.#engine(runKafka),
      mongoUri === undefined ? this.#engine(runMongo) : requireMongo(mongoUri),
    ]);
    return {
      kafkaBrokers: kafka,
      mongoUri: mongo,
      smtpUrl: this.#settings.smtpUrl ?? (await this.#mailbox()),
      mailPort: this.#mailPort,
    };
  }

  async #engine(run: typeof runKafka): Promise<string> {
    const engine: Engine = await run(this.#folder, {
      say: (line) => {
        terminal.say(line);
      },
      started: (name, pid, mark) => {
        this.#record.note({ name, pid, mark });
      },
    });
    await this.#keep(() => engine.stop());
    return engine.address;
  }

  async #mailbox(): Promise<string> {
    const sink = await new SmtpSink({ now: () => new Date(), port: await freePort() }).start();
    const page = await new MailboxPage(sink).start(await freePort());
    this.#mailboxUrl = page.url;
    await this.#keep(async () => {
      await page.stop();
      await sink.stop();
    });
    return sink.url;
  }

  async #services(ports: ReadonlyMap<ServiceName, ServicePorts>, surroundings: Surroundings): Promise<void> {
    terminal.say(`Services: starting ${SERVICES.length} (logs in ${path.dirname(this.#folder.logOf('any'))})`);
    const installation = { settings: this.#settings, secrets: this.#secrets, surroundings };
    const supervised = SERVICES.map((service) => {
      const main = path.join(this.#root, 'services', service, 'src', 'main.ts');
      const plan = {
        command: process.execPath,
        args: [...flagsOf(service), main],
        env: environmentOf(service, ports, installation, process.env),
        cwd: this.#root,
        logFile: this.#folder.logOf(service),
      };
      return new Supervised(service, plan, this.#reports(main));
    });
    await this.#keep(async () => {
      await Promise.all(supervised.map((each) => each.stop(26_000)));
    });
    const adminPort = (name: string): number => ports.get(name as ServiceName)?.adminPort ?? 0;
    await allReady(supervised, (name) => isReady(adminPort(name)), {
      timeoutMs: READY_WITHIN_MS,
    });
  }

  #reports(mark: string) {
    return {
      started: (name: string, pid: number): void => {
        this.#record.note({ name, pid, mark });
      },
      ended: (name: string, how: string, againInMs: number): void => {
        terminal.complain(
          `${name} ended (${how}) and is started again in ${againInMs / 1000} s: see ${this.#folder.logOf(name)}`,
        );
      },
    };
  }

  readonly #callApi: CallApi = (method, route, body) =>
    httpCall(this.#settings.gatewayPort, route, {
      method,
      headers: { authorization: `GenieKey ${this.#secrets.apiKey}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
}

async function requireFree(setting: string, port: number): Promise<void> {
  if (await bindable(port)) return;
  throw new TroubleError(
    `Port ${port} is taken by another program. Free it, or choose another port: ${setting}=${port + 1} npm start`,
  );
}

async function servicePorts(gatewayPort: number): Promise<ReadonlyMap<ServiceName, ServicePorts>> {
  const ports = new Map<ServiceName, ServicePorts>();
  for (const service of SERVICES) {
    const port = service === 'gateway' ? gatewayPort : await freePort();
    ports.set(service, { port, adminPort: await freePort() });
  }
  return ports;
}

async function isReady(adminPort: number): Promise<boolean> {
  try {
    return (await httpCall(adminPort, '/readyz')).status === 200;
  } catch {
    return false;
  }
}

/** Processes whose supervisor died are ending by themselves; what does not is ended. */
async function ended(left: readonly RunningProcess[], stillThere: () => readonly RunningProcess[]): Promise<void> {
  if (left.length === 0) return;
  terminal.say(`Waiting for what an earlier run left: ${left.map(({ name }) => name).join(', ')}`);
  const until = performance.now() + LEFTOVERS_WITHIN_MS;
  while (stillThere().length > 0 && performance.now() < until) await pause(200);
  for (const { pid } of stillThere()) process.kill(pid, 'SIGKILL');
}
